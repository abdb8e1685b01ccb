/* Rows and ranks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "chart/svg.h"
#include "regret/status.h"

/* Estimates with intervals, and strips of points, a row for each label. */

static const double BOTTOM = 56.0, PANEL_HEAD = 30.0;

/* The rows of a panel from `top` on, with their axis and labels, and where their numbers begin. */
struct rows {
    double left, top, row, numbers;
    struct svg_axis x;
};

/* "-0.0123 [-0.0150, -0.0096]"; of a narrow picture without the interval. */
static double numbers_width(const struct chart *c)
{
    return !c->numbered ? 30.0 : svg_is_narrow(c) ? 68.0 : 196.0;
}

static struct rows rows_layout(const struct chart *c, double row)
{
    double left = SVG_MARGIN + svg_label_width(&c->rows, 0.4 * svg_width(c)) + 18.0;
    double right = svg_width(c) - numbers_width(c);
    return (struct rows){left, 0.0, row, right + 12.0, svg_value_axis(c, left + 8.0, right)};
}

static double heading_width(const struct chart *c)
{
    return svg_width(c) - 2.0 * SVG_MARGIN;
}

/* A heading that is long for a narrow picture takes several lines. */
static double panel_head(const struct chart *c, const struct chart_panel *panel)
{
    size_t lines = svg_title(NULL, 0.0, 0.0, heading_width(c), panel->heading);
    return lines == 0 ? 0.0 : PANEL_HEAD + SVG_LINE * (double)(lines - 1);
}

static double panel_height(const struct chart *c, const struct chart_panel *panel, double row)
{
    return row * (double)c->rows.n + BOTTOM + panel_head(c, panel);
}

static void draw_frame(struct regret_buffer *out, const struct chart *c, const struct rows *r)
{
    svg_axis_x(out, &r->x, r->top, r->top + r->row * (double)c->rows.n, c->x_name);
    for (size_t i = 0; i < c->rows.n; i++) {
        svg_text(out, r->left - 12.0, r->top + r->row * ((double)i + 0.5) + 5.0, SVG_END,
                 r->left - SVG_MARGIN, c->rows.text[i]);
    }
}

typedef int draw_rows(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel, const struct rows *r);

static int draw_panels(struct regret_buffer *out, const struct chart *c, double row,
                       draw_rows *draw)
{
    struct rows r = rows_layout(c, row);
    double top = svg_head(NULL, c), height = top;
    for (size_t i = 0; i < c->n_panels; i++) {
        height += panel_height(c, &c->panels[i], row);
    }
    svg_begin(out, c, height);
    svg_head(out, c);
    for (size_t i = 0; i < c->n_panels; i++) {
        const struct chart_panel *panel = &c->panels[i];
        svg_title(out, SVG_MARGIN, top + 20.0, heading_width(c), panel->heading);
        r.top = top + panel_head(c, panel);
        draw_frame(out, c, &r);
        TRY(draw(out, c, panel, &r));
        top += panel_height(c, panel, row);
    }
    svg_end(out);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- intervals */

/* From series to series; closer where there are many. */
static double series_distance(const struct chart *c)
{
    return c->overlaid || chart_is_by_row(c) ? 0.0 : c->rows.n * c->n_series > 60 ? 11.0 : 18.0;
}

static void draw_mark(struct regret_buffer *out, const struct chart_point *p, int style, double x,
                      double y)
{
    if (chart_style(style)->mark == MARK_NONE) {
        svg_bar(out, style, x, y);
    } else if (p->flags & CHART_TIE) {
        svg_hollow_marker(out, style, x, y);
    } else {
        svg_marker(out, style, x, y);
    }
}

static void draw_numbers(struct regret_buffer *out, const struct chart *c,
                         const struct chart_point *p, double x, double y)
{
    char numbers[96];
    if (p->flags & CHART_ORIGIN) {
        snprintf(numbers, sizeof numbers, "%.4f", p->x);
    } else if (svg_is_narrow(c) || !isfinite(p->low) || !isfinite(p->high)) {
        snprintf(numbers, sizeof numbers, "%+.4f", p->value);
    } else {
        snprintf(numbers, sizeof numbers, "%+.4f [%+.4f, %+.4f]", p->value, p->low, p->high);
    }
    svg_muted_text(out, x, y + 5.0, SVG_START, svg_width(c) - x, numbers);
}

static void draw_interval(struct regret_buffer *out, const struct chart *c, const struct rows *r,
                          const struct chart_point *p, double y)
{
    int style = c->series[p->series].style, beyond = c->limit > 0.0 && p->value > r->x.high;
    if (!beyond && isfinite(p->low) && isfinite(p->high)) {
        svg_line(out, style, svg_at(&r->x, p->low), y, svg_at(&r->x, p->high), y);
    }
    if (beyond) {
        svg_beyond(out, style, r->x.end, y);
    } else {
        draw_mark(out, p, style, svg_at(&r->x, p->value), y);
    }
    if (c->numbered) {
        draw_numbers(out, c, p, r->numbers, y);
    }
}

static int draw_intervals(struct regret_buffer *out, const struct chart *c,
                          const struct chart_panel *panel, const struct rows *r)
{
    double distance = series_distance(c);
    for (size_t k = 0; k < c->n_series; k++) {
        svg_begin_series(out, k);
        for (size_t j = 0; j < panel->n_points; j++) {
            const struct chart_point *p = &panel->points[j];
            double y = r->top + r->row * ((double)p->row + 0.5) +
                       distance * ((double)k - 0.5 * (double)(c->n_series - 1));
            if (p->series == k && isfinite(p->value)) {
                svg_begin_point(out, c, panel, p);
                draw_interval(out, c, r, p, y);
                svg_end_group(out);
            }
        }
        svg_end_group(out);
    }
    return REGRET_OK;
}

int svg_draw_intervals(struct regret_buffer *out, const struct chart *c)
{
    double row = 12.0 + series_distance(c) * (double)c->n_series;
    return draw_panels(out, c, fmax(row, 26.0), draw_intervals);
}

/* ---------------------------------------------------------------- strips */

/* Of more points than this only the box is drawn. */
enum { STRIP_POINTS = 120 };

/* A spread of points over the row's height that is the same every time. */
static double jitter(size_t i)
{
    return 20.0 * ((double)(i * 7 % 17) / 16.0 - 0.5);
}

/* Quartiles as a box, the median as a mark, the 5th and 95th percentile as whiskers. */
static void draw_box(struct regret_buffer *out, int style, const double *sorted, size_t n, double y,
                     const struct svg_axis *x)
{
    double at[5];
    static const double p[5] = {0.05, 0.25, 0.5, 0.75, 0.95};
    for (int i = 0; i < 5; i++) {
        at[i] = svg_at(x, regret_quantile(sorted, n, p[i]));
    }
    svg_line(out, style, at[0], y, at[1], y);
    svg_line(out, style, at[3], y, at[4], y);
    svg_tile(out, style, at[1], y - 9.0, at[3] - at[1], 18.0, 0.25, 0);
    svg_line(out, style, at[2], y - 9.0, at[2], y + 9.0);
}

static int draw_strips(struct regret_buffer *out, const struct chart *c,
                       const struct chart_panel *panel, const struct rows *r)
{
    double *sorted = NULL;
    TRY(REGRET_NEW(&sorted, panel->n_points));
    for (size_t i = 0; i < c->rows.n; i++) {
        double middle = r->top + r->row * ((double)i + 0.5);
        int style = 0;
        size_t n = chart_row_values(sorted, &style, c, panel, i);
        for (size_t j = 0; j < n && n <= STRIP_POINTS; j++) {
            svg_dot(out, style, svg_at(&r->x, sorted[j]), middle + jitter(j));
        }
        regret_sort_numbers(sorted, n);
        if (n > 0) {
            draw_box(out, style, sorted, n, middle, &r->x);
        }
    }
    regret_free(sorted);
    return REGRET_OK;
}

int svg_draw_strips(struct regret_buffer *out, const struct chart *c)
{
    return draw_panels(out, c, 34.0, draw_strips);
}

/* Critical differences (Demšar 2006): series at their mean ranks on one axis, the best to the left; bars
 * join those that do not differ. */

static const double LABEL = 22.0, BAR = 11.0;

static int compare_values(const void *a, const void *b)
{
    const struct chart_point *p = *(const struct chart_point *const *)a;
    const struct chart_point *q = *(const struct chart_point *const *)b;
    return (p->value > q->value) - (p->value < q->value);
}

/* The points of series, by value; and how many bars there are. */
static size_t sort_series(const struct chart_point **sorted, size_t *bars,
                          const struct chart_panel *panel)
{
    size_t n = 0;
    *bars = 0;
    for (size_t j = 0; j < panel->n_points; j++) {
        const struct chart_point *p = &panel->points[j];
        *bars += p->series == CHART_NO_SERIES;
        if (p->series != CHART_NO_SERIES && isfinite(p->value)) {
            sorted[n++] = p;
        }
    }
    if (n > 1) {
        qsort(sorted, n, sizeof *sorted, compare_values);
    }
    return n;
}

/* The better half is named to the left, the other to the right, the outermost lowest. */
static void draw_series(struct regret_buffer *out, const struct chart *c,
                        const struct chart_point *const *sorted, size_t n, const struct svg_axis *x,
                        double axis, double below)
{
    size_t half = (n + 1) / 2;
    for (size_t i = 0; i < n; i++) {
        const struct chart_series *s = &c->series[sorted[i]->series];
        int left = i < half;
        double at = svg_at(x, sorted[i]->value);
        double y = below + LABEL * (double)(left ? i : n - 1 - i);
        double end = left ? x->begin - 12.0 : x->end + 12.0;
        char rank[32];
        snprintf(rank, sizeof rank, "%.*f", c->decimals, sorted[i]->value);
        svg_begin_point(out, c, &c->panels[0], sorted[i]);
        svg_polyline(out, s->style, (const double[]){at, at, end}, (const double[]){axis, y, y}, 3);
        svg_marker(out, s->style, at, axis);
        struct regret_buffer label = REGRET_BUFFER_INIT;
        regret_buffer_printf(&label, "%s  %s", left ? s->name : rank, left ? rank : s->name);
        svg_text(out, left ? end - 6.0 : end + 6.0, y + 5.0, left ? SVG_END : SVG_START,
                 x->begin - SVG_MARGIN, regret_buffer_get(&label));
        regret_buffer_free_into(out, &label);
        svg_end_group(out);
    }
}

static void draw_bars(struct regret_buffer *out, const struct chart_panel *panel,
                      const struct svg_axis *x, double y)
{
    for (size_t j = 0; j < panel->n_points; j++) {
        const struct chart_point *p = &panel->points[j];
        if (p->series == CHART_NO_SERIES) {
            regret_buffer_printf(out,
                                 "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
                                 "y2=\"%.1f\" stroke=\"#5A5A5A\" stroke-width=\"5\" "
                                 "stroke-linecap=\"round\"/>\n",
                                 svg_at(x, p->low) - 3.0, y, svg_at(x, p->high) + 3.0, y);
            y += BAR;
        }
    }
}

static void draw_axis(struct regret_buffer *out, const struct chart *c, const struct svg_axis *x,
                      double y)
{
    svg_rule(out, SVG_AXIS, x->begin, y, x->end, y);
    double rank = 0.0;
    for (int i = 0; svg_tick(x, i, &rank); i++) {
        char label[32];
        snprintf(label, sizeof label, "%.4g", rank);
        svg_rule(out, SVG_AXIS, svg_at(x, rank), y - 6.0, svg_at(x, rank), y);
        svg_muted_text(out, svg_at(x, rank), y - 12.0, SVG_MIDDLE, 60.0, label);
    }
    svg_muted_text(out, 0.5 * (x->begin + x->end), y - 32.0, SVG_MIDDLE, x->end - x->begin,
                   c->x_name);
}

int svg_draw_ranks(struct regret_buffer *out, const struct chart *c)
{
    const struct chart_panel *panel = &c->panels[0];
    const struct chart_point **sorted = NULL;
    size_t bars = 0;
    TRY(REGRET_NEW(&sorted, panel->n_points));
    size_t n = sort_series(sorted, &bars, panel);
    double side = SVG_MARGIN + 40.0, axis = svg_head(NULL, c) + 62.0;
    for (size_t k = 0; k < c->n_series; k++) {
        side = fmax(side, SVG_MARGIN + 76.0 + svg_text_width(c->series[k].name));
    }
    side = fmin(side, 0.4 * svg_width(c));
    struct svg_axis x = {1.0, fmax((double)c->n_series, 2.0), 1.0, side, svg_width(c) - side, 0};
    size_t half = (n + 1) / 2;
    double below = axis + 16.0 + BAR * (double)bars + LABEL * 0.5;
    svg_begin(out, c, below + LABEL * (double)half + 12.0);
    svg_head(out, c);
    draw_axis(out, c, &x, axis);
    draw_series(out, c, sorted, n, &x, axis, below);
    draw_bars(out, panel, &x, axis + 14.0);
    svg_end(out);
    regret_free(sorted);
    return REGRET_OK;
}
