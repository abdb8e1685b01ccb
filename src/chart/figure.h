/* Charts once they are drawn: what a page shows and a folder keeps. */
#ifndef REGRET_CHART_FIGURE_H
#define REGRET_CHART_FIGURE_H

#include "chart/chart.h"

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

#endif
