/* Self-contained, accessible SVG: a title and a description, text as text, colours that the
 * colour-blind tell apart (Okabe and Ito), and a shape of its own for every series. */
#ifndef REGRET_RATE_FIGURE_H
#define REGRET_RATE_FIGURE_H

#include <stddef.h>

#include "regret/text_buffer.h"

enum { FIGURE_MAX_SERIES = 4 };

enum figure_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

void figure_begin(struct regret_text *out, double width, double height, const char *title,
                  const char *description);
void figure_end(struct regret_text *out);
void figure_text(struct regret_text *out, double x, double y, enum figure_anchor anchor,
                 const char *text);
/* Bold, for headings inside the picture. */
void figure_heading(struct regret_text *out, double x, double y, const char *text);
void figure_grid_line(struct regret_text *out, double x1, double y1, double x2, double y2,
                      int strong);
/* Colours and shapes belong to what is shown, in every picture alike. */
enum figure_style { STYLE_NAIVE, STYLE_SINGLE, STYLE_DOUBLE, STYLE_OTHER };
/* A line and a marker in style k. */
void figure_line(struct regret_text *out, int k, double x1, double y1, double x2, double y2);
void figure_marker(struct regret_text *out, int k, double x, double y);
/* A row of markers with names, from (x, y) on. */
void figure_legend(struct regret_text *out, double x, double y, const char *const *names,
                   const int *styles, int n);
const char *figure_colour(int k);

/* An axis from data to the picture: values [low, high] to [begin, end], with round ticks. */
struct axis {
    double low, high, step;
    double begin, end;
};
/* Widened to round ticks; `low` and `high` may coincide. */
struct axis axis_make(double low, double high, double begin, double end);
double axis_at(const struct axis *a, double value);
/* Grid lines and labels: vertical lines from y1 to y2 for a horizontal axis, and the other way. */
void axis_draw_x(struct regret_text *out, const struct axis *a, double y1, double y2,
                 const char *name);
void axis_draw_y(struct regret_text *out, const struct axis *a, double x1, double x2,
                 const char *name);

/* One estimate to show; value NaN: nothing is drawn. */
struct point {
    double value, low, high;
};

/* A label per row and one point per series: points[row * n_series + series]. */
struct interval_figure {
    const char *title, *description, *x_name;
    const char *missing; /* written where there is no value */
    const char *const *series;
    const int *styles; /* n_series of enum figure_style */
    int n_series;
    const char *const *labels; /* n_rows */
    const struct point *points;
    size_t n_rows;
};
void draw_intervals(struct regret_text *out, const struct interval_figure *f);

/* points[series * n_x + i] over x[i]. */
struct line_figure {
    const char *title, *description, *x_name, *y_name;
    const char *const *series;
    const int *styles;
    int n_series;
    const double *x;
    const struct point *points;
    size_t n_x;
};
void draw_lines(struct regret_text *out, const struct line_figure *f);

/* Densities of the samples, one per series (NaN are passed over). */
struct density_figure {
    const char *title, *description, *x_name;
    const char *const *series;
    const int *styles;
    int n_series;
    const double *const *samples;
    size_t n; /* of each */
};
int draw_densities(struct regret_text *out, const struct density_figure *f);

#endif
