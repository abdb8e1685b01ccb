/* A figure: its parts, its places, its CSV. */
#ifndef CHART_FIGURE_H
#define CHART_FIGURE_H

#include <stddef.h>

#include "chart/chart.h"

/* Charts once they are drawn: what a page shows and a folder keeps. */

struct figure {
    char *name, *title;                    /* owned */
    char *facts;                           /* pool, n, what the intervals are; owned */
    char *caption;                         /* how to read it; owned */
    struct regret_buffer svg, narrow, csv; /* narrow: the picture for a phone */
};

struct figures { /* all zeros: none yet */
    struct figure *items;
    size_t n;
};

/* Draws a chart, whose words it takes, as the last figure. The chart is still to be freed. */
int figures_add(struct figures *f, struct chart *c);
/* NAME.svg and NAME.csv of each in the folder, CSV as regret_csv_guard() writes it where it is to be safe. */
int figures_save(const char *folder, const struct figures *f, int safe_csv);
void figures_free(struct figures *f);

/* The distinct x of a chart of lines: ascending, and where each stands. */

struct positions {
    double *x; /* owned */
    size_t n;
    enum chart_scale scale; /* CHART_LOG only where every x is above 0 */
};
int positions_find(struct positions *out, const struct chart *c);
/* The share of the way from the first to the last, 0.5 where there is one only. */
double positions_share(const struct positions *p, double x);
void positions_free(struct positions *p);

#endif
