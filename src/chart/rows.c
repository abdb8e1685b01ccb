/* Estimates with intervals, and strips of points, a row for each label. */
#include <math.h>

#include "base/core/try.h"
#include "chart/svg.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

static const double BOTTOM = 56.0, PANEL_HEAD = 30.0;

/* The rows of a panel from `top` on, with their axis and labels. */
struct rows {
    double left, top, row;
    struct svg_axis x;
};

static struct rows rows_layout(const struct chart *c, double row)
{
    double left = SVG_MARGIN + svg_label_width(&c->rows, 340.0) + 18.0;
    return (struct rows){left, 0.0, row, svg_value_axis(c, left + 8.0, SVG_WIDTH - 30.0)};
}

static double panel_height(const struct chart *c, double row)
{
    return row * (double)c->rows.n + BOTTOM + (c->n_panels > 1 ? PANEL_HEAD : 0.0);
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
    double top = svg_head(NULL, c);
    svg_begin(out, c->name, SVG_WIDTH, top + panel_height(c, row) * (double)c->n_panels, c->title,
              c->caption);
    svg_head(out, c);
    for (size_t i = 0; i < c->n_panels; i++) {
        r.top = top + panel_height(c, row) * (double)i;
        if (c->n_panels > 1) {
            r.top += PANEL_HEAD;
            svg_heading(out, SVG_MARGIN, r.top - 10.0, SVG_WIDTH - 2.0 * SVG_MARGIN,
                        c->panels[i].heading);
        }
        draw_frame(out, c, &r);
        TRY(draw(out, c, &c->panels[i], &r));
    }
    svg_end(out);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- intervals */

/* From series to series; closer where there are many. */
static double series_distance(const struct chart *c)
{
    return chart_is_by_row(c) ? 0.0 : c->rows.n * c->n_series > 60 ? 11.0 : 18.0;
}

static int draw_intervals(struct regret_buffer *out, const struct chart *c,
                          const struct chart_panel *panel, const struct rows *r)
{
    double distance = series_distance(c);
    for (size_t j = 0; j < panel->n_points; j++) {
        const struct chart_point *p = &panel->points[j];
        double y = r->top + r->row * ((double)p->row + 0.5) +
                   distance * ((double)p->series - 0.5 * (double)(c->n_series - 1));
        int style = c->series[p->series].style;
        if (!isfinite(p->value)) {
            continue;
        }
        if (isfinite(p->low) && isfinite(p->high)) {
            svg_line(out, style, svg_at(&r->x, p->low), y, svg_at(&r->x, p->high), y);
        }
        if (chart_style(style)->mark == MARK_NONE) {
            svg_bar(out, style, svg_at(&r->x, p->value), y);
        } else {
            svg_marker(out, style, svg_at(&r->x, p->value), y);
        }
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
