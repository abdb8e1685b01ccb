/* Running: the same bytes whatever the threads, shards and interruptions. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(run, .init = fixture_open, .fini = fixture_close);

enum { REPLICATES = 6, LINES = 12 }; /* two cells of three seeds; 6 families, 4 baselines, 2 fits */

static void expect_message(int rc, int code, const char *part)
{
    cr_assert_eq(rc, code, "%d: %s", rc, regret_error_message());
    cr_expect_not_null(strstr(regret_error_message(), part), "no \"%s\" in: %s", part,
                       regret_error_message());
}

Test(run, rows_stand_in_order_and_none_is_missing)
{
    struct regret_run_options o = fixture_options("r");
    struct regret_run_summary s = fixture_run(&o);
    cr_assert_eq(s.cells, 2);
    cr_assert_eq(s.seeds, 3);
    cr_assert_eq(s.replicates, REPLICATES);
    cr_assert_eq(s.resumed, 0);
    char *text = fixture_read(NULL, "r/results-1-of-1.jsonl");
    char *line = strtok(text, "\n");
    for (size_t i = 0; i < REPLICATES * LINES; i++, line = strtok(NULL, "\n")) {
        char start[64];
        snprintf(start, sizeof start,
                 "{\"cell\":%zu,\"seed\":%zu,\"key\":{\"reward.map\":\"smooth\"", i / LINES % 2,
                 i / LINES / 2);
        cr_assert_not_null(line);
        cr_assert(strncmp(line, start, strlen(start)) == 0, "%s", line);
    }
    cr_assert_null(line);
    regret_free(text);
}

Test(run, threads_do_not_change_a_byte)
{
    fixture_make("one");
    for (size_t threads = 2; threads <= 3; threads++) {
        struct regret_run_options o = fixture_options("many");
        o.threads = threads;
        o.force = 1;
        fixture_run(&o);
        fixture_same_run("one", "many");
    }
    struct regret_run_options o = fixture_options("none");
    o.threads = 0;
    expect_message(regret_run(&(struct regret_run_summary){0}, &o), REGRET_E_INPUT, "one thread");
}

Test(run, families_and_seeds_do_not_lean_on_one_another)
{
    /* One seed of a longer run is that seed alone; the same for one cell of a sweep. */
    const char *sets[] = {"seeds=1", "first_seed=2", "beta=1"};
    fixture_make("whole");
    fixture_make_with("part", sets, 3);
    char *whole = fixture_read(NULL, "whole/results-1-of-1.jsonl");
    char *part = fixture_read(NULL, "part/results-1-of-1.jsonl");
    const char *last = whole + fixture_line_end("whole/results-1-of-1.jsonl", 5 * LINES);
    const char *a = strstr(last, "\"seed\""), *b = strstr(part, "\"seed\"");
    for (size_t i = 0; i < LINES; i++) { /* from "seed" on: the number of the cell differs */
        size_t n = strcspn(a, "\n");
        cr_assert(n == strcspn(b, "\n") && strncmp(a, b, n) == 0, "%.300s\n%.300s", a, b);
        a = strstr(a + n, "\"seed\"");
        b = strstr(b + n, "\"seed\"");
    }
    cr_assert(a == NULL && b == NULL);
    regret_free(whole);
    regret_free(part);
}

Test(run, interrupted_after_any_replicate_and_resumed)
{
    fixture_make("whole");
    for (size_t k = 1; k < REPLICATES; k++) {
        struct regret_run_options o = fixture_options("cut");
        struct regret_run_summary s = {0};
        o.force = 1;
        o.threads = 1 + k % 3;
        o.progress = fixture_stop_after;
        o.progress_context = &k;
        char message[64];
        snprintf(message, sizeof message, "stopped after %zu of 6 replicates; --resume", k);
        expect_message(regret_run(&s, &o), REGRET_E_CANCELLED, message);
        size_t length = 0;
        regret_free(fixture_read(&length, "cut/results-1-of-1.jsonl"));
        cr_assert_eq(length, fixture_line_end("cut/results-1-of-1.jsonl", k * LINES),
                     "exactly %zu replicates are kept", k);
        o.progress = NULL;
        o.force = 0;
        o.resume = 1;
        s = fixture_run(&o);
        cr_assert_eq(s.resumed, k);
        cr_assert_eq(s.replicates, REPLICATES);
        fixture_same_run("whole", "cut");
    }
}

Test(run, truncated_anywhere_and_resumed)
{
    static const char rows[] = "cut/results-1-of-1.jsonl", timing[] = "cut/timing-1-of-1.jsonl";
    fixture_make("whole");
    fixture_make("cut");
    size_t replicate = fixture_line_end(rows, LINES), half = fixture_line_end(rows, LINES + 5);
    const struct {
        size_t length, resumed;
    } cuts[] = {{0, 0},         {7, 0},    {replicate - 1, 0}, {replicate, 1},
                {half + 10, 1}, {half, 1}, {replicate * 2, 1}};
    struct regret_run_options o = fixture_options("cut");
    o.resume = 1;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        fixture_truncate(rows, cuts[i].length);
        struct regret_run_summary s = fixture_run(&o);
        cr_assert(s.resumed == cuts[i].resumed || (i == 6 && s.resumed == 2), "%zu: %zu", i,
                  s.resumed);
        fixture_same_run("whole", "cut");
    }
    /* Timings may go: they are in no result. */
    cr_assert_eq(unlink(sample_path(timing)), 0);
    cr_assert_eq(fixture_run(&o).resumed, REPLICATES);
    fixture_same_run("whole", "cut");
    cr_assert_eq(unlink(sample_path(rows)), 0);
    cr_assert_eq(fixture_run(&o).resumed, 0);
    fixture_same_run("whole", "cut");
    /* More rows than the run has are cut off. */
    char *text = fixture_read(NULL, rows);
    struct regret_buffer more = REGRET_BUFFER_INIT;
    regret_buffer_printf(&more, "%s%.*s", text, (int)replicate, text);
    sample_write(rows, regret_buffer_get(&more));
    regret_buffer_free(&more);
    regret_free(text);
    cr_assert_eq(fixture_run(&o).resumed, REPLICATES);
    fixture_same_run("whole", "cut");
}

Test(run, the_same_pool_elsewhere_is_the_same_run)
{
    fixture_make("r");
    cr_assert_eq(rename(sample_path("pool"), sample_path("moved")), 0);
    char set[300];
    snprintf(set, sizeof set, "pool=%s", sample_path("moved"));
    const char *sets[] = {set};
    struct regret_run_options o = fixture_options("r");
    o.resume = 1;
    o.sets = sets;
    o.n_sets = 1;
    cr_assert_eq(fixture_run(&o).resumed, REPLICATES);
}

Test(run, an_existing_folder_is_safe)
{
    fixture_make("r");
    struct regret_run_options o = fixture_options("r");
    struct regret_run_summary s = {0};
    expect_message(regret_run(&s, &o), REGRET_E_INPUT, "exists already");
    cr_assert_eq(regret_file_exists(sample_path("r/results-1-of-1.jsonl")), 1);
    sample_write("r/extra", "mine");
    o.force = 1;
    expect_message(regret_run(&s, &o), REGRET_E_INPUT, "holds extra");
    cr_assert_eq(remove(sample_path("r/extra")), 0);
    fixture_run(&o);
    /* What is no run folder is not replaced even so. */
    cr_assert_eq(regret_folder_create(sample_path("precious")), 0);
    sample_write("precious/thesis.tex", "years of work");
    o.out = sample_path("precious");
    expect_message(regret_run(&s, &o), REGRET_E_INPUT, "is not replaced");
    cr_assert(regret_file_exists(sample_path("precious/thesis.tex")));
    sample_write("file", "");
    o.out = sample_path("file");
    expect_message(regret_run(&s, &o), REGRET_E_INPUT, "file has no run.json in it");
}

Test(run, values_may_be_off_and_every_family_on)
{
    const char *sets[] = {"values.enabled=false",
                          "sweep.proxy.kind=[\"aux-svd\",\"predicted-labels\",\"tfidf-svd\"]",
                          "families=[\"grounded-linear\",\"grounded-anchored\",\"obs-only\"]",
                          "seeds=1", "grounded_linear.tuning=holdout"};
    struct regret_run_options o = fixture_options("r");
    o.sets = sets;
    o.n_sets = 5;
    cr_assert_eq(fixture_run(&o).cells, 6);
    char *text = fixture_read(NULL, "r/results-1-of-1.jsonl");
    cr_assert_not_null(strstr(text, "\"family\":\"grounded-anchored\""));
    cr_assert_null(strstr(text, "\"family\":\"cvci\""));
    cr_assert_not_null(strstr(text, "\"dm_rmse\":null,\"dr_rmse\":null,\"sndr_rmse\":null"));
    cr_assert_not_null(strstr(text, "\"cv\":\"rows\""), "the holdout is of rows");
    regret_free(text);
}

/* Budgets of one row, one draw of several, duplicate texts: nothing to divide by. */
Test(run, degenerate_sizes_run)
{
    fixture_pool(3, 2, 2, 1);
    const char *sets[] = {"n_obs=1", "sweep.n_exp=[1,2]", "router.slate=1", "seeds=2",
                          fixture_every_family()};
    struct regret_run_options o = fixture_options("r");
    o.sets = sets;
    o.n_sets = 5;
    cr_assert_eq(fixture_run(&o).replicates, 8);
    char *text = fixture_read(NULL, "r/results-1-of-1.jsonl");
    cr_assert_null(strstr(text, "nan"));
    cr_assert_null(strstr(text, "inf"));
    cr_assert_not_null(strstr(text, "\"cv\":\"none\""), "one EXP row has no folds");
    regret_free(text);
}
