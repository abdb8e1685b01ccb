#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/rate_report.h"
#include "report/svg.h"

TestSuite(figures, .fini = scratch_remove);

/* Well-formed, as far as it matters: every tag is closed in order, "<" and "&" are escaped. */
static void check_svg(const char *svg, const char *name)
{
    const char *open[16];
    size_t depth = 0, length[16];
    cr_assert_eq(strncmp(svg, "<svg xmlns=", 11), 0, "%s", name);
    for (const char *p = strchr(svg, '<'); p != NULL; p = strchr(p + 1, '<')) {
        const char *end = strchr(p, '>');
        cr_assert_not_null(end, "%s: a tag without its end", name);
        if (p[1] == '/') {
            cr_assert_gt(depth, 0);
            depth--;
            cr_assert_eq(strncmp(p + 2, open[depth], length[depth]), 0, "%s: %.20s", name, p);
        } else if (end[-1] != '/') {
            cr_assert_lt(depth, 16);
            open[depth] = p + 1;
            length[depth++] = strcspn(p + 1, " >");
        }
        for (const char *q = p; q < end; q++) {
            cr_assert_neq(*q, '&', "%s", name);
        }
    }
    cr_assert_eq(depth, 0, "%s", name);
    for (const char *p = strchr(svg, '&'); p != NULL; p = strchr(p + 1, '&')) {
        cr_assert(strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&lt;", 4) == 0 ||
                      strncmp(p, "&gt;", 4) == 0 || strncmp(p, "&quot;", 6) == 0,
                  "%s: %.12s", name, p);
    }
    cr_assert_not_null(strstr(svg, "<title id=\"title\">"));
    cr_assert_not_null(strstr(svg, "<desc id=\"desc\">"));
    cr_assert_null(strstr(svg, "nan"), "%s draws nan", name);
    cr_assert_null(strstr(svg, "inf\""), "%s draws inf", name);
}

static char *check_file(const char *folder, const char *name)
{
    char *path = NULL, *svg = NULL;
    cr_assert_eq(regret_path_join(&path, folder, name), 0);
    cr_assert_eq(regret_file_read(&svg, NULL, path, 1 << 24), 0, "%s", regret_error_message());
    check_svg(svg, name);
    regret_free(path);
    return svg;
}

Test(figures, of_the_example_set)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = REGRET_SOURCE_FOLDER "/data/rewrite/rows.jsonl";
    const struct regret_rate_read_options how = {0};
    const struct regret_rate_options options = {.seed = 1, .threads = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    size_t n = 0, n_shifts = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    struct regret_rate_shift *s = NULL;
    cr_assert_eq(regret_rate_shift(&s, &n_shifts, rows, &options), 0);
    char *folder = NULL;
    cr_assert_eq(regret_path_join(&folder, scratch_folder(), "figures"), 0);
    cr_assert_eq(regret_rate_draw_estimates(folder, rows, e, n), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_draw_shift(folder, rows, s, n_shifts), 0);
    static const char *const names[] = {"effects.svg", "single-double.svg", "density-1.svg",
                                        "shift-1.svg", "shift-5.svg"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        regret_free(check_file(folder, names[k]));
    }
    cr_assert_eq(regret_folder_remove(folder), 0);
    regret_free(folder);
    regret_free(e);
    regret_free(s);
    regret_rate_rows_free(rows);
}

/* One figure a model, with the lines of the estimators over the rates; a model's name is text. */
Test(figures, of_typos)
{
    const struct regret_rate_typo_options how = {.n_rates = 3, .percents = {0, 30, 60}};
    static char length[] = "length", script[] = "<script>";
    struct regret_rate_typos typos[2] = {{.model = length}, {.model = script}};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < how.n_rates; i++) {
            for (size_t k = 0; k < REGRET_N_EFFECTS; k++) {
                struct regret_rate_effect *effect = &typos[m].rates[i].effects[k];
                effect->estimate = 0.125 * (double)i - 0.25 * (double)k;
                effect->low = effect->estimate - 0.5;
                effect->high = effect->estimate + 0.5;
            }
        }
    }
    char *folder = NULL;
    cr_assert_eq(regret_path_join(&folder, scratch_folder(), "figures"), 0);
    cr_assert_eq(regret_rate_draw_typos(folder, typos, 2, &how), 0, "%s", regret_error_message());
    char *first = check_file(folder, "typos-1.svg"), *second = check_file(folder, "typos-2.svg");
    cr_assert_not_null(strstr(first, "length"));
    cr_assert_not_null(strstr(first, "SYNTHETIC"));
    cr_assert_not_null(strstr(first, "words with typos, %"));
    cr_assert_not_null(strstr(second, "&lt;script&gt;"));
    cr_assert_null(strstr(second, "<script>"));
    cr_assert_eq(regret_folder_remove(folder), 0);
    regret_free(first);
    regret_free(second);
    regret_free(folder);
}

/* Names of unknown origin are text, never markup. */
Test(figures, names_are_escaped)
{
    struct regret_rate_rows *rows = rows_of(
        "{\"w\": true, \"attribute\": \"<b>&\\u0001\", \"scores\": {\"</svg>\": {\"original\": 1, "
        "\"rewrite\": 2, \"rewrite_of_rewrite\": 1.5}}}\n"
        "{\"w\": false, \"attribute\": \"<b>&\\u0001\", \"scores\": {\"</svg>\": {\"original\": 1, "
        "\"rewrite\": 2, \"rewrite_of_rewrite\": 1}}}\n"
        "{\"w\": true, \"attribute\": \"<b>&\\u0001\", \"scores\": {\"</svg>\": {\"original\": 1, "
        "\"rewrite\": 2, \"rewrite_of_rewrite\": 2}}}\n");
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    char *folder = NULL;
    cr_assert_eq(regret_path_join(&folder, scratch_folder(), "escaped"), 0);
    cr_assert_eq(regret_rate_draw_estimates(folder, rows, e, n), 0);
    char *svg = check_file(folder, "effects.svg");
    cr_assert_not_null(strstr(svg, "&lt;b&gt;&amp;"));
    cr_assert_not_null(strstr(svg, "&lt;/svg&gt;"));
    regret_free(svg);
    regret_free(check_file(folder, "density-1.svg"));
    cr_assert_eq(regret_folder_remove(folder), 0);
    regret_free(folder);
    regret_free(e);
    regret_rate_rows_free(rows);
}

Test(figures, axes_hold_their_values)
{
    static const double ranges[][2] = {{0, 1}, {-3.2, 7}, {0, 0}, {1e-9, 2e-9}, {-1e12, 5}, {5, 5}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        struct svg_axis a = svg_axis(ranges[k][0], ranges[k][1], 10.0, 110.0);
        cr_assert(a.low <= ranges[k][0] && a.high >= ranges[k][1] && a.high > a.low);
        double low = svg_at(&a, ranges[k][0]), high = svg_at(&a, ranges[k][1]);
        cr_assert(low >= 10.0 - 1e-9 && high <= 110.0 + 1e-9 && low <= high);
        cr_assert_lt((a.high - a.low) / a.step, 20.0);
    }
}

/* Degenerate samples do no harm. */
Test(figures, densities)
{
    double x[200], y[200];
    for (int i = 0; i < 200; i++) {
        x[i] = sin(i);
        y[i] = i == 0 ? 3.0 : (double)NAN;
    }
    const double *const samples[2] = {x, y};
    static const char *const series[2] = {"x", "y"};
    static const int styles[2] = {SVG_BLUE_DISC, SVG_RED_TRIANGLE};
    const struct svg_densities f = {"t", "d", "v", series, styles, 2, samples, 200};
    struct regret_text svg = REGRET_TEXT_INIT;
    cr_assert_eq(svg_densities(&svg, &f), 0);
    check_svg(regret_text_get(&svg), "density");
    regret_text_free(&svg);
}

static int draw_all(const char *folder)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_estimate *e = NULL;
    struct regret_text text = REGRET_TEXT_INIT;
    const struct regret_rate_options options = {.threads = 1};
    size_t n = 0;
    int rc = regret_rate_world_rows(&rows, &regret_rate_worlds()[0], 20, 1, 0);
    rc = rc ? rc : regret_rate_estimate(&e, &n, rows, &options);
    rc = rc ? rc : regret_rate_draw_estimates(folder, rows, e, n);
    if (rc == REGRET_OK) {
        regret_rate_write_estimates(&text, REGRET_RATE_MARKDOWN, rows, e, n);
        regret_rate_write_rows(&text, rows);
        rc = regret_text_status(&text);
    }
    regret_text_free(&text);
    regret_free(e);
    regret_rate_rows_free(rows);
    return rc;
}

Test(figures, survive_want_of_memory)
{
    char *folder = NULL;
    cr_assert_eq(regret_path_join(&folder, scratch_folder(), "memory"), 0);
    long k = 0;
    for (; k < 10000; k++) {
        regret_alloc_fail_after(k);
        int rc = draw_all(folder);
        regret_alloc_fail_after(-1);
        if (rc == 0) {
            break;
        }
        cr_assert_eq(rc, REGRET_E_NOMEM, "allocation %ld: %s", k, regret_error_message());
    }
    cr_assert(k > 30 && k < 10000, "%ld allocations", k);
    regret_free(folder);
}
