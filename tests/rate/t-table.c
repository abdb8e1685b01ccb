/* Which rows count, which models are there, and files that complete one another. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/rate_study.h"

TestSuite(table, .fini = scratch_remove);

static struct regret_rate_rows *read_files(const char *one, const char *two, int keep_texts)
{
    struct regret_rate_rows *rows = NULL;
    char first[512], second[512];
    snprintf(first, sizeof first, "%s", scratch_file("one.jsonl", one));
    snprintf(second, sizeof second, "%s", scratch_file("two.jsonl", two));
    const char *const paths[2] = {first, second};
    const struct regret_rate_read_options how = {.keep_texts = keep_texts, .need_scores = 1};
    cr_assert_eq(regret_rate_read(&rows, paths, 2, &how), 0, "%s", regret_error_message());
    return rows;
}

Test(table, score_files_of_one_model_each_are_put_together)
{
    for (int keep = 0; keep < 2; keep++) {
        struct regret_rate_rows *rows = read_files(
            "{\"id\": 1, \"w\": true, \"scores\": {\"A\": {\"original\": 1}}}\n"
            "{\"id\": 2, \"w\": false, \"prompt\": \"p\", \"scores\": {\"A\": {\"original\": 2}}}\n"
            "{\"id\": 3, \"w\": false, \"scores\": {\"A\": {\"original\": 3}}}\n"
            "{\"id\": 4, \"scores\": {\"A\": {\"original\": 4}}}\n"
            "{\"id\": 5, \"w\": true, \"z\": true, \"scores\": {\"A\": {\"original\": 5}}}\n",
            "{\"id\": 2, \"w\": false, \"prompt\": \"q\", \"completions\": {\"original\": \"o\"}, "
            "\"scores\": {\"B\": {\"original\": 20, \"rewrite\": \"x\"}, \"A\": null}}\n"
            "{\"id\": 1, \"scores\": {\"B\": {\"original\": 10}}}\n"
            "{\"id\": 3, \"w\": true, \"scores\": {\"B\": {\"original\": 30}}}\n" /* another W */
            "{\"id\": 4, \"w\": true, \"scores\": {\"B\": {\"original\": 40}}}\n"
            "{\"id\": 5, \"w\": true, \"z\": false, \"scores\": {\"B\": {\"original\": 50}}}\n"
            "{\"id\": 1, \"w\": true, \"scores\": {\"B\": {\"original\": 11}}}\n" /* B again */
            "{\"id\": 1, \"w\": true}\n"
            "{\"id\": 6, \"w\": true, \"scores\": {\"B\": {\"original\": 60}}}\n",
            keep);
        cr_assert_eq(regret_rate_rows_finish(rows), 0);
        cr_assert_eq(rows->n_rows, 10, "%zu", rows->n_rows);
        const double *b = rows->models[1].score[0];
        cr_assert(b[0] == 10.0 && b[1] == 20.0 && isnan(b[2]) && b[3] == 40.0 && isnan(b[4]));
        cr_assert(rows->w[0] == 1 && rows->w[1] == 0 && rows->w[2] == 0 && rows->w[3] == 1);
        cr_assert_eq(rows->models[0].score[0][1], 2.0);
        const struct regret_rate_issue *duplicate = &rows->issues[REGRET_RATE_ISSUE_DUPLICATE];
        cr_assert_eq(duplicate->count, 4, "%zu", duplicate->count);
        cr_assert(duplicate->examples[0].line == 3 && duplicate->examples[1].line == 5 &&
                  duplicate->examples[2].line == 6 && duplicate->examples[3].line == 7);
        const struct regret_rate_issue *bad = &rows->issues[REGRET_RATE_ISSUE_SCORE_NOT_NUMBER];
        cr_assert(bad->count == 1 && bad->examples[0].line == 1 && bad->examples[0].file == 1);
        cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_W_MISSING].count, 0);
        if (keep) {
            cr_assert_str_eq(rows->texts[1].prompt, "p");
            cr_assert_str_eq(rows->texts[1].completion[0], "o");
        }
        regret_rate_rows_free(rows);
    }
}

/* The same estimates as when both models are in one file. */
Test(table, files_put_together_estimate_alike)
{
    char *jsonl = random_jsonl(300, 4);
    struct regret_rate_rows *both = rows_of(jsonl), *split;
    struct regret_buffer one = REGRET_BUFFER_INIT, two = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < both->n_rows; i++) {
        for (size_t m = 0; m < 2; m++) {
            size_t at = m == 0 ? i : both->n_rows - 1 - i;
            regret_buffer_printf(m == 0 ? &one : &two,
                                 "{\"id\": \"r%zu\", \"dataset\": \"D\", \"attribute\": \"a\", "
                                 "\"w\": %d, \"scores\": {\"m%zu\": {\"original\": %.17g, "
                                 "\"rewrite\": %.17g, \"rewrite_of_rewrite\": %.17g}}}\n",
                                 at, both->w[at], m, both->models[m].score[0][at],
                                 both->models[m].score[1][at], both->models[m].score[2][at]);
        }
    }
    split = read_files(regret_buffer_get(&one), regret_buffer_get(&two), 0);
    cr_assert_eq(regret_rate_rows_finish(split), 0);
    cr_assert_eq(split->n_rows, both->n_rows);
    size_t n = 0, k = 0;
    struct regret_rate_estimate *a = estimates_of(both, &n, REGRET_SE_PAIRED);
    struct regret_rate_estimate *b = estimates_of(split, &k, REGRET_SE_PAIRED);
    cr_assert(n == 2 && k == 2);
    for (size_t i = 0; i < n; i++) {
        for (int e = 0; e < REGRET_N_EFFECTS; e++) {
            cr_assert_eq(a[i].effects[e].estimate, b[i].effects[e].estimate);
            cr_assert_eq(a[i].effects[e].se, b[i].effects[e].se);
        }
    }
    for (int issue = 0; issue < REGRET_RATE_N_ISSUES; issue++) {
        cr_assert_eq(split->issues[issue].count, 0);
    }
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(both);
    regret_rate_rows_free(split);
    regret_buffer_free(&one);
    regret_buffer_free(&two);
    regret_free(jsonl);
}

/* A row that cannot count asks nothing of the others. */
Test(table, unusable_rows_set_no_needs)
{
    static const char *const odd[] = {
        "{\"scores\": {\"m\": {\"original\": 1, \"rewrite\": 2, \"rewrite_of_rewrite\": 3}}}\n",
        "{\"w\": \"odd\", \"scores\": {\"m\": {\"rewrite_of_rewrite\": 3}}}\n",
        ("{\"id\": \"r0\", \"w\": true, \"scores\": {\"m\": {\"original\": 1, "
         "\"rewrite_of_rewrite\": 3}}}\n")};
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
        struct regret_buffer t = REGRET_BUFFER_INIT;
        for (int i = 0; i < 10; i++) {
            regret_buffer_printf(
                &t,
                "{\"id\": \"r%d\", \"w\": %s, \"scores\": {\"m\": {\"original\": %d, "
                "\"rewrite\": 1}}}\n",
                i, i % 2 ? "true" : "false", i * i);
        }
        regret_buffer_append(&t, odd[k]);
        struct regret_rate_rows *rows = rows_of(regret_buffer_get(&t));
        cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_SCORE_MISSING].count, k == 1, "%zu: %zu", k,
                     rows->issues[REGRET_RATE_ISSUE_SCORE_MISSING].count);
        size_t n = 0;
        struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
        cr_assert(n == 1 && e->n_used == 10, "%zu of %zu used", e->n_used, e->n_rows);
        cr_assert_null(e->effects[REGRET_EFFECT_SINGLE_ATE].missing);
        cr_assert_not_null(e->effects[REGRET_EFFECT_RATE_ATE].missing);
        regret_free(e);
        regret_rate_rows_free(rows);
        regret_buffer_free(&t);
    }
}

static void check_all_missing(const char *jsonl, const char *reason)
{
    struct regret_rate_rows *rows = rows_of(jsonl);
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 1, "%zu models: %s", n, jsonl);
    cr_assert(e->n1 == 0 && e->n0 == 0);
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        const struct regret_rate_effect *f = &e->effects[k];
        cr_assert(f->missing != NULL && strstr(f->missing, reason) != NULL, "%s: %s",
                  regret_rate_effect_name((enum regret_rate_effect_kind)k), f->missing);
        cr_assert(isnan(f->estimate) && isnan(f->se) && isnan(f->d));
    }
    regret_free(e);
    regret_rate_rows_free(rows);
}

Test(table, models_without_a_usable_score_are_missing_with_the_reason)
{
    static const char none[] = "no row with W has a score";
    check_all_missing("{\"w\": true, \"scores\": {\"m\": null}}\n{\"w\": false}\n", none);
    check_all_missing("{\"w\": true, \"scores\": {\"m\": {\"original\": \"high\"}}}\n", none);
    check_all_missing("{\"w\": true, \"scores\": {\"m\": {}}}\n", none);
    check_all_missing("{\"scores\": {\"m\": {\"original\": 1}}}\n", none);
    /* A row each with what the other lacks: both are needed, and no row has both. */
    check_all_missing("{\"w\": true, \"scores\": {\"m\": {\"original\": 1, \"rewrite\": 2}}}\n"
                      "{\"w\": false, \"scores\": {\"m\": {\"rewrite_of_rewrite\": 1}}}\n",
                      "no row has both W and all the scores");
    /* A group that does not name the model gives no element. */
    struct regret_rate_rows *rows =
        rows_of("{\"w\": true, \"dataset\": \"a\", \"scores\": {\"m\": {\"original\": 1}}}\n"
                "{\"w\": true, \"dataset\": \"b\", \"scores\": {\"k\": null}}\n");
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 2);
    cr_assert(e[0].group == 0 && e[0].model == 0 && e[1].group == 1 && e[1].model == 1);
    regret_free(e);
    regret_rate_rows_free(rows);
}

Test(table, a_file_without_reward_models_is_refused_on_request)
{
    static const char *const texts[] = {"{\"w\": true, \"completions\": {\"original\": \"a\"}}\n",
                                        "{\"w_original\": true, \"A\": {\"original\": \"1.5\"}}\n",
                                        "{\"w\": true, \"scores\": {}}\n", "{}\n",
                                        "[{\"w\": true}]"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct regret_rate_rows *rows = NULL;
        const char *path = scratch_file("plain.jsonl", texts[k]);
        struct regret_rate_read_options how = {.need_scores = 1};
        cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), REGRET_E_INPUT, "%s", texts[k]);
        cr_assert_not_null(strstr(regret_error_message(), "\"rewrite_of_rewrite\""));
        cr_assert_not_null(strstr(regret_error_message(), "\"rewritten rewrite\""));
        how.need_scores = 0;
        cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
        regret_rate_rows_free(rows);
    }
}

/* ---- Results beyond double precision ---- */

static void check_finite(double value)
{
    cr_assert(isfinite(value) || isnan(value), "%g", value);
}

Test(table, what_overflows_is_missing)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (int i = 0; i < 24; i++) {
        const char *huge = i % 3 == 0 ? "1.7e308" : "-1.7e308";
        regret_buffer_printf(
            &t,
            "{\"w\": %s, \"z\": %s, \"scores\": {\"huge\": {\"original\": %s, "
            "\"rewrite\": %d, \"rewrite_of_rewrite\": %d}, \"large\": "
            "{\"original\": %de150, \"rewrite\": 1, \"rewrite_of_rewrite\": %d}}}\n",
            i % 2 ? "true" : "false", i % 4 < 2 ? "true" : "false", huge, i, i % 5, i, i % 7);
    }
    for (int se = 0; se < 2; se++) {
        struct regret_rate_rows *rows = rows_of(regret_buffer_get(&t));
        struct regret_rate_estimate *e = NULL;
        const struct regret_rate_options options = {
            .se = (enum regret_rate_se)se, .bootstrap = 20, .seed = 1, .threads = 1};
        size_t n = 0;
        cr_assert_eq(regret_rate_estimate(&e, &n, rows, &options), 0);
        cr_assert_eq(n, 2);
        cr_assert_not_null(strstr(e[0].effects[REGRET_EFFECT_NAIVE].missing, "overflows"));
        cr_assert_not_null(e[0].effects[REGRET_EFFECT_SINGLE_ATE].missing);
        cr_assert_null(e[0].effects[REGRET_EFFECT_RATE_ATE].missing);
        for (size_t i = 0; i < n; i++) {
            check_finite(e[i].pooled_sd);
            for (int k = 0; k < REGRET_N_EFFECTS; k++) {
                const struct regret_rate_effect *f = &e[i].effects[k];
                cr_assert_eq(f->missing == NULL, isfinite(f->estimate) && isfinite(f->se));
                const double all[] = {f->low,  f->high,    f->se_paired, f->se_unpaired, f->d,
                                      f->d_se, f->boot_se, f->boot_low,  f->boot_high};
                for (size_t j = 0; j < sizeof all / sizeof *all; j++) {
                    check_finite(all[j]);
                }
            }
        }
        regret_free(e);
        regret_rate_rows_free(rows);
    }
    regret_buffer_free(&t);
}

Test(table, an_edit_that_overflows_is_missing)
{
    struct regret_rate_rows *rows = NULL;
    const char *path =
        scratch_file("edit.jsonl", "{\"w\": true, \"scores\": {\"a\": {\"original\": 1.7e308}, "
                                   "\"b\": {\"original\": -1.7e308}}}\n");
    const struct regret_rate_read_options how = {0};
    size_t n = 0;
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_add_edit(rows, "a-b", "a", "b"), 0);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 3);
    cr_assert_not_null(strstr(e[2].effects[REGRET_EFFECT_NAIVE].missing, "no row with W"));
    regret_free(e);
    regret_rate_rows_free(rows);
}
