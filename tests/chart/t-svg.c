/* Charts as pictures. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/figure.h"
#include "chart/svg.h"
#include "kinds.h"
#include "regret/status.h"
#include "svg_check.h"

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *p = strstr(text, what); p != NULL; p = strstr(p + 1, what)) {
        n++;
    }
    return n;
}

/* Frees the chart. */
static struct regret_buffer draw(struct chart *c)
{
    struct regret_buffer svg = REGRET_BUFFER_INIT;
    cr_assert_eq(chart_check(c), 0, "%s", regret_error_message());
    cr_assert_eq(chart_svg(&svg, c), 0);
    check_svg(regret_buffer_get(&svg), c->name);
    chart_free(c);
    return svg;
}

Test(svg, every_kind_in_every_size)
{
    static const size_t sizes[][2] = {{1, 1}, {2, 2}, {6, 6}, {12, 60}, {15, 3}};
    for (int kind = 0; kind < CHART_N_KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct chart c;
            make_chart(&c, (enum chart_kind)kind, sizes[i][0], sizes[i][1], "word");
            struct regret_buffer svg = draw(&c);
            regret_buffer_free(&svg);
        }
    }
}

/* Names of unknown origin are text, never markup; long ones are cut, so that they stay in the picture. */
Test(svg, hostile_names_are_text)
{
    static const char *const words[] = {
        "</svg><script>alert(1)</script>",
        "\"&'<",
        "\xE2\x80\xAE txet \x1B[31m",
        ("a very long name that goes on and on and on and on and on "
         "and on and on and on and on and on "
         "and on and on and on and on and on and on and on and on "
         "and on and on and on and on and on"),
        "",
        ("漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢"
         "字漢字漢字漢字漢字漢字漢字漢字漢字漢字")};
    for (int kind = 0; kind < CHART_N_KINDS; kind++) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            struct chart c;
            make_chart(&c, (enum chart_kind)kind, 3, 3, words[i]);
            struct regret_buffer svg = draw(&c);
            cr_assert_eq(count(regret_buffer_get(&svg), "<script"), 0);
            cr_assert_eq(count(regret_buffer_get(&svg), "</svg>"), 1);
            cr_assert_eq(count(regret_buffer_get(&svg), "\x1B"), 0);
            cr_assert_eq(count(regret_buffer_get(&svg), "\xE2\x80\xAE"), 0);
            regret_buffer_free(&svg);
        }
    }
}

/* Names that differ at their end, or in their middle, are told apart however long they are. */
Test(svg, long_names_stay_distinct)
{
    static const char *const names[] = {
        "meta-llama/Llama-3.1-Nemotron-Instruct-Turbo-2025-preview-8B-fp16",
        "meta-llama/Llama-3.1-Nemotron-Instruct-Turbo-2025-preview-70B-fp16",
        "meta-llama/Llama-3.1-Nemotron-Instruct-Turbo-2024-preview-70B-fp16"};
    for (double width = CHART_NARROW; width <= CHART_WIDTH; width += CHART_WIDTH - CHART_NARROW) {
        struct chart_labels labels = {(char *[]){(char *)names[0], (char *)names[1]}, 2};
        double room = svg_label_width(&labels, 0.4 * width);
        struct regret_buffer shown[2] = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
        for (int i = 0; i < 2; i++) {
            svg_shorten(&shown[i], names[i], room);
            cr_expect_leq(svg_text_width(regret_buffer_get(&shown[i])), room);
        }
        cr_expect_str_neq(regret_buffer_get(&shown[0]), regret_buffer_get(&shown[1]));
        regret_buffer_free(&shown[0]);
        regret_buffer_free(&shown[1]);
    }
    struct chart_labels middle = {(char *[]){(char *)names[1], (char *)names[2]}, 2};
    cr_expect_gt(svg_label_width(&middle, 144.0), 144.0, "room for what differs in the middle");
}

/* The greatest numbers, the least, equal ones and none. */
Test(svg, degenerate_values)
{
    static const double values[] = {0.0, 1e300, -1e300, 5e-324, 7.0, NAN};
    for (int kind = 0; kind < CHART_N_KINDS; kind++) {
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            struct chart c;
            make_chart(&c, (enum chart_kind)kind, 2, 2, "word");
            c.y_scale = CHART_LOG;
            c.x_scale = CHART_LOG;
            for (size_t j = 0; j < c.panels[0].n_points; j++) {
                c.panels[0].points[j].value = values[i];
                c.panels[0].points[j].low = -INFINITY;
                c.panels[0].points[j].high = NAN;
            }
            struct regret_buffer svg = draw(&c);
            regret_buffer_free(&svg);
        }
    }
}

Test(svg, a_line_a_series_and_a_mark_a_point)
{
    struct chart c;
    chart_begin(&c, CHART_LINES, "lines", "Lines");
    chart_series(&c, 0, "a");
    chart_series(&c, 1, "b");
    chart_series(&c, CHART_STYLE_REFERENCE, "grey");
    chart_panel(&c, "%s", "");
    for (size_t k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++) {
            chart_point(
                &c,
                (struct chart_point){
                    .series = k, .x = i, .value = i + (double)k, .low = i - 1.0, .high = i + 5.0});
        }
    }
    struct regret_buffer svg = draw(&c);
    const char *text = regret_buffer_get(&svg);
    cr_assert_eq(count(text, "class=\"fill s0\""), 4 + 1, "marks, and one of the legend");
    cr_assert_eq(count(text, "class=\"line s0\""), 1 + 1);
    cr_assert_eq(count(text, "class=\"band s0\""), 1);
    cr_assert_eq(count(text, "class=\"band s12\""), 0, "no bands of references");
    cr_assert_eq(count(text, "class=\"line s12\""), 2);
    regret_buffer_free(&svg);
}

Test(svg, a_tile_a_cell)
{
    struct chart c;
    chart_begin(&c, CHART_WINNERS, "winners", "Winners");
    chart_series(&c, 4, "a");
    chart_row(&c, "r");
    chart_column(&c, "one");
    chart_column(&c, "two");
    chart_panel(&c, "%s", "");
    chart_point(&c, (struct chart_point){.value = 0.0125});
    chart_point(&c, (struct chart_point){.column = 1, .value = 0.001, .flags = CHART_TIE});
    struct regret_buffer svg = draw(&c);
    cr_assert_eq(count(regret_buffer_get(&svg), "class=\"tile s4\""), 2);
    cr_assert_eq(count(regret_buffer_get(&svg), "stroke-dasharray=\"3 3\""), 1);
    cr_assert_eq(
        count(regret_buffer_get(&svg), ">0.013<") + count(regret_buffer_get(&svg), ">0.012<"), 1);
    cr_assert_eq(count(regret_buffer_get(&svg), ">≈ 0.001<"), 1);
    regret_buffer_free(&svg);
}

/* The x at which the n-th text of that content stands. */
static double text_at(const char *svg, const char *text, size_t n)
{
    char what[64];
    double x = -1.0;
    snprintf(what, sizeof what, ">%s<", text);
    const char *at = svg;
    for (size_t i = 0; i <= n; i++) {
        at = strstr(i == 0 ? at : at + 1, what);
        cr_assert_not_null(at, "%s", text);
    }
    while (strncmp(at, "<text x=", 8) != 0) {
        at--;
    }
    cr_assert_eq(sscanf(at, "<text x=\"%lf\"", &x), 1);
    return x;
}

/* Two and two panels, of which the first of each row names the rows. */
Test(svg, panels_stand_beside_each_other)
{
    struct chart c;
    chart_begin(&c, CHART_WINNERS, "winners", "Winners");
    c.across = 2;
    chart_series(&c, 4, "a");
    chart_row(&c, "the row");
    for (size_t i = 0; i < 8; i++) {
        chart_column(&c, "%zu", i);
    }
    for (size_t i = 0; i < 4; i++) {
        chart_panel(&c, "panel %zu", i);
        chart_point(&c, (struct chart_point){.column = 7, .value = 0.1, .flags = CHART_TIE});
    }
    struct regret_buffer svg = draw(&c);
    const char *text = regret_buffer_get(&svg);
    cr_assert_eq(count(text, ">the row<"), 2);
    cr_assert_eq(count(text, ">≈<"), 4, "too narrow for the lead");
    cr_assert_float_eq(text_at(text, "panel 0", 0), text_at(text, "panel 2", 0), 0.1);
    cr_assert_float_eq(text_at(text, "panel 1", 0), text_at(text, "panel 3", 0), 0.1);
    cr_assert_gt(text_at(text, "panel 1", 0), text_at(text, "7", 0));
    cr_assert_gt(text_at(text, "0", 1), text_at(text, "7", 0));
    regret_buffer_free(&svg);
}

Test(svg, a_tile_without_a_mark_has_a_word)
{
    struct chart c;
    chart_begin(&c, CHART_WINNERS, "winners", "Winners");
    chart_series(&c, CHART_STYLE_REFERENCE, "best-exp");
    chart_row(&c, "r");
    chart_column(&c, "one");
    chart_panel(&c, "%s", "");
    chart_point(&c, (struct chart_point){.value = 0.0125});
    struct regret_buffer svg = draw(&c);
    cr_assert_eq(count(regret_buffer_get(&svg), ">exp<"), 1);
    regret_buffer_free(&svg);
}

Test(svg, axes_hold_their_values)
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

Test(svg, logarithmic_axes)
{
    static const double ranges[][2] = {{0.012, 0.3},    {1, 1},    {1e-12, 1e12}, {99, 101},
                                       {5e-150, 1e149}, {0.1, 10}, {2, 5}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        double low = ranges[k][0], high = ranges[k][1], tick = 0.0, before = 0.0;
        struct svg_axis a = svg_log_axis(low, high, 0.0, 1.0);
        cr_assert(a.low <= low * (1 + 1e-9) && a.high >= high * (1 - 1e-9) && a.low < a.high,
                  "[%g, %g] in [%g, %g]", low, high, a.low, a.high);
        cr_assert_float_eq(svg_at(&a, a.low), 0.0, 1e-12);
        cr_assert_float_eq(svg_at(&a, a.high), 1.0, 1e-12);
        cr_assert_float_eq(svg_at(&a, sqrt(a.low) * sqrt(a.high)), 0.5, 1e-9);
        int n = 0;
        for (; svg_tick(&a, n, &tick); n++) {
            cr_assert_gt(tick, before);
            before = tick;
            cr_assert_lt(n, 14, "[%g, %g]", low, high);
        }
        cr_assert_geq(n, 2);
        cr_assert_float_eq(before / a.high, 1.0, 1e-9, "the last tick is the end");
    }
}

Test(svg, positions)
{
    struct chart c;
    struct positions p;
    chart_begin(&c, CHART_LINES, "a", "A");
    chart_series(&c, 0, "s");
    chart_panel(&c, "%s", "");
    static const double x[] = {100, 10, 1, 10};
    for (int i = 0; i < 4; i++) {
        chart_point(&c, (struct chart_point){.x = x[i], .value = 1.0});
    }
    cr_assert_eq(positions_find(&p, &c), 0);
    cr_assert_eq(p.n, 3);
    cr_assert_float_eq(positions_share(&p, 10), 9.0 / 99.0, 1e-15);
    p.scale = CHART_LOG;
    cr_assert_float_eq(positions_share(&p, 10), 0.5, 1e-15);
    p.scale = CHART_ORDINAL;
    cr_assert_eq(positions_share(&p, 10), 0.5);
    cr_assert_eq(positions_share(&p, 100), 1.0);
    positions_free(&p);
    c.x_scale = CHART_LOG;
    chart_point(&c, (struct chart_point){.x = 0.0, .value = 1.0});
    cr_assert_eq(positions_find(&p, &c), 0);
    cr_assert_eq(p.scale, CHART_ORDINAL, "0 has no logarithm");
    positions_free(&p);
    chart_free(&c);
}

/* Relative luminance and contrast of the Web Content Accessibility Guidelines 2.1. */
static double luminance(const char *colour)
{
    unsigned rgb[3];
    double l = 0.0;
    static const double weight[3] = {0.2126, 0.7152, 0.0722};
    cr_assert_eq(sscanf(colour, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]), 3);
    for (int i = 0; i < 3; i++) {
        double x = rgb[i] / 255.0;
        l += weight[i] * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
    }
    return l;
}

static double contrast(const char *a, const char *b)
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

Test(svg, styles_stand_out_on_light_and_dark)
{
    for (int k = 0; k < CHART_N_STYLES; k++) {
        const char *colour = chart_style(k)->colour;
        cr_assert_geq(contrast(colour, "#FFFFFF"), 3.0, "%d on white: %.2f", k,
                      contrast(colour, "#FFFFFF"));
        cr_assert_geq(contrast(colour, "#16181C"), 3.0, "%d on dark: %.2f", k,
                      contrast(colour, "#16181C"));
        for (int j = 0; j < k && k < CHART_N_SERIES_STYLES; j++) {
            cr_assert_str_neq(colour, chart_style(j)->colour);
            cr_assert_neq(chart_style(k)->mark, chart_style(j)->mark);
        }
    }
}
