/* Bad input: named by line, counted, never silently dropped; and both layouts. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "rate/report.h"
#include "regret/rate.h"
#include "regret/status.h"

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

/* ---- Predicted labels ---- */

static struct regret_rate_rows *read_texts(const char *path)
{
    struct regret_rate_rows *rows = NULL;
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    return rows;
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
