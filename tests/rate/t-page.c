/* The page of the estimates: what its headline counts, which texts it shows, that all of it is words. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/report/report.h"
#include "regret/alloc.h"

TestSuite(rate_page, .fini = scratch_remove);

static struct regret_buffer page_of(const struct regret_rate_rows *rows)
{
    struct regret_buffer page = REGRET_BUFFER_INIT;
    struct figures none = {NULL, 0};
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(estimates_page(&page, rows, e, n, &none), 0, "%s", regret_error_message());
    regret_free(e);
    return page;
}

static size_t count(const struct regret_buffer *page, const char *part)
{
    size_t n = 0;
    for (const char *p = strstr(regret_buffer_get(page), part); p != NULL;
         p = strstr(p + 1, part)) {
        n++;
    }
    return n;
}

static struct regret_rate_rows *example(int keep_texts)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = REGRET_SOURCE_FOLDER "/data/rate/rows.jsonl";
    const struct regret_rate_read_options how = {.keep_texts = keep_texts};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

/* Counted from the estimates, which are others' matter to check. */
Test(rate_page, the_headline_counts_the_estimates)
{
    struct regret_rate_rows *rows = example(0);
    size_t n = 0, up = 0, down = 0, outside = 0, naive = 0, drifts = 0, drifting = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_effect *f = e[i].effects, *ate = &f[REGRET_EFFECT_RATE_ATE];
        cr_assert_null(ate->missing, "the example has every RATE");
        up += ate->estimate - 1.96 * ate->se > 0.0;
        down += ate->estimate + 1.96 * ate->se < 0.0;
        if (isfinite(f[REGRET_EFFECT_NAIVE].estimate)) {
            naive++;
            outside += fabs(f[REGRET_EFFECT_NAIVE].estimate - ate->estimate) > 1.96 * ate->se;
        }
        for (int k = REGRET_EFFECT_DRIFT_1; k <= REGRET_EFFECT_DRIFT_0; k++) {
            drifts += isfinite(f[k].estimate) != 0;
            drifting += fabs(f[k].estimate) > 1.96 * f[k].se;
        }
    }
    struct regret_buffer page = page_of(rows);
    char expected[256];
    snprintf(expected, sizeof expected,
             "Of %zu pairs of an attribute and a reward model, having the attribute raises the "
             "reward in %zu and lowers it in %zu; in %zu it cannot be told from none.",
             n, up, down, n - up - down);
    cr_expect_eq(count(&page, expected), 1, "%s", expected);
    snprintf(expected, sizeof expected, "lies outside that interval in %zu of %zu.", outside,
             naive);
    cr_expect_eq(count(&page, expected), 1, "%s", expected);
    snprintf(expected, sizeof expected, "differs from none in %zu of %zu; single", drifting,
             drifts);
    cr_expect_eq(count(&page, expected), 1, "%s", expected);
    cr_expect_eq(count(&page, "raises the reward</td>"), up);
    cr_expect_eq(count(&page, "<section id=\"texts\">"), 0, "no texts were kept");
    cr_expect_eq(count(&page, "<section id=\"issues\">"), 0);
    cr_expect_eq(count(&page, "boot 95 %"), 0, "there is no bootstrap");
    regret_buffer_free(&page);
    regret_free(e);
    regret_rate_rows_free(rows);
}

/* Two rows of each group with their three texts, W as it is in each. */
Test(rate_page, texts_stand_beside_their_rewrites)
{
    struct regret_rate_rows *rows = example(1);
    struct regret_buffer page = page_of(rows);
    cr_expect_eq(count(&page, "<section id=\"texts\">"), 1);
    cr_expect_eq(count(&page, "<a href=\"#texts\">"), 1);
    cr_expect_eq(count(&page, "<div class=\"texts\">"), 2 * rows->n_groups);
    cr_expect_eq(count(&page, "<h4>Original, W = 0</h4>"), count(&page, "<h4>Rewrite, W = 1</h4>"));
    cr_expect_eq(count(&page, "<h4>Rewrite of the rewrite, W = 0</h4>"),
                 count(&page, "<h4>Rewrite, W = 1</h4>"));
    cr_expect_eq(count(&page, "<p>After two weeks I can say something about thsi fan."), 1);
    regret_buffer_free(&page);
    regret_rate_rows_free(rows);
}

Test(rate_page, words_of_the_data_are_words)
{
    static const char row[] =
        "{\"w\": %s, \"attribute\": \"<b>&\\u0001\", \"completions\": {\"original\": "
        "\"<script>a\\u202e\", \"rewrite\": \"</p>\", \"rewrite_of_rewrite\": \"%s\"}, "
        "\"scores\": {\"</h4>\": {\"original\": %d, \"rewrite\": 2, "
        "\"rewrite_of_rewrite\": 1.5}}}\n";
    struct regret_buffer jsonl = REGRET_BUFFER_INIT, longest = REGRET_BUFFER_INIT;
    for (int i = 0; i < 4000; i++) {
        regret_buffer_append(&longest, "é");
    }
    for (int i = 0; i < 4; i++) {
        regret_buffer_printf(&jsonl, row, i % 2 ? "true" : "false", regret_buffer_get(&longest), i);
    }
    regret_buffer_append(&jsonl, "{\"attribute\": \"<b>&\\u0001\", \"scores\": {\"</h4>\": "
                                 "{\"original\": 1}}}\n");
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file("hostile.jsonl", regret_buffer_get(&jsonl));
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    struct regret_buffer page = page_of(rows);
    cr_expect_eq(count(&page, "<script"), 1, "the page's own");
    cr_expect_eq(count(&page, "<b>"), 0);
    cr_expect_eq(count(&page, "<p>&lt;script&gt;a\\u{202e}</p>"), 2);
    cr_expect_eq(count(&page, "<p>&lt;/p&gt;</p>"), 2);
    cr_expect_eq(count(&page, "<p class=\"data\">&lt;/h4&gt; 1.5</p>"), 2);
    cr_expect_eq(count(&page, "…</p>"), 2, "long texts are cut");
    cr_expect_eq(count(&page, "<section id=\"issues\">"), 1);
    regret_buffer_free(&page);
    regret_buffer_free(&jsonl);
    regret_buffer_free(&longest);
    regret_rate_rows_free(rows);
}

/* ---- Samples as a table ---- */

TestSuite(samples, .fini = scratch_remove);

static const char hostile[] =
    "{\"id\": 1, \"w\": true, \"attribute\": \"a|b\", \"completions\": {\"original\": \"x | "
    "y\\n<b>, "
    "\\u001b[31m\", \"rewrite\": \"=1+1\", \"rewrite_of_rewrite\": \"\\\"q\\\"\"}, \"scores\": "
    "{\"m\": "
    "{\"original\": 1.5, \"rewrite\": 2}}}\n"
    "{\"id\": 2, \"w\": true, \"attribute\": \"a|b\", \"completions\": {\"original\": \"only\"}, "
    "\"scores\": {\"m\": {\"original\": 1.5}}}\n"
    "{\"id\": 3, \"w\": false, \"attribute\": \"a|b\", \"completions\": {\"original\": \"second\", "
    "\"rewrite\": \"\", \"rewrite_of_rewrite\": \"r\"}}\n"
    "{\"id\": 4, \"w\": false, \"attribute\": \"a|b\", \"completions\": {\"original\": \"third\", "
    "\"rewrite\": \"s\", \"rewrite_of_rewrite\": \"r\"}}\n";

Test(samples, are_escaped_in_every_format)
{
    char path[512], arguments[1200];
    int code = 0;
    snprintf(path, sizeof path, "%s", scratch_file("hostile.jsonl", hostile));
    for (int k = 0; k < 3; k++) {
        static const char *const formats[] = {"md", "csv", "json"};
        snprintf(arguments, sizeof arguments, "rate samples %s -f %s", path, formats[k]);
        char *text = run_program(&code, arguments, "2>/dev/null");
        cr_assert_eq(code, 0);
        cr_assert_null(strchr(text, '\x1b'), "%s", text);
        cr_assert(strstr(text, "second") != NULL && strstr(text, "third") == NULL &&
                      strstr(text, "only") == NULL && strstr(text, "m 1.5") != NULL,
                  "%s", text);
        if (k == 0) { /* one line a row, bars and elements escaped */
            cr_assert(strstr(text, "x | y") == NULL && strstr(text, "<b>") == NULL, "%s", text);
        } else if (k == 1) {
            struct csv csv = csv_parse(text);
            cr_assert(csv.n_rows == 2 && csv.n_columns == 10);
            cr_assert_str_eq(csv_cell(&csv, 0, "rewrite"), "=1+1");
            cr_assert_str_eq(csv_cell(&csv, 0, "rewrite_of_rewrite"), "\"q\"");
            cr_assert_str_eq(csv_cell(&csv, 1, "original"), "second");
            csv_free(&csv);
        }
        regret_free(text);
    }
    snprintf(arguments, sizeof arguments, "rate samples %s -f csv --safe-csv -n 1", path);
    check_run(arguments, "2>&1", 0, "'=1+1");
    snprintf(path, sizeof path, "%s",
             scratch_file("bare.jsonl", "{\"w\": 1, \"scores\": {\"m\": {\"original\": 1}}}\n"));
    snprintf(arguments, sizeof arguments, "rate samples %s", path);
    check_run(arguments, "2>&1", 2, "no row has W and all three texts");
    check_run("rate samples data/rate/rows.jsonl -n 3", "2>&1", 0, "| sentiment |");
}
