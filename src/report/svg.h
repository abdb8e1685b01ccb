/* Self-contained, accessible SVG: a title and a description, text as text, colours that the
 * colour-blind tell apart (Okabe and Ito), and a shape of its own for every style. What is drawn is
 * the caller's matter; texts of untrusted origin are escaped here. */
#ifndef REGRET_SRC_REPORT_SVG_H
#define REGRET_SRC_REPORT_SVG_H

#include <stddef.h>

#include "regret/text_buffer.h"

enum { SVG_MAX_SERIES = 4 };

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

void svg_begin(struct regret_text *out, double width, double height, const char *title,
               const char *description);
void svg_end(struct regret_text *out);
void svg_text(struct regret_text *out, double x, double y, enum svg_anchor anchor,
              const char *text);
/* Bold, for headings inside the picture. */
void svg_heading(struct regret_text *out, double x, double y, const char *text);
/* Colours and shapes: give one meaning to each, in every picture alike. */
enum svg_style { SVG_BLUE_DISC, SVG_GREEN_SQUARE, SVG_RED_TRIANGLE, SVG_BLACK_TRIANGLE };
/* A line and a marker in style k. */
void svg_line(struct regret_text *out, int k, double x1, double y1, double x2, double y2);
void svg_marker(struct regret_text *out, int k, double x, double y);
/* A row of markers with names, from (x, y) on. */
void svg_legend(struct regret_text *out, double x, double y, const char *const *names,
                const int *styles, int n);
const char *svg_colour(int k);

/* An axis from data to the picture: values [low, high] to [begin, end], with round ticks. */
struct svg_axis {
    double low, high, step;
    double begin, end;
};
/* Widened to round ticks; `low` and `high` may coincide. */
struct svg_axis svg_axis(double low, double high, double begin, double end);
double svg_at(const struct svg_axis *a, double value);
/* Grid lines and labels: vertical lines from y1 to y2 for a horizontal axis, and the other way. */
void svg_axis_x(struct regret_text *out, const struct svg_axis *a, double y1, double y2,
                const char *name);
void svg_axis_y(struct regret_text *out, const struct svg_axis *a, double x1, double x2,
                const char *name);

/* One estimate to show; value NaN: nothing is drawn. */
struct svg_point {
    double value, low, high;
};

/* A label per row and one point per series: points[row * n_series + series]. */
struct svg_intervals {
    const char *title, *description, *x_name;
    const char *missing; /* written where there is no value */
    const char *const *series;
    const int *styles; /* n_series of enum svg_style */
    int n_series;
    const char *const *labels; /* n_rows */
    const struct svg_point *points;
    size_t n_rows;
};
void svg_intervals(struct regret_text *out, const struct svg_intervals *f);

/* points[series * n_x + i] over x[i]. */
struct svg_lines {
    const char *title, *description, *x_name, *y_name;
    const char *const *series;
    const int *styles;
    int n_series;
    const double *x;
    const struct svg_point *points;
    size_t n_x;
};
void svg_lines(struct regret_text *out, const struct svg_lines *f);

/* Densities of the samples, one per series (NaN are skipped). */
struct svg_densities {
    const char *title, *description, *x_name;
    const char *const *series;
    const int *styles;
    int n_series;
    const double *const *samples;
    size_t n; /* of each */
};
int svg_densities(struct regret_text *out, const struct svg_densities *f);

#endif
