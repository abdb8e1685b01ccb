#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "import/importer.h"
#include "import/swebench.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/task.h"

TestSuite(swebench, .fini = sample_cleanup);

#define DIFF(name) "--- a/" name ".py\n+++ b/" name ".py\n@@ -1 +1 @@\n-old\n+\"\"quoted\"\"\n"
#define HEADER "instance_id,agent,patch,resolved,tests_status,benchmark\r\n"

static const char ISSUES[] =
    "{\"instance_id\": \"p__p-2\", \"repo\": \"p/p\", \"problem_statement\": \"quoted old name\"}\n"
    "{\"instance_id\": \"p__p-1\", \"problem_statement\": \"another\\r\\nissue\", \"x\": null}\n"
    "{\"instance_id\": \"p__p-2\", \"problem_statement\": \"quoted old name\"}\n"
    "{\"instance_id\": \"unused\", \"problem_statement\": \"\"}\n";

static const char SMALL[] = HEADER "p__p-1,run_10,\"" DIFF(
    "one") "\",True,,lite\r\n"
           "p__p-1,run_2,,False,\"{'FAIL_TO_PASS': {'success': [], 'failure': ['t']}, "
           "'PASS_TO_PASS': {'success': ['a', \"\"b's\"\"], 'failure': []}}\",lite\r\n"
           "p__p-2,run_10,\"" DIFF(
               "name") "\",True,\"{\"\"FAIL_TO_PASS\"\": {\"\"success\"\": [], "
                       "\"\"failure\"\": [\"\"t\"\"]}, \"\"PASS_TO_PASS\"\": {}}\",lite\r\n"
                       "p__p-2,run_2,# No patch generated,False,,verified\r\n"
                       "p__p-9,run_2,x,True,,lite\r\n";

static int import(struct regret_swebench_report *report, const char *csv,
                  const struct regret_swebench_options *options)
{
    sample_write("issues.jsonl", ISSUES);
    sample_write("in.csv", csv);
    return regret_import_swebench(report, sample_path("in.csv"), sample_path("issues.jsonl"),
                                  sample_path("p"), options, 1);
}

static struct regret_pool *imported(struct regret_swebench_report *report, const char *csv,
                                    const struct regret_swebench_options *options)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(report, csv, options), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

static void adds_up(const struct regret_swebench_report *r)
{
    cr_assert_eq(r->rows, r->bad + r->other_benchmark + r->other_agent + r->no_issue +
                              r->duplicates + r->thin + r->outputs);
}

/* A folder and a pipe in the place of the table. */
Test(swebench, the_table_must_be_a_regular_file)
{
    sample_write("issues.jsonl", ISSUES);
    cr_assert_eq(regret_import_swebench(NULL, sample_folder(), sample_path("issues.jsonl"),
                                        sample_path("p"), NULL, 1),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "is not a regular file, but a folder"));
    cr_assert_eq(mkfifo(sample_path("pipe"), 0600), 0);
    cr_assert_eq(regret_import_swebench(NULL, sample_path("pipe"), sample_path("issues.jsonl"),
                                        sample_path("p"), NULL, 1),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "is not a regular file, but a folder"));
}

Test(swebench, words_for_no_verdict)
{
    static const char *const WORDS[] = {"nan",  "NaN", "None", "null", "NULL",
                                        "<NA>", "na",  "",     "  "};
    char csv[1000];
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        struct regret_swebench_report r;
        snprintf(csv, sizeof csv,
                 "%sp__p-1,a,x,%s,\"{'FAIL_TO_PASS': {'success': ['t'], 'failure': []}, "
                 "'PASS_TO_PASS': {}}\",\n",
                 HEADER, WORDS[i]);
        struct regret_pool *pool = imported(&r, csv, NULL);
        cr_assert_eq(pool->outputs[0].values[0], 1.0, "%s", WORDS[i]);
        regret_pool_free(pool);
        snprintf(csv, sizeof csv, "%sp__p-1,a,x,%s,,\n", HEADER, WORDS[i]);
        cr_assert_eq(import(&r, csv, NULL), REGRET_E_INPUT);
    }
}

Test(swebench, long_patches_are_cut_at_a_line_but_judged_whole)
{
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report whole, cut;
    struct regret_pool *a = imported(&whole, SMALL, NULL);
    o.max_patch = 20;
    struct regret_pool *b = imported(&cut, SMALL, &o);
    cr_assert(whole.shortened == 0 && cut.shortened == 2);
    cr_assert_str_eq(b->outputs[1].text, "--- a/name.py\n");
    for (size_t i = 0; i < a->n_outputs; i++) {
        size_t values = a->n_components + a->n_aux;
        cr_assert_eq(memcmp(a->outputs[i].values, b->outputs[i].values, values * sizeof(double)),
                     0);
    }
    regret_pool_free(a);
    regret_pool_free(b);
}

Test(swebench, verdicts_of_json_and_of_python)
{
    static const struct {
        const char *text;
        int rc, verdict;
    } cases[] = {
        {"", 0, -1},
        {"  ", 0, -1},
        {"nan", 0, -1},
        {"None", 0, -1},
        {"-1.5e-3", 0, -1},
        {"{}", 0, -1},
        {"[1, 'a', (2,), {3}, b'x', u\"y\\\"\", {'k': None, 4: [],},]", 0, -1},
        {"{'FAIL_TO_PASS': {'success': ['a'], 'failure': []}, "
         "'PASS_TO_PASS': {'success': [], 'failure': []}, 'FAIL_TO_FAIL': {'failure': ['z']}}",
         0, 1},
        {"{\"x\": {\"PASS_TO_PASS\": {\"failure\": [\"q\"]}, \"FAIL_TO_PASS\": {\"success\": "
         "[\"a\"]}}}",
         0, 0},
        {"{'FAIL_TO_PASS': {'success': ['a'], 'failure': []}}", 0, -1},
        {"{'FAIL_TO_PASS': {}, 'PASS_TO_PASS': {}}", 0, -1},
        {"[1, 2", REGRET_E_INPUT, 0},
        {"[1 2]", REGRET_E_INPUT, 0},
        {"'open", REGRET_E_INPUT, 0},
        {"{'a': }", REGRET_E_INPUT, 0},
        {"[] []", REGRET_E_INPUT, 0},
        {"+", REGRET_E_INPUT, 0},
        {"__import__('os')", REGRET_E_INPUT, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int verdict = 7;
        size_t n = strlen(cases[i].text);
        char *exact = malloc(n + 1); /* no zero behind it */
        memcpy(exact, cases[i].text, n);
        exact[n] = '\'';
        cr_assert_eq(swebench_verdict(&verdict, exact, n), cases[i].rc, "%s", cases[i].text);
        cr_assert(cases[i].rc != 0 || verdict == cases[i].verdict, "%s", cases[i].text);
        free(exact);
    }
    char deep[200];
    int verdict = 0;
    memset(deep, '[', sizeof deep);
    cr_assert_eq(swebench_verdict(&verdict, deep, sizeof deep), REGRET_E_INPUT);
}

Test(swebench, fuzz_verdicts_of_any_bytes, .timeout = 120)
{
    static const char *const PARTS[] = {"'FAIL_TO_PASS'",
                                        "\"PASS_TO_PASS\"",
                                        "'success'",
                                        "'failure'",
                                        ": ",
                                        ", ",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "'",
                                        "\\",
                                        "b'",
                                        "True",
                                        "1.5e-3",
                                        "-",
                                        "\n",
                                        "x"};
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 0);
    size_t accepted = 0;
    for (int round = 0; round < 30000; round++) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        int verdict = 0;
        for (uint32_t k = regret_rng_below(&r, round % 2 ? 4 : 16); k > 0; k--) {
            regret_buffer_append(&text, PARTS[regret_rng_below(&r, sizeof PARTS / sizeof *PARTS)]);
        }
        char *exact = malloc(text.length + 1);
        memcpy(exact, regret_buffer_get(&text), text.length);
        exact = realloc(exact, text.length > 0 ? text.length : 1);
        int rc = swebench_verdict(&verdict, exact, text.length);
        cr_assert(rc == REGRET_E_INPUT || (rc == REGRET_OK && verdict >= -1 && verdict <= 1));
        accepted += rc == REGRET_OK;
        free(exact);
        regret_buffer_free(&text);
    }
    cr_assert(accepted > 500 && accepted < 29500, "%zu", accepted);
}

static const char *shared_file(const char *name)
{
    static char path[2][1024];
    static int next;
    const char *folder = getenv("REGRET_SHARED_DATA");
    char *here = path[next++ % 2];
    snprintf(here, sizeof path[0], "%s/swebench/%s",
             folder != NULL ? folder : REGRET_SOURCE_FOLDER "/../shared/data", name);
    return here;
}

Test(swebench, the_real_sample_gives_its_grid, .timeout = 120)
{
    const char *csv = shared_file("all_patches.csv"),
               *issues = shared_file("swebench_issues.jsonl");
    struct regret_swebench_report r;
    struct regret_pool *pool = NULL;
    struct regret_grid *grid = NULL;
    if (!regret_file_exists(csv) || !regret_file_exists(issues)) {
        cr_skip_test("%s is missing", csv);
    }
    cr_assert_eq(regret_import_swebench(&r, csv, issues, sample_path("real"), NULL, 0), 0, "%s",
                 regret_error_message());
    adds_up(&r);
    cr_assert(r.rows == 2120 && r.outputs == 2120 && r.contexts == 679 && r.agents == 9);
    cr_assert(r.empty == 43 && r.without_diff == 34 && r.contradictions == 0 && r.bad == 0);
    cr_assert_eq(regret_pool_read(&pool, sample_path("real")), 0);
    cr_assert_eq(regret_grid_cut(&grid, pool, NULL), 0);
    cr_assert(grid->n_contexts == 287 && grid->n_agents == 5 && grid->n_draws == 1);
    size_t resolved = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        resolved += pool->outputs[i].values[0] == 1.0;
    }
    cr_assert_eq(resolved, 951);
    regret_grid_free(grid);
    regret_pool_free(pool);
}
