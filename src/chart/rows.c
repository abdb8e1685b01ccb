/* Estimates with intervals, and strips of points, a row for each label. */
#include <math.h>
#include <stdio.h>

#include "base/core/try.h"
#include "chart/svg.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

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
