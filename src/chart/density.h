/* The kernel densities of a chart's series, by Gaussian kernels of Silverman's bandwidth. */
#ifndef REGRET_CHART_DENSITY_H
#define REGRET_CHART_DENSITY_H

#include "chart/chart.h"

enum { DENSITY_BINS = 512 };

struct densities {
    double low, high; /* the first bin's value and the last's */
    /* curve[k][i]: of series k at low + i·(high − low)/(DENSITY_BINS − 1); zero where it has no value.
     * Owned. */
    double (*curve)[DENSITY_BINS];
    double most; /* of all */
};
/* Of the first panel, on [low, high], which holds its values. O(n log n + DENSITY_BINS²) a series. */
int densities_make(struct densities *out, const struct chart *c, double low, double high);
double density_x(const struct densities *d, int i);
void densities_free(struct densities *d);

#endif
