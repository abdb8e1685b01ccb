/* Lines and tiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "chart/figure.h"
#include "chart/svg.h"
#include "regret/status.h"

/* Lines over x, panel by panel. */

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

/* Grids: winners with their lead, and shares. */

static const double PANEL_HEAD = 34.0, COLUMN_HEAD = 24.0, BOTTOM = 46.0, BETWEEN = 20.0;
/* Ink on the darkest tile has a contrast above 4.5 in light and in dark. */
static const double DARKEST = 0.5;

struct grid {
    double left, top, cell_width, cell_height;
    double head;  /* room for the labels of columns, which slant where they are wider than a cell */
    int slanted;  /* by so many degrees; upright in a narrow picture */
    double label; /* the width of the longest label of a column */
    size_t across; /* panels beside each other */
};

/* Sine and cosine of the slant of 30 degrees. */
static const double UP = 0.5, ALONG = 0.866, MOST_SLANTED = 150.0;

static struct grid grid_layout(const struct chart *c)
{
    double left = SVG_MARGIN + svg_label_width(&c->rows, 0.3 * svg_width(c)) + 14.0;
    double room = svg_width(c) - SVG_MARGIN - left,
           label = svg_label_width(&c->columns, MOST_SLANTED);
    double n = c->columns.n > 0 ? (double)c->columns.n : 1.0;
    struct grid g = {.left = left,
                     .cell_width = fmin(room / n, 150.0),
                     .cell_height = c->kind == CHART_WINNERS ? 40.0 : 24.0,
                     .head = COLUMN_HEAD,
                     .label = label,
                     .across = 1};
    if (c->across > 1 && c->n_panels > 1 && !svg_is_narrow(c)) {
        g.across = c->across < c->n_panels ? c->across : c->n_panels;
        double k = (double)g.across;
        g.cell_width = fmin((room - BETWEEN * (k - 1.0)) / (n * k), 150.0);
        g.cell_height = 26.0;
    } else if (label > g.cell_width - (svg_is_narrow(c) ? 6.0 : 0.0)) {
        int upright = svg_is_narrow(c);
        g.slanted = upright ? 90 : 30;
        g.head = (upright ? 1.0 : UP) * label + 20.0;
        g.cell_width = upright ? g.cell_width : fmin((room - ALONG * label) / (n - 0.5), 150.0);
    }
    return g;
}

/* The mark of a series; of one without, the last word of its name. */
static void draw_mark(struct regret_buffer *out, const struct chart_series *s, double x, double y)
{
    const char *last = strrchr(s->name, '-');
    if (chart_style(s->style)->mark == MARK_NONE) {
        svg_text(out, x - 8.0, y + 5.0, SVG_START, 32.0, last != NULL ? last + 1 : s->name);
    } else {
        svg_marker(out, s->style, x, y);
    }
}

static void draw_winner(struct regret_buffer *out, const struct chart *c,
                        const struct chart_point *p, double x, double y, const struct grid *g)
{
    char lead[48];
    int tie = (p->flags & CHART_TIE) != 0, style = c->series[p->series].style;
    double middle = y + 0.5 * g->cell_height;
    svg_tile(out, style, x, y, g->cell_width - 3.0, g->cell_height - 3.0, tie ? 0.08 : 0.3, tie);
    draw_mark(out, &c->series[p->series], x + 14.0, middle - 1.5);
    snprintf(lead, sizeof lead, "%s%.*f", tie ? "≈ " : "", c->decimals, p->value);
    if (g->cell_width < 70.0) {
        svg_text(out, x + g->cell_width - 8.0, middle + 4.0, SVG_END, 12.0, tie ? "≈" : "");
    } else {
        svg_text(out, x + g->cell_width - 10.0, middle + 4.0, SVG_END, g->cell_width - 26.0, lead);
    }
}

static void draw_share(struct regret_buffer *out, const struct chart *c,
                       const struct chart_point *p, double x, double y, const struct grid *g)
{
    char share[32];
    svg_tile(out, 1, x, y, g->cell_width - 2.0, g->cell_height - 2.0,
             DARKEST * fmin(fmax(p->value, 0.0), 1.0), 0);
    snprintf(share, sizeof share, "%.*f%s", c->decimals, 100.0 * p->value,
             g->cell_width < 40.0 ? "" : " %");
    if (svg_text_width(share) < g->cell_width + 8.0) { /* else the title alone says it */
        svg_text(out, x + 0.5 * g->cell_width, y + 0.5 * g->cell_height + 4.0, SVG_MIDDLE,
                 g->cell_width + 8.0, share);
    }
}

/* In two lines at its first comma where one has no room: rows are told apart by the end of their labels. */
static void draw_row_label(struct regret_buffer *out, const struct grid *g, double y,
                           const char *text)
{
    double room = g->left - SVG_MARGIN;
    const char *comma = svg_text_width(text) > room - 10.0 ? strstr(text, ", ") : NULL;
    if (comma != NULL && g->cell_height >= 2.0 * SVG_LINE) {
        struct regret_buffer first = REGRET_BUFFER_INIT;
        regret_buffer_append_n(&first, text, (size_t)(comma - text) + 1);
        svg_text(out, g->left - 10.0, y - 8.0, SVG_END, room, regret_buffer_get(&first));
        svg_text(out, g->left - 10.0, y + 9.0, SVG_END, room, comma + 2);
        regret_buffer_free_into(out, &first);
    } else {
        svg_text(out, g->left - 10.0, y, SVG_END, room, text);
    }
}

static void draw_labels(struct regret_buffer *out, const struct chart *c, const struct grid *g,
                        int with_rows)
{
    for (size_t i = 0; with_rows && i < c->rows.n; i++) {
        draw_row_label(out, g, g->top + g->cell_height * ((double)i + 0.5) + 4.0, c->rows.text[i]);
    }
    for (size_t j = 0; j < c->columns.n; j++) {
        double x = g->left + g->cell_width * ((double)j + 0.5);
        if (g->slanted) {
            svg_slanted_text(out, g->slanted == 90 ? x + 5.0 : x, g->top - 8.0, g->slanted,
                             g->label, c->columns.text[j]);
        } else {
            svg_muted_text(out, x, g->top - 8.0, SVG_MIDDLE, g->cell_width, c->columns.text[j]);
        }
    }
}

/* The first of those beside each other has the labels of the rows. */
static void grid_draw_panel(struct regret_buffer *out, const struct chart *c,
                            const struct chart_panel *panel, const struct grid *g, int is_first)
{
    double left = g->across > 1 ? g->left : SVG_MARGIN;
    double width =
        g->across > 1 ? g->cell_width * (double)c->columns.n : svg_width(c) - 2.0 * SVG_MARGIN;
    if (panel->heading[0] != '\0') {
        svg_heading(out, left, g->top - g->head - 12.0, width, panel->heading);
    }
    draw_labels(out, c, g, is_first);
    for (size_t j = 0; j < panel->n_points; j++) {
        const struct chart_point *p = &panel->points[j];
        if (!isfinite(p->value)) {
            continue;
        }
        double x = g->left + g->cell_width * (double)p->column;
        double y = g->top + g->cell_height * (double)p->row;
        svg_begin_point(out, c, panel, p);
        (c->kind == CHART_WINNERS ? draw_winner : draw_share)(out, c, p, x, y, g);
        svg_end_group(out);
    }
    svg_muted_text(out, g->left, g->top + g->cell_height * (double)c->rows.n + 18.0, SVG_START,
                   svg_width(c) - g->left, c->x_name);
}

int svg_draw_grid(struct regret_buffer *out, const struct chart *c)
{
    struct grid g = grid_layout(c);
    const double top = svg_head(NULL, c);
    const double above = g.head + (c->n_panels > 1 ? PANEL_HEAD : 8.0);
    const double height =
        above + g.cell_height * (double)c->rows.n + (c->x_name[0] != '\0' ? BOTTOM : 0.5 * BOTTOM);
    const double left = g.left, step = g.cell_width * (double)c->columns.n + BETWEEN;
    size_t down = (c->n_panels + g.across - 1) / g.across;
    svg_begin(out, c, top + height * (double)down);
    svg_head(out, c);
    for (size_t i = 0; i < c->n_panels; i++) {
        size_t line = i / g.across;
        g.top = top + height * (double)line + above;
        g.left = left + step * (double)(i % g.across);
        grid_draw_panel(out, c, &c->panels[i], &g, i % g.across == 0);
    }
    svg_end(out);
    return REGRET_OK;
}
