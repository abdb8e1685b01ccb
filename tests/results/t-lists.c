/* The lists of rows as untrusted files may hold them: every fault is named by file, line and field, by the
 * report's reader and by what resumes and merges alike. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "results/row/row_file.h"
#include "results/run/row_scan.h"

TestSuite(lists, .init = fixture_open, .fini = fixture_close);

static const char rows[] = "r/results-1-of-1.jsonl";

/* Replaces `from`, the first after `after` (the first of all where that is NULL), in a file. */
static void edit(const char *name, const char *after, const char *from, const char *to)
{
    char *text = fixture_read(NULL, name);
    struct regret_buffer made = REGRET_BUFFER_INIT;
    char *start = after != NULL ? strstr(text, after) : text;
    cr_assert_not_null(start, "%s is not in %s", after, name);
    char *at = strstr(start, from);
    cr_assert_not_null(at, "%s is not in %s", from, name);
    regret_buffer_append_n(&made, text, (size_t)(at - text));
    regret_buffer_append(&made, to);
    regret_buffer_append(&made, at + strlen(from));
    sample_write(name, regret_buffer_get(&made));
    regret_buffer_free(&made);
    regret_free(text);
}

/* Replaces the list after `field` in the first row after `after` by another. */
static void put_list(const char *after, const char *field, const char *list)
{
    char *text = fixture_read(NULL, rows), old[2000], made[2100];
    char *at = strstr(strstr(text, after), field);
    cr_assert_not_null(at, "no %s after %s", field, after);
    size_t n = strcspn(at, "]") + 1;
    snprintf(old, sizeof old, "%.*s", (int)n, at);
    snprintf(made, sizeof made, "%s%s", field, list);
    edit(rows, after, old, made);
    regret_free(text);
}

static void refused(const char *said)
{
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, sample_path("r")), REGRET_E_INPUT, "%s", said);
    cr_expect_not_null(strstr(regret_error_message(), said), "no \"%s\" in %s", said,
                       regret_error_message());
}

/* What resuming and merging see; the replicates before the damage are kept. */
static void scan_refuses(const char *said, size_t kept)
{
    struct run_file run = {0};
    struct row_scan scan;
    size_t length = 0;
    char *text = fixture_read(&length, rows);
    cr_assert_eq(run_file_read(&run, sample_path("r")), 0, "%s", regret_error_message());
    cr_assert_eq(run_file_read_order(&run, (struct regret_place){"run.json", 0}), 0);
    cr_assert_eq(row_scan_read(&scan, &run, 0, 6, rows, text, length), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), said), "no \"%s\" in %s", said,
                       regret_error_message());
    cr_expect_eq(scan.replicates, kept);
    run_file_free(&run);
    regret_free(text);
}

/* Of the second replicate: 12 rows a replicate, two contexts held out of eight, four agents. */
static const struct {
    const char *row, *field, *list, *said;
} hostile[] = {
    {"exp-only", "\"choice\":", "[0]",
     "jsonl:13: \"loss\" has 2 numbers, but there are 1 contexts"},
    {"exp-only", "\"choice\":", "[0,1,2]", "jsonl:13: \"loss\" has 2 numbers, but there are 3 con"},
    {"exp-only", "\"choice\":", "[0,0,0,0,0,0,0,0,0]",
     "jsonl:13: \"choice\" has 9 numbers, but the grid has 8 contexts"},
    {"exp-only", "\"choice\":", "[]", "jsonl:13: \"choice\" has 0 numbers; write null where there"},
    {"exp-only", "\"choice\":", "[0,4]",
     "jsonl:13: \"choice\" holds 4; it wants whole numbers from 0 to 3"},
    {"exp-only", "\"choice\":", "[-1,0]", "jsonl:13: \"choice\" holds -1; "},
    {"exp-only", "\"choice\":", "[0.5,0]",
     "jsonl:13: \"choice\" holds 0.5; it wants whole numbers"},
    {"exp-only", "\"choice\":", "[null,0]", "jsonl:13: \"choice\" must hold numbers"},
    {"exp-only", "\"choice\":", "[\"a\",0]", "jsonl:13: \"choice\" must hold numbers"},
    {"exp-only", "\"choice\":", "[[0],0]", "jsonl:13: \"choice\" must hold numbers"},
    {"exp-only", "\"choice\":", "7,\"x\":[0]", "unknown key \"x\""},
    {"exp-only", "\"loss\":", "[-1,0]", "jsonl:13: \"loss\" holds -1; it wants numbers from 0"},
    {"exp-only", "\"loss\":", "[0.9,0.9]", "jsonl:13: \"loss\" averages 0.9"},
    {"exp-only", "\"loss\":", "[1e300,0]", "jsonl:13: \"loss\" holds 1.00000000"},
    {"exp-only", "\"dm\":", "[0.5,0.5,0.5]",
     "jsonl:13: \"dm\" has 3 numbers, but there are 4 agents"},
    {"exp-only", "\"dr\":", "[0.5,0.5,0.5,true]", "jsonl:13: \"dr\" must hold numbers or null"},
    {"exp-only", "\"dr_half\":", "[0,0,-0.5,0]", "jsonl:13: \"dr_half\" holds -0.5; "},
    {"cvci", "\"choice\":", "[0,0],\"best\":[0,0]",
     "jsonl:17: \"best\" does not belong in a row of cv"},
    {"oracle", "\"context\":", "[3,3]", "jsonl:19: \"context\" must ascend, but 3 follows 3"},
    {"oracle", "\"context\":", "[3,8]",
     "jsonl:19: \"context\" holds 8; it wants whole numbers from 0 to 7"},
    {"oracle", "\"value\":", "[0,0,0,0,0]",
     "jsonl:19: \"value\" has 5 numbers, but there are 4 agents"},
    {"oracle", "\"value\":", "[0,0,true,0]", "jsonl:19: \"value\" must hold numbers or null"},
    {"exp-only", "\"choice\":", "[0,0],\"leak\":[0.5]",
     "jsonl:13: \"leak\" has 1 numbers, but there are 3 in its format"},
    {"exp-only", "\"choice\":", "[0,0],\"price_cost\":[0.5]",
     "jsonl:13: \"price_cost\" has 1 numbers, but there are 28 in its format"},
    {"exp-only", "\"choice\":", "[0,0],\"budget\":[0,0,true]",
     "jsonl:13: \"budget\" must hold num"},
    {"best-exp", "\"choice\":", "[0,1],\"leak\":[0,0,0]",
     "jsonl:21: \"leak\" does not belong in a row of"},
    {"best-exp", "\"choice\":", "[0,1],\"context\":[0,1]",
     "jsonl:21: \"context\" does not belong in a row of"},
};

Test(lists, faults_are_named_where_they_stand)
{
    fixture_make("r");
    char *whole = fixture_read(NULL, rows), row[300];
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        snprintf(row, sizeof row,
                 "\"cell\":1,\"seed\":0,\"key\":{\"reward.map\":\"smooth\",\"beta\":1,\"n_obs\":60,"
                 "\"n_exp\":40},\"kind\":\"%s\",\"family\":\"%s\"",
                 strcmp(hostile[i].row, "oracle") == 0 || strcmp(hostile[i].row, "best-exp") == 0
                     ? "baseline"
                     : "family",
                 hostile[i].row);
        put_list(row, hostile[i].field, hostile[i].list);
        refused(hostile[i].said);
        scan_refuses(hostile[i].said, 1);
        sample_write(rows, whole);
    }
    regret_free(whole);
}

/* Every row of a replicate is about the same contexts; all of one row agree, but not with the first's. */
Test(lists, rows_of_a_replicate_are_of_one_length)
{
    fixture_make("r");
    struct regret_run_options o = fixture_options("s");
    const char *const set[] = {"contexts.train_share=0.6"};
    o.sets = set;
    o.n_sets = 1;
    fixture_run(&o);
    char *a = fixture_read(NULL, rows), *b = fixture_read(NULL, "s/results-1-of-1.jsonl");
    size_t from = fixture_line_end(rows, 14), to = fixture_line_end(rows, 15);
    size_t other = fixture_line_end("s/results-1-of-1.jsonl", 14);
    size_t n = fixture_line_end("s/results-1-of-1.jsonl", 15) - other;
    struct regret_buffer made = REGRET_BUFFER_INIT;
    regret_buffer_append_n(&made, a, from);
    regret_buffer_append_n(&made, b + other, n);
    regret_buffer_append(&made, a + to);
    sample_write(rows, regret_buffer_get(&made));
    refused("jsonl:15: the lists are about 4 contexts, those of earlier rows of the replicate "
            "about 2");
    scan_refuses("jsonl:15: the lists are about 4 contexts", 1);
    regret_buffer_free(&made);
    regret_free(a);
    regret_free(b);
}

/* Rows of older programs have no lists, and their run.json no grids: they are read. */
Test(lists, older_runs_have_none)
{
    struct regret_results *r = NULL;
    struct regret_buffer made = REGRET_BUFFER_INIT;
    fixture_make("r");
    char *text = fixture_read(NULL, rows);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *lists = strstr(line, ",\"choice\":"), *oracle = strstr(line, ",\"context\":");
        char *end = oracle != NULL ? oracle : lists;
        regret_buffer_printf(&made, "%.*s%s\n",
                             (int)(end != NULL ? end - line : (long)strlen(line)), line,
                             end != NULL ? "}" : "");
    }
    sample_write(rows, regret_buffer_get(&made));
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    cr_assert_eq(regret_results_list(r, REGRET_LIST_CHOICE, 0, 0, 0).n, 0);
    regret_results_free(r);
    edit("r/run.json", NULL, "\"grids\":", "\"older\":");
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    cr_assert_eq(r->n_grids, 0);
    cr_assert_null(r->gaps);
    regret_results_free(r);
    regret_buffer_free(&made);
    regret_free(text);
}

Test(lists, want_the_grids_they_are_of)
{
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"\"grids\":[", "\"older\":[", "jsonl:1: \"choice\": the run has no \"grids\""},
        {"\"grids\":[", "\"grids\":[],\"older\":[",
         "\"grids\" must be an array of the cells' grids"},
        {"\"grids\":[", "\"grids\":7,\"older\":[",
         "\"grids\" must be an array of the cells' grids"},
        {"{\"agents\":[", "{\"agents\":[7,", "\"grids\": \"agents\" must hold ids"},
        {"{\"agents\":[", "{\"agents\":[\"\",", "\"grids\": \"agents\" must hold ids"},
        {"\"contexts\":[\"", "\"contexts\":[],\"x\":[\"",
         "\"contexts\" must hold 1 to 16777216 ids, not 0"},
        {"{\"cell\":1,", "{\"cell\":1,\"grid\":1,", "\"grid\""},
        {"{\"agents\":[", "{\"agents\":[\"one more\",",
         "jsonl:1: \"dm\" has 4 numbers, but there are 5"},
    };
    fixture_make("r");
    char *whole = fixture_read(NULL, "r/run.json");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        edit("r/run.json", "\"pool\":{", cases[i].from, cases[i].to);
        refused(cases[i].said);
        sample_write("r/run.json", whole);
    }
    regret_free(whole);
}

/* A row that lost its lists is damage to a run that keeps them, and so is computed again. */
Test(lists, are_computed_again_by_resume_and_joined_by_merge)
{
    fixture_make("r");
    fixture_make("whole");
    put_list("\"cell\":1,\"seed\":1,", "\"loss\":", "[0.9,0.9]");
    struct regret_run_options o = fixture_options("r");
    o.resume = 1;
    struct regret_run_summary s = fixture_run(&o);
    cr_assert_eq(s.resumed, 3);
    fixture_same_run("whole", "r");
    char names[2][300];
    const char *shards[2];
    for (size_t i = 0; i < 2; i++) {
        snprintf(names[i], sizeof names[i], "%s", sample_path(i == 0 ? "s1" : "s2"));
        o = fixture_options(i == 0 ? "s1" : "s2");
        o.shard = i + 1;
        o.shards = 2;
        o.threads = i + 1;
        fixture_run(&o);
        shards[i] = names[i];
    }
    cr_assert_eq(regret_merge(sample_path("merged"), shards, 2, NULL), 0);
    fixture_same_run("whole", "merged");
}
