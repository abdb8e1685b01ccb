/* Charts for pgfplots: axes with plots of coordinates, so that who pastes one can restyle it. */
#include <math.h>

#include "base/core/try.h"
#include "base/text/escape.h"
#include "chart/density.h"
#include "chart/positions.h"
#include "chart/svg.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

/* ---------------------------------------------------------------- parts */

static void put_braced(struct regret_buffer *out, const char *key, const char *text)
{
    regret_buffer_printf(out, ",\n  %s={", key);
    latex_escape(out, text);
    regret_buffer_append_char(out, '}');
}

/* The options of an axis that are open to more. */
static void open_axis(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel, const char *more)
{
    regret_buffer_printf(out, "\\nextgroupplot[%s", more);
    put_braced(out, "title", panel->heading[0] != '\0' ? panel->heading : c->title);
    put_braced(out, "xlabel", c->x_name);
    put_braced(out, "ylabel", c->y_name);
}

/* Labels at 0, 1, … of an axis. */
static void put_ticks(struct regret_buffer *out, const char *axis,
                      const struct chart_labels *labels)
{
    regret_buffer_printf(out, ",\n  %stick={", axis);
    for (size_t i = 0; i < labels->n; i++) {
        regret_buffer_printf(out, "%s%zu", i > 0 ? "," : "", i);
    }
    regret_buffer_printf(out, "},\n  %sticklabels={", axis);
    for (size_t i = 0; i < labels->n; i++) {
        regret_buffer_append(out, i > 0 ? ",{" : "{");
        latex_escape(out, labels->text[i]);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, '}');
}

static void put_legend(struct regret_buffer *out, const struct chart *c)
{
    for (size_t k = 0; k < c->n_series; k++) {
        regret_buffer_append(out, "\\addlegendentry{");
        latex_escape(out, c->series[k].name);
        regret_buffer_append(out, "}\n");
    }
}

/* The start of a plot in the style of a series. */
static void open_plot(struct regret_buffer *out, int style, const char *more)
{
    const struct chart_style *s = chart_style(style);
    regret_buffer_printf(out, "\\addplot[color=regretS%d,mark=%s%s] coordinates {", style,
                         s->pgf_mark, more);
}

static void put_pair(struct regret_buffer *out, double x, double y)
{
    regret_buffer_printf(out, " (%.8g,%.8g)", x, y);
}

static void put_rectangle(struct regret_buffer *out, int style, double opacity, double x1,
                          double y1, double x2, double y2)
{
    regret_buffer_printf(out,
                         "\\filldraw[draw=regretS%d,fill=regretS%d,fill opacity=%.3f] (axis "
                         "cs:%.8g,%.8g) rectangle (axis cs:%.8g,%.8g);\n",
                         style, style, opacity, x1, y1, x2, y2);
}

/* ---------------------------------------------------------------- lines */

static double tex_x(const struct positions *p, double x)
{
    return p->scale == CHART_ORDINAL ? positions_share(p, x) * (double)(p->n - 1) : x;
}

/* 1 when the points of a series stand by themselves. */
static int is_named(const struct chart_panel *panel, size_t series)
{
    for (size_t j = 0; j < panel->n_points; j++) {
        if (panel->points[j].series == series && (panel->points[j].flags & CHART_NAMED)) {
            return 1;
        }
    }
    return 0;
}

static void put_names(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel, const struct positions *p)
{
    for (size_t j = 0; j < panel->n_points; j++) {
        const struct chart_point *q = &panel->points[j];
        if ((q->flags & CHART_NAMED) && isfinite(q->value)) {
            regret_buffer_printf(out,
                                 "\\node[font=\\scriptsize,anchor=south] at (axis cs:%.8g,%.8g) {",
                                 tex_x(p, q->x), q->value);
            latex_escape(out, c->rows.text[q->row]);
            regret_buffer_append(out, "};\n");
        }
    }
}

/* The area of the intervals of a series; its points are in the order of x. */
static void put_band(struct regret_buffer *out, const struct chart_panel *panel, size_t series,
                     int style, const struct positions *p, double least)
{
    regret_buffer_printf(out,
                         "\\addplot[draw=none,fill=regretS%d,fill opacity=0.12,forget plot] "
                         "coordinates {",
                         style);
    for (int side = 0; side < 2; side++) {
        for (size_t j = 0; j < panel->n_points; j++) {
            const struct chart_point *q = &panel->points[side == 0 ? j : panel->n_points - 1 - j];
            double y = side == 0 ? fmax(q->low, least) : q->high;
            if (q->series == series && isfinite(q->value) && isfinite(y)) {
                put_pair(out, tex_x(p, q->x), y);
            }
        }
    }
    regret_buffer_append(out, " };\n");
}

static void put_lines(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel, const struct positions *p)
{
    int log = svg_is_log(c);
    struct svg_axis y = svg_value_axis(c, 0.0, 1.0);
    for (size_t k = 0; k < c->n_series; k++) {
        int style = c->series[k].style;
        if (style < CHART_N_SERIES_STYLES) {
            put_band(out, panel, k, style, p, log ? y.low : -INFINITY);
        }
        struct regret_buffer dash = REGRET_BUFFER_INIT;
        regret_buffer_printf(&dash, ",%s",
                             is_named(panel, k) ? "only marks" : chart_style(style)->pgf_dash);
        open_plot(out, style, regret_buffer_get(&dash));
        regret_buffer_free_into(out, &dash);
        for (size_t j = 0; j < panel->n_points; j++) {
            const struct chart_point *q = &panel->points[j];
            if (q->series == k && isfinite(q->value)) {
                put_pair(out, tex_x(p, q->x), q->value);
            }
        }
        regret_buffer_append(out, " };\n");
    }
    put_names(out, c, panel, p);
}

static void put_positions(struct regret_buffer *out, const struct positions *p)
{
    regret_buffer_append(out, ",\n  xtick={");
    for (size_t i = 0; i < p->n; i++) {
        regret_buffer_printf(out, "%s%.8g", i > 0 ? "," : "", tex_x(p, p->x[i]));
    }
    regret_buffer_append(out, "},\n  xticklabels={");
    for (size_t i = 0; i < p->n; i++) {
        regret_buffer_printf(out, "%s%.6g", i > 0 ? "," : "", p->x[i]);
    }
    regret_buffer_append_char(out, '}');
}

static int tex_lines(struct regret_buffer *out, const struct chart *c,
                     const struct chart_panel *panel)
{
    struct positions p;
    TRY(positions_find(&p, c));
    open_axis(out, c, panel, "axis on top=false");
    if (p.scale != CHART_EVEN) {
        put_positions(out, &p);
    }
    regret_buffer_append(out, p.scale == CHART_LOG ? ",\n  xmode=log" : "");
    regret_buffer_append(out, svg_is_log(c) ? ",\n  ymode=log" : "");
    regret_buffer_append(out, "]\n");
    put_lines(out, c, panel, &p);
    positions_free(&p);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- rows */

static int tex_intervals(struct regret_buffer *out, const struct chart *c,
                         const struct chart_panel *panel)
{
    double step = chart_is_by_row(c) ? 0.0 : 0.7 / (double)c->n_series;
    open_axis(out, c, panel, "y dir=reverse,xmajorgrids");
    put_ticks(out, "y", &c->rows);
    regret_buffer_append(out, "]\n");
    for (size_t k = 0; k < c->n_series; k++) {
        double shift = step * ((double)k - 0.5 * (double)(c->n_series - 1));
        open_plot(out, c->series[k].style, ",only marks,error bars/.cd,x dir=both,x explicit");
        for (size_t j = 0; j < panel->n_points; j++) {
            const struct chart_point *p = &panel->points[j];
            if (p->series == k && isfinite(p->value)) {
                int whiskers = isfinite(p->low) && isfinite(p->high);
                put_pair(out, p->value, (double)p->row + shift);
                regret_buffer_printf(out, " += (%.8g,0) -= (%.8g,0)",
                                     whiskers ? p->high - p->value : 0.0,
                                     whiskers ? p->value - p->low : 0.0);
            }
        }
        regret_buffer_append(out, " };\n");
    }
    return REGRET_OK;
}

static int tex_strips(struct regret_buffer *out, const struct chart *c,
                      const struct chart_panel *panel)
{
    double *sorted = NULL;
    TRY(REGRET_NEW(&sorted, panel->n_points));
    open_axis(out, c, panel, "y dir=reverse,xmajorgrids");
    put_ticks(out, "y", &c->rows);
    regret_buffer_append(out, "]\n");
    for (size_t i = 0; i < c->rows.n; i++) {
        int style = 0;
        double row = (double)i;
        size_t n = chart_row_values(sorted, &style, c, panel, i);
        regret_sort_numbers(sorted, n);
        if (n == 0) {
            continue;
        }
        open_plot(out, style, ",no marks,thick,forget plot");
        put_pair(out, regret_quantile(sorted, n, 0.05), row);
        put_pair(out, regret_quantile(sorted, n, 0.95), row);
        regret_buffer_append(out, " };\n");
        put_rectangle(out, style, 0.25, regret_quantile(sorted, n, 0.25), row - 0.28,
                      regret_quantile(sorted, n, 0.75), row + 0.28);
        open_plot(out, style, ",no marks,very thick,forget plot");
        put_pair(out, regret_quantile(sorted, n, 0.5), row - 0.28);
        put_pair(out, regret_quantile(sorted, n, 0.5), row + 0.28);
        regret_buffer_append(out, " };\n");
    }
    regret_free(sorted);
    return REGRET_OK;
}

static int tex_densities(struct regret_buffer *out, const struct chart *c,
                         const struct chart_panel *panel)
{
    struct densities d;
    double low = 0.0, high = 0.0;
    svg_range(&low, &high, c);
    struct svg_axis x = svg_axis(low - 0.08 * (high - low), high + 0.08 * (high - low), 0.0, 1.0);
    TRY(densities_make(&d, c, x.low, x.high));
    open_axis(out, c, panel, "ymin=0");
    regret_buffer_append(out, "]\n");
    for (size_t k = 0; k < c->n_series; k++) {
        open_plot(out, c->series[k].style, k > 0 ? ",no marks,thick,dashed" : ",no marks,thick");
        for (int i = 0; i < DENSITY_BINS; i += 4) {
            put_pair(out, density_x(&d, i), d.curve[k][i]);
        }
        regret_buffer_append(out, " };\n");
    }
    densities_free(&d);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- grids */

static void put_cell(struct regret_buffer *out, const struct chart *c, const struct chart_point *p)
{
    double x = (double)p->column, y = (double)p->row;
    int winner = c->kind == CHART_WINNERS, tie = (p->flags & CHART_TIE) != 0;
    int style = winner ? c->series[p->series].style : 1;
    double opacity = !winner ? 0.5 * fmin(fmax(p->value, 0.0), 1.0) : tie ? 0.1 : 0.4;
    put_rectangle(out, style, opacity, x - 0.48, y - 0.46, x + 0.48, y + 0.46);
    regret_buffer_printf(out, "\\node[font=\\scriptsize,align=center] at (axis cs:%.8g,%.8g) {", x,
                         y);
    if (winner) {
        latex_escape(out, c->series[p->series].name);
        regret_buffer_printf(out, "\\\\%s%.*f};\n", tie ? "$\\approx$ " : "", c->decimals,
                             p->value);
    } else {
        regret_buffer_printf(out, "%.*f\\,\\%%};\n", c->decimals, 100.0 * p->value);
    }
}

static int tex_grid(struct regret_buffer *out, const struct chart *c,
                    const struct chart_panel *panel)
{
    open_axis(out, c, panel, "y dir=reverse,axis line style={draw=none},tick style={draw=none}");
    put_ticks(out, "x", &c->columns);
    put_ticks(out, "y", &c->rows);
    regret_buffer_printf(out, ",\n  xmin=-0.5,xmax=%zu.5,ymin=-0.5,ymax=%zu.5]\n",
                         c->columns.n > 0 ? c->columns.n - 1 : 0,
                         c->rows.n > 0 ? c->rows.n - 1 : 0);
    for (size_t j = 0; j < panel->n_points; j++) {
        if (isfinite(panel->points[j].value)) {
            put_cell(out, c, &panel->points[j]);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- ranks */

static int tex_ranks(struct regret_buffer *out, const struct chart *c,
                     const struct chart_panel *panel)
{
    open_axis(out, c, panel, "xmajorgrids,y dir=reverse,enlarge y limits=0.15");
    /* Room to the right for the name of the last. */
    regret_buffer_printf(out, ",\n  ytick=\\empty,xmin=0.8,xmax=%zu.5]\n", c->n_series + 1);
    for (size_t j = 0; j < panel->n_points; j++) {
        const struct chart_point *p = &panel->points[j];
        if (p->series == CHART_NO_SERIES) {
            regret_buffer_printf(out,
                                 "\\addplot[black!60,line width=2.5pt,no marks,forget plot] "
                                 "coordinates {(%.8g,%.8g) (%.8g,%.8g)};\n",
                                 p->low, -0.6 - 0.15 * (double)(j % 8), p->high,
                                 -0.6 - 0.15 * (double)(j % 8));
        } else if (isfinite(p->value)) {
            open_plot(out, c->series[p->series].style, ",only marks");
            put_pair(out, p->value, (double)p->series);
            regret_buffer_append(out, " };\n\\node[right=4pt,font=\\footnotesize] at (axis cs:");
            regret_buffer_printf(out, "%.8g,%zu) {", p->value, p->series);
            latex_escape(out, c->series[p->series].name);
            regret_buffer_printf(out, " %.*f};\n", c->decimals, p->value);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the picture */

/* The size of a panel in cm, by what it holds. */
static void put_size(struct regret_buffer *out, const struct chart *c)
{
    double height = 5.5, width = c->n_panels > 1 ? 7.5 : 12.0;
    if (c->kind == CHART_INTERVALS || c->kind == CHART_STRIPS || c->kind == CHART_RANKS) {
        size_t rows = c->kind == CHART_RANKS ? c->n_series : c->rows.n;
        height = 2.2 + 0.55 * (double)rows;
        width = 11.0;
    } else if (c->kind == CHART_WINNERS || c->kind == CHART_SHARES) {
        height = 2.0 + (c->kind == CHART_WINNERS ? 0.95 : 0.55) * (double)c->rows.n;
        width = 13.0;
    }
    int across = c->n_panels > 1 && width < 8.0 ? 2 : 1;
    size_t down = (c->n_panels + (size_t)across - 1) / (size_t)across;
    regret_buffer_printf(
        out,
        "\\begin{groupplot}[group style={group size=%d by %zu,horizontal "
        "sep=1.8cm,vertical sep=2.2cm},width=%.1fcm,height=%.1fcm,\n"
        "  scaled ticks=false,label style={font=\\small},tick label "
        "style={font=\\footnotesize},title "
        "style={font=\\small},\n  legend style={font=\\footnotesize,at={(0.5,-0.28)},"
        "anchor=north,legend columns=3}]\n",
        across, down, width, height);
}

static void put_colours(struct regret_buffer *out, const struct chart *c)
{
    for (size_t k = 0; k < c->n_series; k++) {
        int style = c->series[k].style;
        regret_buffer_printf(out, "\\definecolor{regretS%d}{HTML}{%s}\n", style,
                             chart_style(style)->colour + 1);
    }
    if (c->kind == CHART_SHARES) {
        regret_buffer_printf(out, "\\definecolor{regretS1}{HTML}{%s}\n",
                             chart_style(1)->colour + 1);
    }
}

/* A legend is only where plots stand for series, and the rows do not name them. */
static int has_legend(const struct chart *c)
{
    return c->kind == CHART_LINES || c->kind == CHART_DENSITIES ||
           (c->kind == CHART_INTERVALS && !chart_is_by_row(c));
}

int chart_tex(struct regret_buffer *out, const struct chart *c)
{
    static int (*const plot[CHART_N_KINDS])(struct regret_buffer *, const struct chart *,
                                            const struct chart_panel *) = {
        [CHART_LINES] = tex_lines,   [CHART_INTERVALS] = tex_intervals,
        [CHART_STRIPS] = tex_strips, [CHART_DENSITIES] = tex_densities,
        [CHART_WINNERS] = tex_grid,  [CHART_SHARES] = tex_grid,
        [CHART_RANKS] = tex_ranks,
    };
    regret_buffer_append(out, "% \\usepackage{pgfplots} \\pgfplotsset{compat=1.16} "
                              "\\usepgfplotslibrary{groupplots}\n\\begin{tikzpicture}\n");
    put_colours(out, c);
    put_size(out, c);
    for (size_t i = 0; i < c->n_panels; i++) {
        TRY(plot[c->kind](out, c, &c->panels[i]));
        if (i + 1 == c->n_panels && has_legend(c)) {
            put_legend(out, c);
        }
    }
    regret_buffer_append(out, "\\end{groupplot}\n\\end{tikzpicture}\n");
    return regret_buffer_status(out);
}
