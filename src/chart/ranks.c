/* Critical differences (Demšar 2006): series at their mean ranks on one axis, the best to the left; bars
 * join those that do not differ. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "chart/svg.h"
#include "regret/alloc.h"

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
