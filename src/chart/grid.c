/* Grids: winners with their lead, and shares. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/svg.h"

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
static void draw_panel(struct regret_buffer *out, const struct chart *c,
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
        draw_panel(out, c, &c->panels[i], &g, i % g.across == 0);
    }
    svg_end(out);
    return REGRET_OK;
}
