#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/report.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "svg_check.h"

TestSuite(figures, .fini = scratch_remove);

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
    const char *path = REGRET_SOURCE_FOLDER "/data/rate/rows.jsonl";
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
    static const char *const names[] = {"effects.svg", "single-double.svg", "shift-1.svg",
                                        "shift-5.svg"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        regret_free(check_file(folder, names[k]));
    }
    cr_assert_eq(regret_folder_remove(folder), 0);
    regret_free(folder);
    regret_free(e);
    regret_free(s);
    regret_rate_rows_free(rows);
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
    cr_assert_eq(regret_folder_remove(folder), 0);
    regret_free(folder);
    regret_free(e);
    regret_rate_rows_free(rows);
}
