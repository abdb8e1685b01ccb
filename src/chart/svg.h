/* SVG: shapes, axes, texts and their widths. */
#ifndef CHART_SVG_H
#define CHART_SVG_H

#include <stddef.h>

#include "chart/chart.h"
#include "regret/buffer.h"

/* Twelve styles for series that the colour-blind tell apart, each a colour and a mark of its own, and
 * five for what series are held against. Colours have a contrast of 3 or more on white and on #16181C.
 * The first six are Okabe and Ito's, "Color Universal Design", two of them darkened. */

enum {
    CHART_N_SERIES_STYLES = 12,
    /* Grey and dashed. */
    CHART_STYLE_REFERENCE = CHART_N_SERIES_STYLES,
    CHART_STYLE_REFERENCE_2,
    CHART_STYLE_REFERENCE_3,
    CHART_STYLE_REFERENCE_4,
    CHART_STYLE_REFERENCE_5,
    CHART_STYLE_REFERENCE_6,
    CHART_STYLE_REFERENCE_7,
    CHART_N_STYLES
};

enum chart_mark {
    MARK_DISC,
    MARK_SQUARE,
    MARK_TRIANGLE,
    MARK_TRIANGLE_DOWN,
    MARK_DIAMOND,
    MARK_CROSS,
    MARK_PLUS,
    MARK_RING,
    MARK_FRAME,
    MARK_DIAMOND_FRAME,
    MARK_TRIANGLE_FRAME,
    MARK_STAR,
    MARK_NONE
};

struct chart_style {
    const char *colour; /* "#0072B2" */
    enum chart_mark mark;
    const char *dash; /* stroke-dasharray, or NULL */
};

/* k in [0, CHART_N_STYLES). */
const struct chart_style *chart_style(int k);

/* Self-contained, accessible SVG: a title and a description, text as text, elements with both colours of
 * their own and classes (chart.h). What is drawn is the caller's matter; texts of untrusted origin are
 * escaped here. Lengths are in pixels of a picture svg_width() wide; text stands SVG_TEXT high. */

#define SVG_LINE 19.0 /* from line to line */
#define SVG_MARGIN 16.0

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* How wide the picture of a chart is, and whether that is too narrow for two panels beside each other. */
double svg_width(const struct chart *c);
int svg_is_narrow(const struct chart *c);

void svg_begin(struct regret_buffer *out, const struct chart *c, double height);
void svg_end(struct regret_buffer *out);

/* What is drawn of a series, up to svg_end_group(); and of a point inside, with its numbers as the title. */
void svg_begin_series(struct regret_buffer *out, size_t series);
void svg_begin_point(struct regret_buffer *out, const struct chart *c,
                     const struct chart_panel *panel, const struct chart_point *p);
void svg_end_group(struct regret_buffer *out);
/* The entry of a series in the legend, likewise. */
void svg_begin_key(struct regret_buffer *out, size_t series);

/* About how wide a text stands, rather more than less. */
double svg_text_width(const char *text);
/* The text, with "…" in its middle where it is wider than `width`: names of models differ at their end. */
void svg_shorten(struct regret_buffer *out, const char *text, double width);
/* A text, shortened to `width`. */
void svg_text(struct regret_buffer *out, double x, double y, enum svg_anchor anchor, double width,
              const char *text);
void svg_muted_text(struct regret_buffer *out, double x, double y, enum svg_anchor anchor,
                    double width, const char *text);
/* Muted, upwards to the right by so many degrees. */
void svg_slanted_text(struct regret_buffer *out, double x, double y, int degrees, double width,
                      const char *text);
/* Bold, for headings inside the picture; and in lines of at most `width`, for its title: returns how many. `out` NULL only
 * counts them. */
void svg_heading(struct regret_buffer *out, double x, double y, double width, const char *text);
size_t svg_title(struct regret_buffer *out, double x, double y, double width, const char *text);
/* Muted, in lines of at most `width`; returns how many. `out` NULL only counts them. */
size_t svg_paragraph(struct regret_buffer *out, double x, double y, double width, const char *text);

enum svg_rule { SVG_GRID, SVG_AXIS };
void svg_rule(struct regret_buffer *out, enum svg_rule rule, double x1, double y1, double x2,
              double y2);
/* In style k: a line, one through the n points (x[i], y[i]), the area that n points enclose, a mark, a
 * rectangle of that opacity with a border that is dashed where it is a tie. */
void svg_line(struct regret_buffer *out, int k, double x1, double y1, double x2, double y2);
void svg_polyline(struct regret_buffer *out, int k, const double *x, const double *y, size_t n);
void svg_band(struct regret_buffer *out, int k, const double *x, const double *y, size_t n);
void svg_marker(struct regret_buffer *out, int k, double x, double y);
/* Its outline alone, of what cannot be told from something else. */
void svg_hollow_marker(struct regret_buffer *out, int k, double x, double y);
/* An upright stroke, for a style without a mark. */
void svg_bar(struct regret_buffer *out, int k, double x, double y);
/* What lies beyond the end of the axis at `x`. */
void svg_beyond(struct regret_buffer *out, int k, double x, double y);
/* A small translucent point, of a sample. */
void svg_dot(struct regret_buffer *out, int k, double x, double y);
void svg_tile(struct regret_buffer *out, int k, double x, double y, double width, double height,
              double opacity, int dashed);

/* An axis from data to the picture: [low, high] to [begin, end], linear or by the logarithm. */
struct svg_axis {
    double low, high;
    double step; /* of log: decades from tick to tick, 0: ticks at 1, 2 and 5 of each */
    double begin, end;
    int log;
};
/* Widened to round ticks; `low` and `high` may coincide. */
struct svg_axis svg_axis(double low, double high, double begin, double end);
/* 1e-150 < low <= high < 1e150. */
struct svg_axis svg_log_axis(double low, double high, double begin, double end);
double svg_at(const struct svg_axis *a, double value);
/* The i-th round tick, 1 while there is one. */
int svg_tick(const struct svg_axis *a, int i, double *value);
/* The name of an axis, muted, which says where the axis is logarithmic. */
void svg_axis_name(struct regret_buffer *out, double x, double y, enum svg_anchor anchor,
                   double width, const char *name, int is_log);
/* Grid lines and labels: vertical lines from y1 to y2 for a horizontal axis, and the other way. */
void svg_axis_x(struct regret_buffer *out, const struct svg_axis *a, double y1, double y2,
                const char *name);
void svg_axis_y(struct regret_buffer *out, const struct svg_axis *a, double x1, double x2,
                const char *name);

/* Title, facts and the legend of the series in use; returns the y below them. `out` NULL only
 * measures. */
double svg_head(struct regret_buffer *out, const struct chart *c);
/* The axis of values, which may be logarithmic, from data to [begin, end]. */
struct svg_axis svg_value_axis(const struct chart *c, double begin, double end);
/* The column that the longest of the labels needs, at `most`; wider, up to 1.9 times, where labels that differ would be
 * shortened to the same. */
double svg_label_width(const struct chart_labels *labels, double most);

/* The values of a row of the panel, in the order of its points, and the style of their series; returns how many.
 * `values` has room for all points. */
size_t chart_row_values(double *values, int *style, const struct chart *c,
                        const struct chart_panel *panel, size_t row);

/* The kinds: each draws a whole picture. */
int svg_draw_lines(struct regret_buffer *out, const struct chart *c);
int svg_draw_intervals(struct regret_buffer *out, const struct chart *c);
int svg_draw_strips(struct regret_buffer *out, const struct chart *c);
int svg_draw_grid(struct regret_buffer *out, const struct chart *c);
int svg_draw_ranks(struct regret_buffer *out, const struct chart *c);

#endif
