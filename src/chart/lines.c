/* Lines over x, panel by panel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "chart/positions.h"
#include "chart/svg.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

/* ---------------------------------------------------------------- positions */

int positions_find(struct positions *out, const struct chart *c)
{
    size_t n = 0, distinct = 0;
    *out = (struct positions){.scale = c->x_scale};
    for (size_t i = 0; i < c->n_panels; i++) {
        n += c->panels[i].n_points;
    }
    TRY(REGRET_NEW(&out->x, n));
    n = 0;
    for (size_t i = 0; i < c->n_panels; i++) {
        for (size_t j = 0; j < c->panels[i].n_points; j++) {
            out->x[n++] = c->panels[i].points[j].x;
        }
    }
    regret_sort_numbers(out->x, n);
    for (size_t i = 0; i < n; i++) {
        if (distinct == 0 || out->x[i] > out->x[distinct - 1]) {
            out->x[distinct++] = out->x[i];
        }
    }
    out->n = distinct;
    if (out->scale == CHART_LOG && distinct > 0 && !(out->x[0] > 0.0)) {
        out->scale = CHART_ORDINAL;
    }
    return REGRET_OK;
}

double positions_share(const struct positions *p, double x)
{
    if (p->n < 2) {
        return 0.5;
    }
    const double first = p->x[0], last = p->x[p->n - 1];
    if (p->scale == CHART_LOG) {
        return log(x / first) / log(last / first);
    }
    if (p->scale != CHART_ORDINAL) {
        return (x - first) / (last - first);
    }
    size_t i = 0;
    while (i + 1 < p->n && p->x[i] < x) {
        i++;
    }
    return (double)i / (double)(p->n - 1);
}

void positions_free(struct positions *p)
{
    regret_free(p->x);
    p->x = NULL;
}

/* ---------------------------------------------------------------- panels */

/* Where a panel stands. */
struct frame {
    double left, right, top, bottom;
};

/* Room inside a panel before the first x and after the last, as bands and marks need it. */
static const double INSIDE = 22.0;

static double x_at(const struct frame *f, const struct positions *p, double x)
{
    return f->left + INSIDE + positions_share(p, x) * (f->right - f->left - 2.0 * INSIDE);
}

/* Round values between the first x and the last. */
static void draw_round_ticks(struct regret_buffer *out, const struct frame *f,
                             const struct positions *p)
{
    struct svg_axis axis = svg_axis(p->x[0], p->x[p->n - 1], f->left, f->right);
    double tick = 0.0;
    for (int i = 0; svg_tick(&axis, i, &tick); i++) {
        char number[32];
        double x = x_at(f, p, tick);
        snprintf(number, sizeof number, "%.6g", tick);
        if (tick >= p->x[0] && tick <= p->x[p->n - 1]) {
            svg_rule(out, SVG_GRID, x, f->top, x, f->bottom);
            svg_muted_text(out, x, f->bottom + 18.0, SVG_MIDDLE, 160.0, number);
        }
    }
}

/* A label at each x, but for those that would run into the one before. */
static void draw_x_axis(struct regret_buffer *out, const struct chart *c, const struct frame *f,
                        const struct positions *p)
{
    double end = -INFINITY;
    if (p->scale == CHART_EVEN && p->n > 1) {
        draw_round_ticks(out, f, p);
    }
    for (size_t i = 0; i < p->n && p->scale != CHART_EVEN; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.6g", p->x[i]);
        const char *label = c->columns.n > i ? c->columns.text[i] : number;
        double x = x_at(f, p, p->x[i]), half = 0.5 * svg_text_width(label);
        svg_rule(out, SVG_GRID, x, f->top, x, f->bottom);
        if (x - half > end + 6.0) {
            svg_muted_text(out, x, f->bottom + 18.0, SVG_MIDDLE, 160.0, label);
            end = x + half;
        }
    }
    svg_axis_name(out, 0.5 * (f->left + f->right), f->bottom + 40.0, SVG_MIDDLE,
                  f->right - f->left + 40.0, c->x_name, p->scale == CHART_LOG);
}

/* Room for the points of one series of a panel, by x. */
struct curve {
    const struct chart_point **points;
    size_t n;
    double *x, *y; /* of the picture; twice as many */
};

FREED_FIELDS(curve, of->points, of->x, of->y)

static int compare_points(const void *a, const void *b)
{
    const struct chart_point *p = *(const struct chart_point *const *)a;
    const struct chart_point *q = *(const struct chart_point *const *)b;
    return (p->x > q->x) - (p->x < q->x);
}

static void gather_curve(struct curve *curve, const struct chart_panel *panel, size_t series)
{
    curve->n = 0;
    for (size_t j = 0; j < panel->n_points; j++) {
        if (panel->points[j].series == series && isfinite(panel->points[j].value)) {
            curve->points[curve->n++] = &panel->points[j];
        }
    }
    if (curve->n > 1) {
        qsort(curve->points, curve->n, sizeof *curve->points, compare_points);
    }
}

/* The band of the intervals; a single one is a whisker. */
static void draw_band(struct regret_buffer *out, struct curve *curve, int style,
                      const struct svg_axis *y)
{
    size_t n = 0;
    for (size_t i = 0; i < curve->n; i++) {
        n += isfinite(curve->points[i]->low) && isfinite(curve->points[i]->high);
    }
    if (n < curve->n || n == 0) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        curve->x[2 * n - 1 - i] = curve->x[i];
        curve->y[i] = svg_at(y, curve->points[i]->low);
        curve->y[2 * n - 1 - i] = svg_at(y, curve->points[i]->high);
    }
    if (n == 1) {
        svg_line(out, style, curve->x[0], curve->y[0], curve->x[0], curve->y[1]);
    } else {
        svg_band(out, style, curve->x, curve->y, 2 * n);
    }
}

/* Beside a mark, on the side where there is room. */
static void draw_name(struct regret_buffer *out, const struct frame *f, double x, double y,
                      const char *name)
{
    int left = x > 0.5 * (f->left + f->right);
    svg_muted_text(out, x + (left ? -8.0 : 8.0), y - 7.0, left ? SVG_END : SVG_START, 220.0, name);
}

static void draw_curve(struct regret_buffer *out, struct curve *curve, const struct chart *c,
                       const struct chart_panel *panel, int style, const struct frame *f,
                       const struct positions *p, const struct svg_axis *y)
{
    for (size_t i = 0; i < curve->n; i++) {
        curve->x[i] = x_at(f, p, curve->points[i]->x);
    }
    if (style < CHART_N_SERIES_STYLES) {
        draw_band(out, curve, style, y);
    }
    for (size_t i = 0; i < curve->n; i++) {
        curve->y[i] = svg_at(y, curve->points[i]->value);
    }
    int named = curve->n > 0 && (curve->points[0]->flags & CHART_NAMED) != 0;
    if (curve->n > 1 && !named) {
        svg_polyline(out, style, curve->x, curve->y, curve->n);
    }
    for (size_t i = 0; i < curve->n; i++) {
        svg_begin_point(out, c, panel, curve->points[i]);
        svg_marker(out, style, curve->x[i], curve->y[i]);
        if (named) {
            draw_name(out, f, curve->x[i], curve->y[i], c->rows.text[curve->points[i]->row]);
        }
        svg_end_group(out);
    }
}

static int draw_panel(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel, const struct frame *f,
                      const struct positions *p)
{
    FREED_BY(curve_fields) struct curve curve = {NULL, 0, NULL, NULL};
    struct svg_axis y = svg_value_axis(c, f->bottom, f->top);
    TRY(REGRET_NEW(&curve.points, panel->n_points));
    TRY(REGRET_NEW(&curve.x, 2 * panel->n_points));
    TRY(REGRET_NEW(&curve.y, 2 * panel->n_points));
    if (panel->heading[0] != '\0') {
        svg_heading(out, f->left - 52.0, f->top - 36.0, f->right - f->left + 52.0, panel->heading);
    }
    svg_axis_y(out, &y, f->left, f->right, c->y_name);
    draw_x_axis(out, c, f, p);
    for (size_t k = 0; k < c->n_series; k++) {
        gather_curve(&curve, panel, k);
        svg_begin_series(out, k);
        draw_curve(out, &curve, c, panel, c->series[k].style, f, p, &y);
        svg_end_group(out);
    }
    return REGRET_OK;
}

int svg_draw_lines(struct regret_buffer *out, const struct chart *c)
{
    const size_t across = c->n_panels > 1 && !svg_is_narrow(c) ? 2 : 1,
                 down = (c->n_panels + across - 1) / across;
    const double width = svg_width(c) / (double)across;
    const double plot = c->n_panels > 1 ? 230.0 : 300.0;
    const double above = c->n_panels > 1 ? 54.0 : 30.0, row = above + plot + 58.0;
    const double top = svg_head(NULL, c);
    FREED_BY(positions_free) struct positions p = {NULL, 0, CHART_LINEAR};
    TRY(positions_find(&p, c));
    svg_begin(out, c, top + row * (double)down);
    svg_head(out, c);
    for (size_t i = 0; i < c->n_panels; i++) {
        size_t line = i / across;
        double left = width * (double)(i % across), y = top + row * (double)line + above;
        struct frame f = {left + 68.0, left + width - 18.0, y, y + plot};
        TRY(draw_panel(out, c, &c->panels[i], &f, &p));
    }
    svg_end(out);
    return REGRET_OK;
}
