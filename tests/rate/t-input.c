/* Bad input: named by line, counted, never silently dropped; and both layouts. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/rate.h"
#include "regret/rate_report.h"

TestSuite(input, .fini = scratch_remove);

static void check_issue(const struct regret_rate_rows *rows, enum regret_rate_issue_kind issue,
                        size_t count, size_t first_line)
{
    const struct regret_rate_issue *found = &rows->issues[issue];
    cr_assert_eq(found->count, count, "%s: %zu", regret_rate_issue_name(issue), found->count);
    if (count > 0) {
        cr_assert_eq(found->examples[0].line, first_line, "%s: line %zu",
                     regret_rate_issue_name(issue), found->examples[0].line);
    }
}

Test(input, every_issue_is_counted_and_named_by_line)
{
    for (int texts = 0; texts < 2; texts++) {
        struct regret_rate_rows *rows = NULL;
        const char *path = REGRET_SOURCE_FOLDER "/data/rate/rough.jsonl";
        const struct regret_rate_read_options how = {.keep_texts = texts};
        cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
        cr_assert_eq(regret_rate_rows_finish(rows), 0);
        cr_assert_eq(rows->n_rows, 8);
        check_issue(rows, REGRET_RATE_ISSUE_W_MISSING, 1, 7);
        check_issue(rows, REGRET_RATE_ISSUE_W_NOT_BOOLEAN, 1, 4);
        check_issue(rows, REGRET_RATE_ISSUE_DUPLICATE, 1, 6);
        check_issue(rows, REGRET_RATE_ISSUE_SCORE_NOT_NUMBER, 1, 5);
        check_issue(rows, REGRET_RATE_ISSUE_SCORE_MISSING, 2, 2);
        check_issue(rows, REGRET_RATE_ISSUE_MODEL_ABSENT, 1, 3);
        check_issue(rows, REGRET_RATE_ISSUE_W_UNPREDICTABLE, 0, 0);
        size_t n = 0;
        struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
        cr_assert_eq(n, 2);
        cr_assert(e[0].n_rows == 8 && e[0].n1 == 3 && e[0].n0 == 1, "m1: %zu of %zu, %zu ones",
                  e[0].n_used, e[0].n_rows, e[0].n1);
        cr_assert(e[1].n_rows == 8 && e[1].n1 == 1 && e[1].n0 == 2);
        /* Rows a, b, c by hand: O − R is .5, .8, .4. */
        cr_assert_float_eq(e[0].effects[REGRET_EFFECT_SINGLE_ATT].estimate, 1.7 / 3.0, 1e-15);
        cr_assert_not_null(e[0].effects[REGRET_EFFECT_SINGLE_ATU].missing);
        regret_free(e);
        regret_rate_rows_free(rows);
    }
}

Test(input, issues_show_in_every_format)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = REGRET_SOURCE_FOLDER "/data/rate/rough.jsonl";
    const struct regret_rate_read_options how = {0};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    static const enum regret_format formats[] = {REGRET_FORMAT_MARKDOWN, REGRET_FORMAT_CSV,
                                                 REGRET_FORMAT_JSON};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        regret_buffer_clear(&text);
        regret_rate_write_estimates(&text, formats[k], rows, NULL, 0);
        if (formats[k] == REGRET_FORMAT_CSV) {
            regret_rate_write_issues(&text, rows);
        }
        cr_assert_eq(regret_buffer_status(&text), 0);
        cr_assert_not_null(strstr(text.data, "duplicate"));
        cr_assert_not_null(strstr(text.data, "rough.jsonl:6"));
        cr_assert_not_null(strstr(text.data, "rough.jsonl:3 (m2)"));
    }
    regret_buffer_clear(&text);
    regret_rate_write_estimates(&text, REGRET_FORMAT_HTML, rows, NULL, 0);
    cr_assert_eq(regret_buffer_status(&text), REGRET_E_INPUT);
    regret_buffer_free(&text);
    regret_rate_rows_free(rows);
}

static void check_refused(const char *jsonl, const char *expected)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file("refused.jsonl", jsonl);
    const struct regret_rate_read_options how = {0};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), REGRET_E_INPUT, "taken: %s", jsonl);
    cr_assert_null(rows);
    cr_assert_not_null(strstr(regret_error_message(), expected), "%s lacks \"%s\"",
                       regret_error_message(), expected);
}

Test(input, malformed_lines_are_refused_by_name)
{
    check_refused("{\"w\": true}\n{\"w\": tru}\n", "refused.jsonl:2:");
    check_refused("{\"w\": true, \"w\": false}\n", "given twice");
    check_refused("[1]\n", "must be a JSON object");
    check_refused("{\"w\": true, \"scores\": [1]}\n", "\"scores\" must be an object");
    check_refused("{\"w\": true, \"scores\": {\"m\": 1}}\n", "\"m\" of \"scores\"");
    check_refused("{\"w\": true, \"scores\": {\"m\": {\"original\": NaNs}}}\n", "malformed");
    check_refused("{\"w\": true, \"scores\": {\"m\": {\"original\": 1e999}}}\n", "too large");
    check_refused("{\"id\": 1.5}\n", "\"id\" must be");
    check_refused("{\"dataset\": 3}\n", "\"dataset\"");
    check_refused("{\"w\": true, \"completions\": 3}\n", "\"completions\"");
    check_refused("{\"w\": true, \"w_original\": true}\n", "mixes two layouts");
    check_refused("{\"w\": true, \"scores\": {\"m\": {\"rewritten rewrite\": 1, "
                  "\"rewrite_of_rewrite\": 2}}}\n",
                  "keep one");
    check_refused("{\"w\": \"\xff\"}\n", "UTF-8");
    check_refused("\n\n", "no rows");
    const char *path = "/nonexistent/rows.jsonl";
    struct regret_rate_rows *rows = NULL;
    const struct regret_rate_read_options how = {0};
    cr_assert_lt(regret_rate_read(&rows, &path, 1, &how), 0);
}

Test(input, too_many_models_are_refused)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "{\"w\": true, \"scores\": {");
    for (int m = 0; m < REGRET_RATE_MAX_MODELS + 1; m++) {
        regret_buffer_printf(&t, "%s\"m%d\": {\"original\": 1}", m ? ", " : "", m);
    }
    regret_buffer_append(&t, "}}\n");
    check_refused(regret_buffer_get(&t), "reward models");
    regret_buffer_clear(&t);
    for (int m = 0; m < REGRET_RATE_MAX_MODELS + 1; m++) {
        regret_buffer_printf(&t, "{\"w\": true, \"scores\": {\"m%d\": {\"original\": 1}}}\n", m);
    }
    check_refused(regret_buffer_get(&t), "reward models");
    regret_buffer_free(&t);
}

/* The same rows in both layouts give the same estimates. */
Test(input, the_authors_layout_means_the_same)
{
    struct regret_buffer ours = REGRET_BUFFER_INIT, authors = REGRET_BUFFER_INIT;
    for (int i = 0; i < 40; i++) {
        const char *w = i % 3 ? "true" : "false";
        double o = i * 0.37, r = i * 0.11 + 1.0, rr = i * 0.3;
        regret_buffer_printf(
            &ours,
            "{\"w\": %s, \"scores\": {\"org/m\": {\"original\": %.17g, \"rewrite\": "
            "%.17g, \"rewrite_of_rewrite\": %.17g}}}\n",
            w, o, r, rr);
        regret_buffer_printf(&authors,
                             "{\"w_original\": %s, \"reward_question\": \"Q\", \"completions\": "
                             "{\"original\": \"a\", \"rewrite\": \"b\", \"rewritten rewrite\": "
                             "\"c\"}, \"org/m\": {\"original\": %.17g, \"rewrite\": %.17g, "
                             "\"rewritten rewrite\": %.17g}, \"notes\": {\"k\": 1}}\n",
                             w, o, r, rr);
    }
    struct regret_rate_rows *a = rows_of(regret_buffer_get(&ours));
    struct regret_rate_rows *b = rows_of(regret_buffer_get(&authors));
    cr_assert_eq(b->n_models, 1);
    cr_assert_str_eq(b->models[0].name, "org/m");
    size_t n = 0;
    struct regret_rate_estimate *x = estimates_of(a, &n, REGRET_SE_PAIRED);
    struct regret_rate_estimate *y = estimates_of(b, &n, REGRET_SE_PAIRED);
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        cr_assert_eq(x->effects[k].estimate, y->effects[k].estimate);
        cr_assert_eq(x->effects[k].se, y->effects[k].se);
    }
    regret_free(x);
    regret_free(y);
    regret_rate_rows_free(a);
    regret_rate_rows_free(b);
    regret_buffer_free(&ours);
    regret_buffer_free(&authors);
}

/* ---- Predicted labels ---- */

static struct regret_rate_rows *read_texts(const char *path)
{
    struct regret_rate_rows *rows = NULL;
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    return rows;
}

Test(input, thresholds_predict_w)
{
    const char *path = scratch_file(
        "predict.jsonl",
        "{\"completions\": {\"original\": \"äöü\"}, \"scores\": {\"a:b\": {\"original\": 0.5}}}\n"
        "{\"completions\": {\"original\": \"abcd\"}, \"scores\": {\"a:b\": {\"original\": 0.4}}}\n"
        "{\"scores\": {\"a:b\": {\"original\": null}}}\n"
        "{\"w\": true, \"completions\": {\"original\": \"abcde\"}, \"scores\": {\"a:b\": "
        "{\"original\": 0.1}}}\n");
    struct regret_rate_rows *rows = read_texts(path);
    cr_assert_eq(regret_rate_predict_w(rows, "length:3"), 0);
    cr_assert(rows->w[0] == 0 && rows->w[1] == 1 && rows->w[3] == 1);
    cr_assert(rows->w_predicted[0] && rows->w_predicted[1] && !rows->w_predicted[3]);
    check_issue(rows, REGRET_RATE_ISSUE_W_UNPREDICTABLE, 1, 3);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    check_issue(rows, REGRET_RATE_ISSUE_W_MISSING, 0, 0);
    cr_assert_eq(rows->predictor_agreement, 1.0);
    regret_rate_rows_free(rows);
    rows = read_texts(path);
    cr_assert_eq(regret_rate_predict_w(rows, "score:a:b:0.45"), 0);
    cr_assert(rows->w[0] == 1 && rows->w[1] == 0 && rows->w[2] == REGRET_LABEL_EXCLUDED);
    cr_assert_eq(rows->predictor_agreement, 0.0);
    static const char *const bad[] = {"length:x", "length:", "score:0.5", "score:none:1", "oracle"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        cr_assert_eq(regret_rate_predict_w(rows, bad[k]), REGRET_E_INPUT, "%s", bad[k]);
    }
    regret_rate_rows_free(rows);
}

Test(input, a_text_ridge_predicts_w)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (int i = 0; i < 120; i++) {
        int w = i % 2;
        regret_buffer_printf(&t,
                             "{\"w\": %s, \"id\": \"%d\", \"attribute\": \"%s\", \"completions\": "
                             "{\"original\": \"the %s thing number %d was %s\"}}\n",
                             i % 3 == 0 ? "null"
                             : w        ? "true"
                                        : "false",
                             i, i < 100 ? "tone" : "unlabelled", w ? "good" : "bad", i,
                             w ? "fine" : "poor");
    }
    struct regret_rate_rows *rows = read_texts(scratch_file("ridge.jsonl", regret_buffer_get(&t)));
    cr_assert_eq(regret_rate_predict_w(rows, "text"), 0, "%s", regret_error_message());
    for (size_t i = 0; i < 100; i++) {
        cr_assert_eq(rows->w[i], i % 2, "row %zu", i);
        cr_assert_eq(rows->w_predicted[i], i % 3 == 0);
    }
    cr_assert_gt(rows->predictor_agreement, 0.95);
    regret_rate_rows_free(rows);
    /* A group without labels cannot be predicted: its rows are issues. */
    regret_buffer_clear(&t);
    regret_buffer_append(&t, "{\"completions\": {\"original\": \"a\"}}\n{\"w\": true, "
                             "\"completions\": {\"original\": \"b\"}}\n");
    rows = read_texts(scratch_file("ridge.jsonl", regret_buffer_get(&t)));
    cr_assert_eq(regret_rate_predict_w(rows, "text"), 0);
    check_issue(rows, REGRET_RATE_ISSUE_W_UNPREDICTABLE, 1, 1);
    regret_rate_rows_free(rows);
    regret_buffer_free(&t);
}

Test(input, written_rows_read_back)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    const char *path = REGRET_SOURCE_FOLDER "/data/rate/rows.jsonl";
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    regret_rate_write_rows(&t, rows);
    struct regret_rate_rows *again = read_texts(scratch_file("again.jsonl", regret_buffer_get(&t)));
    cr_assert_eq(again->n_rows, rows->n_rows);
    cr_assert_eq(again->n_models, rows->n_models);
    for (size_t i = 0; i < rows->n_rows; i++) {
        cr_assert(again->w[i] == rows->w[i] && again->z[i] == rows->z[i]);
        cr_assert_str_eq(again->texts[i].completion[1], rows->texts[i].completion[1]);
        for (size_t m = 0; m < rows->n_models; m++) {
            cr_assert_eq(again->models[m].score[1][i], rows->models[m].score[1][i]);
        }
    }
    regret_rate_rows_free(rows);
    regret_rate_rows_free(again);
    regret_buffer_free(&t);
}
