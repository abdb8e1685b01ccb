/* Results: every table renders in every format for whatever results are accepted; CSV parses again
 * with as many fields in every record; HTML has no element that the data brought.
 *
 * run.json comes first, then the rows. One table an input in one format, since the tables take a
 * thousand times as long as reading: which ones rotates by a hash of the input. Seeds are rendered in all
 * formats. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "regret/buffer.h"
#include "regret/report.h"
#include "support.h"
#include "value/costs.h"

static struct regret_buffer out; /* kept between inputs */

static long read_text(void *context, char *to, size_t most)
{
    size_t *at = context, left = out.length - *at, n = left < most ? left : most;
    memcpy(to, regret_buffer_get(&out) + *at, n);
    *at += n;
    return (long)n;
}

/* The records of the CSV in `out`, all of as many fields as the first. */
static size_t csv_records(void)
{
    struct regret_csv_options options = REGRET_CSV_OPTIONS_INIT;
    struct regret_csv *csv = NULL;
    size_t at = 0, records = 0, fields = 0, n = 0;
    options.chunk = out.length + 1;
    REQUIRE(regret_csv_open_source(&csv, read_text, &at, "table", &options) == 0);
    for (;;) {
        REQUIRE(regret_csv_next(csv, &n) == 0);
        if (n == 0) {
            break;
        }
        fields = records == 0 ? n : fields;
        REQUIRE(n == fields);
        records++;
    }
    regret_csv_close(csv);
    return records;
}

/* Every "<" opens or closes an element that tables are made of. */
static void check_html(const char *html)
{
    static const char *const KNOWN[] = {"table",  "thead", "tbody",   "tr",      "td",  "p",
                                        "strong", "th",    "section", "h1",      "h2",  "h3",
                                        "code",   "ul",    "li",      "caption", "div", "data"};
    for (const char *p = strchr(html, '<'); p != NULL; p = strchr(p + 1, '<')) {
        const char *name = p + 1 + (p[1] == '/');
        size_t length = strcspn(name, " >"), i = 0;
        size_t n = sizeof KNOWN / sizeof *KNOWN;
        while (i < n && (strlen(KNOWN[i]) != length || memcmp(KNOWN[i], name, length) != 0)) {
            i++;
        }
        REQUIRE(i < n);
    }
    REQUIRE(strstr(html, "<script") == NULL);
}

/* Lists are of the length that their replicate and grid want, and number what is there. */
static void check_lists(const struct regret_results *r, size_t subject, size_t cell, size_t seed)
{
    size_t contexts = 0;
    for (size_t i = 0; i < REGRET_N_LISTS; i++) {
        enum regret_list list = (enum regret_list)i;
        struct regret_list_view v = regret_results_list(r, list, subject, cell, seed);
        REQUIRE(v.n == 0 || r->n_grids > 0);
        if (v.n == 0) {
            continue;
        }
        const struct regret_run_grid *grid = &r->grids[r->cell_grid[cell]];
        if (list >= REGRET_LIST_PRICE_VALUE) {
            REQUIRE(v.n == (list == REGRET_LIST_BUDGET ? REGRET_N_BUDGET
                            : list == REGRET_LIST_LEAK ? REGRET_N_LEAK
                                                       : REGRET_N_PRICES));
        } else if (list >= REGRET_LIST_VALUE) {
            REQUIRE(v.n == grid->n_agents);
        } else {
            REQUIRE(v.n <= grid->n_contexts && (contexts == 0 || v.n == contexts));
            contexts = v.n;
        }
        for (size_t k = 0; k < v.n; k++) {
            REQUIRE(!isinf(v.number[k]));
            REQUIRE(list != REGRET_LIST_CHOICE || v.number[k] < (double)grid->n_agents);
            REQUIRE(list != REGRET_LIST_CONTEXT || v.number[k] < (double)grid->n_contexts);
        }
    }
}

static void check_results(const struct regret_results *r)
{
    REQUIRE(r->n_families >= 1 && r->n_families <= r->n_subjects && r->n_cells >= 1);
    REQUIRE(r->n_keys >= REGRET_N_MAIN_KEYS);
    for (size_t i = 0; i < r->n_rows; i++) {
        REQUIRE(r->row_cell[i] < r->n_cells && r->row_seed[i] < r->n_seeds);
        REQUIRE(r->row_subject[i] < r->n_subjects);
        size_t cube =
            r->row_subject[i] + r->n_subjects * (r->row_cell[i] + r->n_cells * r->row_seed[i]);
        REQUIRE(r->at[cube] == i);
        check_lists(r, r->row_subject[i], r->row_cell[i], r->row_seed[i]);
        for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
            REQUIRE(!isinf(r->measure[m][i]));
        }
    }
    for (size_t k = 0; k < r->n_keys; k++) {
        for (size_t c = 0; c < r->n_cells; c++) {
            REQUIRE(r->cell_value[c + r->n_cells * k] < r->keys[k].n_values);
        }
    }
}

static void check_table(const struct regret_results *r, const char *name, enum regret_format format)
{
    regret_buffer_clear(&out);
    REQUIRE(regret_report_table(&out, r, name, format) == 0);
    REQUIRE(regret_buffer_status(&out) == 0 && out.length > 0);
    REQUIRE(strlen(regret_buffer_get(&out)) == out.length);
    REQUIRE(regret_utf8_valid(regret_buffer_get(&out), out.length, NULL));
    if (format == REGRET_FORMAT_CSV) {
        REQUIRE(csv_records() >= 1);
    } else if (format == REGRET_FORMAT_HTML) {
        check_html(regret_buffer_get(&out));
    } else if (format == REGRET_FORMAT_JSON) {
        cJSON *table = NULL;
        const struct regret_place at = {"table", 0};
        REQUIRE(regret_json_parse(&table, regret_buffer_get(&out), out.length, at) == 0);
        cJSON_Delete(table);
    }
}

static void check_reports(const struct regret_results *results, uint64_t hash)
{
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    const char *name = names[hash % n];
    int chosen = (int)(hash / n % REGRET_N_FORMATS);
    for (int format = 0; format < REGRET_N_FORMATS; format++) {
        if (fuzz_whole || format == chosen) {
            check_table(results, name, (enum regret_format)format);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_results *results = NULL;
    const char *folder = fuzz_folder("r");
    fuzz_split(parts, data, size);
    fuzz_put_part("r/run.json", parts[0]);
    fuzz_put_part("r/results-1-of-1.jsonl", parts[1]);
    fuzz_accepted = fuzz_taken(regret_results_read(&results, folder));
    if (fuzz_accepted) {
        check_results(results);
        if (fuzz_turn(data, size, 16)) {
            regret_buffer_clear(&out);
            REQUIRE(regret_results_csv(&out, results) == 0);
            REQUIRE(csv_records() == results->n_rows + 1);
        }
        check_reports(results, fuzz_hash(data, size));
    }
    regret_results_free(results);
    fuzz_parts_free(parts);
    return 0;
}
