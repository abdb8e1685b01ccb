/* The distinct x of a chart of lines: ascending, and where each stands. */
#ifndef REGRET_CHART_POSITIONS_H
#define REGRET_CHART_POSITIONS_H

#include "chart/chart.h"

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
