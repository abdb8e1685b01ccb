/* Charts as data: what may be appended, and their numbers as CSV. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "chart/chart.h"
#include "kinds.h"
#include "regret/status.h"

static void check_csv(struct chart *c, const char *expected)
{
    struct regret_buffer csv = REGRET_BUFFER_INIT;
    cr_assert_eq(chart_check(c), 0, "%s", regret_error_message());
    cr_assert_eq(chart_csv(&csv, c), 0);
    cr_assert_str_eq(regret_buffer_get(&csv), expected);
    regret_buffer_free(&csv);
    chart_free(c);
}

Test(chart, csv_of_lines)
{
    struct chart c;
    chart_begin(&c, CHART_LINES, "a", "A");
    chart_series(&c, 0, "%s", "x, \"y\"");
    chart_panel(&c, "%s", "");
    chart_point(&c, (struct chart_point){.x = 0.1, .value = 1.0 / 3.0, .low = -1, .high = NAN});
    check_csv(&c, "series,x,value,low,high\n\"x, \"\"y\"\"\",0.1,0.3333333333333333,-1,\n");
}

Test(chart, csv_has_the_columns_of_its_kind)
{
    struct chart c;
    chart_begin(&c, CHART_WINNERS, "a", "A");
    chart_series(&c, 0, "s");
    chart_row(&c, "r");
    chart_column(&c, "c");
    chart_panel(&c, "p");
    chart_panel(&c, "q");
    chart_point(&c, (struct chart_point){.value = 0.5, .flags = CHART_TIE});
    check_csv(&c, "panel,series,row,column,value,tie\nq,s,r,c,0.5,1\n");
    chart_begin(&c, CHART_RANKS, "a", "A");
    chart_series(&c, 0, "s");
    chart_panel(&c, "%s", "");
    chart_point(&c, (struct chart_point){.value = 1.5, .low = NAN, .high = NAN});
    chart_point(
        &c, (struct chart_point){.series = CHART_NO_SERIES, .value = NAN, .low = 1.5, .high = 2.5});
    check_csv(&c, "series,value,low,high\ns,1.5,,\n,,1.5,2.5\n");
}

/* Points by themselves have the name of a row; those of curves have none. */
static void plane(struct chart *c)
{
    static const double at[][2] = {{0.25, 0.5}, {7.5, 0.75}, {3.125, 0.625}};
    chart_begin(c, CHART_LINES, "plane", "A");
    c->x_scale = CHART_EVEN;
    chart_series(c, 0, "curve");
    chart_series(c, 1, "points");
    chart_row(c, "one & two");
    chart_row(c, "three");
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < 3; i++) {
        chart_point(
            c, (struct chart_point){.x = at[i][0], .value = at[i][1], .low = NAN, .high = NAN});
    }
    for (size_t i = 0; i < 2; i++) {
        chart_point(c, (struct chart_point){.series = 1,
                                            .row = i,
                                            .x = at[i][0],
                                            .value = at[i][1],
                                            .low = NAN,
                                            .high = NAN,
                                            .flags = CHART_NAMED});
    }
}

static size_t occurrences(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part)) {
        n++;
    }
    return n;
}

Test(chart, points_with_names)
{
    struct chart c;
    struct regret_buffer svg = REGRET_BUFFER_INIT;
    plane(&c);
    cr_assert_eq(chart_svg(&svg, &c), 0);
    const char *picture = regret_buffer_get(&svg);
    cr_expect_eq(occurrences(picture, "\"line s0\""), 2, "in the legend, and the curve");
    cr_expect_eq(occurrences(picture, "\"line s1\""), 1, "points by themselves are not joined");
    cr_expect_not_null(strstr(picture, ">one &amp; two</text>"));
    cr_expect_not_null(strstr(picture, ">three</text>"));
    cr_expect_null(strstr(picture, ">7.5</text>"), "ticks are round, not where points are");
    cr_expect_not_null(strstr(picture, ">4</text>"));
    regret_buffer_free(&svg);
    check_csv(&c, "series,row,x,value,low,high\ncurve,,0.25,0.5,,\ncurve,,7.5,0.75,,\n"
                  "curve,,3.125,0.625,,\npoints,one & two,0.25,0.5,,\n"
                  "points,three,7.5,0.75,,\n");
}

/* A point of what is not there is an error of the program, and is found before anything is drawn. */
Test(chart, points_beyond_are_refused)
{
    static const struct chart_point wrong[] = {
        {.series = 1, .value = 1.0}, {.row = 1, .value = 1.0}, {.column = 1, .value = 1.0}};
    struct chart beyond;
    plane(&beyond);
    chart_point(&beyond, (struct chart_point){.row = 2, .value = 1.0, .flags = CHART_NAMED});
    cr_expect_eq(chart_check(&beyond), REGRET_E_INTERNAL, "a name that there is not");
    chart_free(&beyond);
    for (size_t i = 0; i < 3; i++) {
        struct chart c;
        chart_begin(&c, CHART_WINNERS, "a", "A");
        chart_series(&c, 0, "s");
        chart_row(&c, "r");
        chart_column(&c, "c");
        chart_panel(&c, "%s", "");
        chart_point(&c, wrong[i]);
        cr_assert_eq(chart_check(&c), REGRET_E_INTERNAL);
        chart_free(&c);
    }
    struct chart c;
    chart_begin(&c, CHART_LINES, "a", "A");
    chart_point(&c, (struct chart_point){.value = 1.0});
    cr_assert_eq(chart_check(&c), REGRET_E_INTERNAL);
    chart_free(&c);
}

Test(chart, knows_whether_there_is_anything)
{
    struct chart c;
    chart_begin(&c, CHART_LINES, "a", "A");
    cr_assert_not(chart_has_points(&c));
    chart_series(&c, 0, "s");
    chart_panel(&c, "%s", "");
    chart_point(&c, (struct chart_point){.value = NAN});
    cr_assert_not(chart_has_points(&c));
    chart_point(&c, (struct chart_point){.value = 0.0});
    cr_assert(chart_has_points(&c));
    chart_free(&c);
}

static int make_all(enum chart_kind kind)
{
    struct chart c;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    make_chart(&c, kind, 3, 4, "word");
    int rc = chart_check(&c);
    rc = rc != REGRET_OK ? rc : chart_svg(&text, &c);
    rc = rc != REGRET_OK ? rc : chart_csv(&text, &c);
    regret_buffer_free(&text);
    chart_free(&c);
    return rc;
}

/* Every allocation in turn fails: the error comes back and nothing leaks (the sanitizers look). */
Test(chart, survives_want_of_memory)
{
    for (int kind = 0; kind < CHART_N_KINDS; kind++) {
        long k = 0;
        for (; k < 100000; k++) {
            regret_alloc_fail_after(k);
            int rc = make_all((enum chart_kind)kind);
            regret_alloc_fail_after(-1);
            if (rc == REGRET_OK) {
                break;
            }
            cr_assert_eq(rc, REGRET_E_NOMEM, "%s", regret_error_message());
        }
        cr_assert(k > 10 && k < 100000, "kind %d: %ld allocations", kind, k);
    }
}
