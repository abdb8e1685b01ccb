/* The golden regret tables: the committed rows and tables under reports/ against what the program
 * computes now. Of every run a sample of its rows (of the first two seeds, which are committed), and all seeds and
 * tables of one quick run; which they are REGRET_SAMPLE settles (tests/run.sh: the commit).
 * Whole are the runs that REGRET_FULL_GOLDEN names, with commas between them; 1: all, 0: none. REGRET_GOLDEN_ROWS names
 * those whose committed rows are all computed. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/random.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/report.h"
#include "regret/status.h"
#include "report/csv_records.h"
#include "synth/newswire.h"

/* Rows differ by 3e-14 between OpenBLAS kernels (Prescott to SkylakeX); a near tie may flip. */
static const double TOLERANCE = 1e-9;

static char folder[] = "/tmp/regret-golden-XXXXXX";

static void set_up(void)
{
    cr_assert_eq(synth_register(), 0);
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(golden, .init = set_up, .fini = remove_folder, .timeout = 3600);

static char *read_golden(const char *name, const char *file)
{
    char path[512], *text = NULL;
    snprintf(path, sizeof path, "%s/reports/%s/%s", REGRET_SOURCE_FOLDER, name, file);
    cr_assert_eq(regret_file_read(&text, NULL, path, (size_t)1 << 26), 0, "%s",
                 regret_error_message());
    return text;
}

static void same_field(const char *now, const char *golden, const char *where, size_t record)
{
    char *end_now = NULL, *end_golden = NULL;
    double a = strtod(now, &end_now), b = strtod(golden, &end_golden);
    if (end_golden == golden || *end_golden != '\0' || end_now == now || *end_now != '\0') {
        cr_assert_str_eq(now, golden, "%s, record %zu: \"%s\", was \"%s\"", where, record, now,
                         golden);
    } else {
        cr_assert(fabs(a - b) <= TOLERANCE * fmax(1.0, fabs(b)), "%s, record %zu: %s, was %s",
                  where, record, now, golden);
    }
}

static void same_records(const char *now, const char *golden, const char *where)
{
    struct csv_records a = csv_parse(now), b = csv_parse(golden);
    cr_assert_eq(a.n, b.n, "%s: %zu records, were %zu", where, a.n, b.n);
    cr_assert_gt(b.n, 1, "%s is empty", where);
    for (size_t i = 0; i < b.n; i++) {
        cr_assert_eq(a.widths[i], b.widths[i], "%s, record %zu", where, i);
        for (size_t j = 0; j < b.widths[i]; j++) {
            same_field(a.fields[i][j], b.fields[i][j], where, i);
        }
    }
    csv_free(&a);
    csv_free(&b);
}

/* A part of the replicates, of `shards` equal ones, from 1. */
struct part {
    size_t shard, shards;
};
static const struct part ALL = {1, 1};

static struct regret_results *run(const char *name, const char *const *sets, size_t n_sets,
                                  struct part part)
{
    char config[512], out[512];
    struct regret_run_options options = REGRET_RUN_OPTIONS_INIT;
    struct regret_run_summary summary;
    struct regret_results *results = NULL;
    snprintf(config, sizeof config, "%s/configs/%s.json", REGRET_SOURCE_FOLDER, name);
    snprintf(out, sizeof out, "%s/%s", folder, name);
    options.config = config;
    options.sets = sets;
    options.n_sets = n_sets;
    options.out = out;
    options.force = 1;
    options.threads = regret_processor_count();
    options.shard = part.shard;
    options.shards = part.shards;
    cr_assert_eq(regret_run(&summary, &options), 0, "%s", regret_error_message());
    cr_assert_eq(regret_results_read(&results, out), 0, "%s", regret_error_message());
    return results;
}

/* Whether a line of rows ("CELL,SEED,…") is of a replicate of `results`. */
static int is_among(const char *line, const struct regret_results *results)
{
    char *end = NULL;
    size_t cell = strtoul(line, &end, 10);
    long long seed = strtoll(end + 1, NULL, 10);
    for (size_t i = 0; i < results->n_rows; i++) {
        if (results->row_cell[i] == cell && results->seeds[results->row_seed[i]] == seed) {
            return 1;
        }
    }
    return 0;
}

/* Drops the lines of replicates that `results` has not, or of later seeds than the first two, in place. */
static void keep_common(char *csv, const struct regret_results *results)
{
    static const char header[] = "cell,seed,";
    cr_assert_eq(strncmp(csv, header, sizeof header - 1), 0, "rows begin with %.40s", csv);
    char *end = strchr(csv, '\n') + 1, *next;
    for (char *line = end; *line != '\0'; line = next) {
        next = strchr(line, '\n') + 1;
        if (strtod(strchr(line, ',') + 1, NULL) < 2.0 && is_among(line, results)) {
            memmove(end, line, (size_t)(next - line));
            end += next - line;
        }
    }
    *end = '\0';
}

static void check_rows(const char *name, const struct regret_results *results)
{
    struct regret_buffer csv = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_results_csv(&csv, results), 0);
    char *now = strdup(regret_buffer_get(&csv)), *golden = read_golden(name, "rows.csv");
    keep_common(now, results);
    keep_common(golden, results);
    same_records(now, golden, name);
    free(now);
    regret_free(golden);
    regret_buffer_free(&csv);
}

/* The numbers of a table of data/paper, sorted. */
static size_t paper_values(double *out, size_t most, const char *table)
{
    char path[64];
    snprintf(path, sizeof path, "../data/paper/table%s.csv", table + 1);
    char *text = read_golden(".", path);
    struct csv_records t = csv_parse(text);
    size_t n = 0;
    for (size_t i = 1; i < t.n; i++) {
        cr_assert_lt(n, most);
        out[n++] = strtod(t.fields[i][t.widths[i] - 1], NULL);
    }
    csv_free(&t);
    regret_free(text);
    regret_sort_numbers(out, n);
    return n;
}

/* Those that the committed page has of it: its blocks are "T4: …" and "T4: 1 of 19 not compared". */
static size_t page_values(double *out, size_t most, const struct csv_records *t, const char *table)
{
    size_t n = 0, length = strlen(table);
    for (size_t i = 1; i < t->n; i++) {
        const char *block = t->fields[i][0];
        if (strncmp(block, table, length) == 0 && block[length] == ':' &&
            strcmp(t->fields[i][2], "Published") == 0) {
            cr_assert_lt(n, most);
            out[n++] = strtod(t->fields[i][3], NULL);
        }
    }
    regret_sort_numbers(out, n);
    return n;
}

/* What is committed of a run beside the paper has every number of the table. */
static void check_paper(const char *name, const char *table)
{
    enum { MOST = 100 };
    double paper[MOST], page[MOST];
    char *text = read_golden(name, "tables/against.csv");
    struct csv_records t = csv_parse(text);
    size_t n = paper_values(paper, MOST, table), n_page = page_values(page, MOST, &t, table);
    cr_assert_eq(n, n_page, "%s has %zu numbers of %s, not %zu", name, n_page, table, n);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(paper[i], page[i], "%s, %s: %g, not %g", name, table, page[i], paper[i]);
    }
    csv_free(&t);
    regret_free(text);
}

Test(golden, the_paper)
{
    static const char *const pairs[][2] = {
        {"main", "T4"},    {"main", "T5"},     {"main", "T6"},     {"values", "T7"},
        {"values", "T11"}, {"grounded", "T9"}, {"map24", "T13"},   {"world", "T10"},
        {"world", "T12"},  {"patches", "T14"}, {"swebench", "T14"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        check_paper(pairs[i][0], pairs[i][1]);
    }
}

/* The page is what its program makes of the committed parts. */
Test(golden, the_page_of_the_paper)
{
    char command[1024];
    snprintf(command, sizeof command, "sh '%s/reports/paper.sh' - >'%s/paper.md'",
             REGRET_SOURCE_FOLDER, folder);
    cr_assert_eq(system(command), 0);
    snprintf(command, sizeof command, "cmp '%s/paper.md' '%s/reports/paper.md'", folder,
             REGRET_SOURCE_FOLDER);
    cr_assert_eq(system(command), 0, "reports/paper.md is not what reports/paper.sh makes");
}

/* What benchmarks/paper.py says of the run is the committed page. It needs a Python with NumPy, which tests/run.sh installs. */
static void check_against(const char *name)
{
    char command[2048];
    snprintf(command, sizeof command,
             "%s '%s/benchmarks/paper.py' against '%s/%s' | cmp - '%s/reports/%s/against.md'",
             REGRET_PYTHON, REGRET_SOURCE_FOLDER, folder, name, REGRET_SOURCE_FOLDER, name);
    cr_assert_eq(system(command), 0, "reports/%s/against.md is not what benchmarks/paper.py says",
                 name);
}

static void check_tables(const char *name, const struct regret_results *results)
{
    const char *const *tables = NULL;
    size_t n = regret_report_tables(&tables);
    for (size_t i = 0; i < n; i++) {
        struct regret_buffer csv = REGRET_BUFFER_INIT;
        char file[128];
        snprintf(file, sizeof file, "tables/%s.csv", tables[i]);
        cr_assert_eq(regret_report_table(&csv, results, tables[i], REGRET_FORMAT_CSV), 0);
        char *golden = read_golden(name, file);
        same_records(regret_buffer_get(&csv), golden, file);
        regret_free(golden);
        regret_buffer_free(&csv);
    }
    if (strcmp(name, "summeval") != 0 && strcmp(name, "alpacaeval") != 0 &&
        strcmp(name, "values-row") != 0 && strcmp(name, "phase") != 0 &&
        strncmp(name, "world-", 6) != 0) {
        check_against(name);
    }
}

/* Whether a variable of the environment, words with commas between them, has the word. */
static int getenv_lists(const char *variable, const char *word)
{
    const char *at = getenv(variable);
    for (size_t n = strlen(word); at != NULL && *at != '\0'; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == n && strncmp(at, word, n) == 0) {
            return 1;
        }
    }
    return 0;
}

/* A number below n that the commit and the words settle. */
static size_t turn(const char *word, size_t n)
{
    char key[128];
    const char *seed = getenv("REGRET_SAMPLE");
    snprintf(key, sizeof key, "%s %s", seed != NULL ? seed : "", word);
    return (size_t)(regret_hash64(key, strlen(key)) % n);
}

/* Those that take a processor less than 200 seconds, all seeds: one of them in turn. */
static const char *const quick[] = {"map24", "values-row", "world-dr", "patches"};

/* Whether all seeds are computed and every table compared. */
static int is_whole(const char *name)
{
    return getenv_lists("REGRET_FULL_GOLDEN", "1") ||
           (!getenv_lists("REGRET_FULL_GOLDEN", "0") &&
            (getenv_lists("REGRET_FULL_GOLDEN", name) ||
             strcmp(quick[turn("whole", sizeof quick / sizeof *quick)], name) == 0));
}

/* A part of the rows of the first seeds. */
static void check_sample(const char *name, const char *const *sets, size_t n)
{
    enum { PARTS = 6 };
    const struct part part = {1 + turn(name, PARTS), PARTS};
    struct regret_results *results = run(name, sets, n, part);
    check_rows(name, results);
    regret_results_free(results);
}

/* `pool` overrides the configuration's; `seeds` is of the tables. Either may be NULL. */
static void check_seeds(const char *name, const char *pool, const char *seeds)
{
    char set[600];
    const char *sets[2];
    size_t n = 0;
    snprintf(set, sizeof set, "pool=%s", pool != NULL ? pool : "");
    if (pool != NULL) {
        sets[n++] = set;
    }
    int whole = is_whole(name), rows = getenv_lists("REGRET_GOLDEN_ROWS", name);
    sets[n] = whole ? seeds : "seeds=2";
    n += sets[n] != NULL;
    if (!whole && !rows) {
        check_sample(name, sets, n);
        return;
    }
    struct regret_results *results = run(name, sets, n, ALL);
    check_rows(name, results);
    if (whole) {
        check_tables(name, results);
    }
    regret_results_free(results);
}

static void check(const char *name, const char *pool)
{
    check_seeds(name, pool, NULL);
}

Test(golden, main)
{
    check("main", NULL);
}

Test(golden, main_hard)
{
    check("main-hard", NULL);
}

Test(golden, map24)
{
    check("map24", NULL);
}

Test(golden, values)
{
    check("values", NULL);
}

Test(golden, values_row)
{
    check("values-row", NULL);
}

Test(golden, phase)
{
    check("phase", NULL);
}

Test(golden, grounded)
{
    check("grounded", NULL);
}

Test(golden, world)
{
    check("world", NULL);
}

Test(golden, world_dr)
{
    check("world-dr", NULL);
}

Test(golden, world_grounded)
{
    check("world-grounded", NULL);
}

Test(golden, patches)
{
    check("patches", NULL);
}

/* The path of a file of the shared data; the test is skipped where it is missing. */
static const char *shared_file(char path[512], const char *file)
{
    const char *shared = getenv("REGRET_SHARED_DATA");
    snprintf(path, 512, "%s/%s", shared != NULL ? shared : REGRET_SOURCE_FOLDER "/../shared/data",
             file);
    if (access(path, R_OK) != 0) {
        cr_skip_test("no %s: set REGRET_SHARED_DATA to the folder that holds it", path);
    }
    return path;
}

/* A run on a pool that the program imports of such data; `more` has its options, by their names and files. */
static void check_real(const char *name, const char *file, const char *option, const char *more,
                       const char *seeds)
{
    char path[512], other[512] = "", pool[512], command[2048];
    shared_file(path, file);
    if (more != NULL) {
        shared_file(other, more);
    }
    snprintf(pool, sizeof pool, "%s/pool", folder);
    snprintf(command, sizeof command, "'%s' import %s '%s' %s%s -o '%s'", REGRET_PROGRAM, name,
             path, option, other, pool);
    cr_assert_eq(system(command), 0);
    check_seeds(name, pool, seeds);
}

Test(golden, summeval)
{
    check_real("summeval", "summeval/summeval.json", "", NULL, NULL);
}

Test(golden, alpacaeval)
{
    check_real("alpacaeval", "alpacaeval/results", "", NULL, "seeds=5"); /* as reports/golden.sh */
}

Test(golden, swebench)
{
    check_real("swebench", "swebench/all_patches.csv", "--issues ",
               "swebench/swebench_issues.jsonl", NULL);
}
