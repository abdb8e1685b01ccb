/* Which marks a figure has, and its limits. */
#ifndef CHART_CHART_H
#define CHART_CHART_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/status.h"

enum chart_kind {
    CHART_LINES,     /* (x, value) of each series joined, a band from low to high */
    CHART_INTERVALS, /* a row of each label: value of each series, whisker from low to high */
    CHART_STRIPS,    /* a row of each label: every value a point, quartiles as a box */
    CHART_WINNERS,   /* a grid: the series that wins, its lead as the value, ties marked */
    CHART_SHARES,    /* a grid of values of [0, 1], the darker the greater */
    CHART_RANKS,     /* critical differences: series at their values on one axis; points without a
                        series are bars from low to high over those that do not differ */
    CHART_N_KINDS
};

/* Pictures for a desk and paper, and for a phone. */
#define CHART_WIDTH 860.0
#define CHART_NARROW 360.0

enum chart_scale {
    CHART_LINEAR,
    CHART_LOG,     /* where every value is above 0; CHART_LINEAR elsewhere */
    CHART_ORDINAL, /* of x: values at equal distances */
    CHART_EVEN,    /* of x: linear with round ticks, for values that lie anywhere */
    CHART_SPREAD   /* of y: CHART_LOG where values span a factor of six or more */
};

#define CHART_NO_SERIES ((size_t)-1)

enum {
    CHART_TIE = 1,    /* not told from the best, or the second: drawn hollow, or dashed */
    CHART_ORIGIN = 4, /* of intervals: what the others are differences to, at x in numbers */
    CHART_NAMED = 2   /* of lines: by itself, with the name of its row beside it */
};

/* Fields that a kind does not use are 0; a value that is not finite is not there. */
struct chart_point {
    size_t series;
    size_t row, column; /* of the labels */
    double x, value;
    double low, high; /* NaN: no interval */
    unsigned flags;
    size_t cell; /* of the page's table of cells that the point is of, from 1; 0: none */
};

struct chart_series {
    char *name; /* owned */
    int style;  /* of svg.h */
};

struct chart_panel {
    char *heading; /* "" where there is one only; owned */
    struct chart_point *points;
    size_t n_points;
};

/* Labels of the ticks of x, where numbers are not what to read; and of rows and columns. */
struct chart_labels {
    char **text; /* owned */
    size_t n;
};

struct chart {
    enum chart_kind kind;
    char *name;    /* [a-z0-9-]+, the file's; owned */
    char *title;   /* owned */
    char *facts;   /* the line below: pool, n, interval; owned */
    char *caption; /* how to read it, in sentences; also the text alternative; owned */
    char *x_name, *y_name;
    enum chart_scale x_scale, y_scale;
    int from_zero; /* 1: a linear value axis holds 0 */
    int decimals;  /* of numbers inside the picture */
    int overlaid; /* 1, of intervals: no row has points of several series, which need no distance */
    int numbered; /* 1, of intervals with a series a row: the numbers stand beside them */
    double limit; /* of the axis of intervals: values beyond are told, and point there; 0: none */
    double width; /* of the picture, in pixels; 0: CHART_WIDTH */
    size_t
        across; /* of a grid in the picture: panels beside each other, which share the labels of rows; 0: one */
    struct chart_series *series;
    size_t n_series;
    struct chart_labels rows, columns;
    struct chart_panel *panels;
    size_t n_panels;
    int status; /* REGRET_OK, or the first error */
};

void chart_begin(struct chart *c, enum chart_kind kind, const char *name, const char *format, ...)
    REGRET_PRINTF(4, 5);
void chart_facts(struct chart *c, const char *format, ...) REGRET_PRINTF(2, 3);
void chart_caption(struct chart *c, const char *format, ...) REGRET_PRINTF(2, 3);
void chart_axes(struct chart *c, const char *x_name, const char *y_name);
/* The number of the new series. */
size_t chart_series(struct chart *c, int style, const char *format, ...) REGRET_PRINTF(3, 4);
void chart_row(struct chart *c, const char *format, ...) REGRET_PRINTF(2, 3);
void chart_column(struct chart *c, const char *format, ...) REGRET_PRINTF(2, 3);
void chart_panel(struct chart *c, const char *format, ...) REGRET_PRINTF(2, 3);
/* Of the last panel. */
void chart_point(struct chart *c, struct chart_point p);

/* 1 when every row has one series, and no two the same: no legend is needed. */
int chart_is_by_row(const struct chart *c);
/* 1 when there is anything to draw. */
int chart_has_points(const struct chart *c);
/* The sticky status, or REGRET_E_INTERNAL of a point beyond the series, rows or columns. */
int chart_check(const struct chart *c);
void chart_free(struct chart *c);

/* A whole <svg> element that stands alone and inline, chart.width wide; every id begins with the chart's name, and that of a
 * picture of another width than CHART_WIDTH with it and "-narrow". What is drawn of a point is a <g class="point"> whose title
 * says its numbers, and what is drawn of series i, with its entry in the legend, has data-series="i". Elements
 * carry presentation attributes, and classes for a page that wants other colours: `paper`, `ink`, `muted`,
 * `grid`, `axis`, and `fill sK`, `line sK` or `band sK` of style K. O(points). */
int chart_svg(struct regret_buffer *out, const struct chart *c);
/* panel, series, row, column, x, value, low, high, flag: the columns that the kind uses, numbers that
 * read back exactly. */
int chart_csv(struct regret_buffer *out, const struct chart *c);

/* Writes NAME.svg and NAME.csv into the folder, which is made where it is not there, after chart_check(), and
 * frees the chart in any case. figure.h keeps what is drawn for a page. */
int chart_save(const char *folder, struct chart *c);

#endif
