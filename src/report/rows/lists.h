/* The lists of a run's rows (regret/results.h) as figures take them: means over cells, then over seeds. */
#ifndef REGRET_REPORT_LISTS_H
#define REGRET_REPORT_LISTS_H

#include "report/rows/slice.h"

/* The oracle's subject when rows of the run hold lists and every grid has the same agents, whose ids are
 * those of r->grids[0]; else REGRET_NO_ROW. */
size_t lists_oracle(const struct regret_results *r);

/* Element `a` of a list by agent: the mean over the cells of one seed; NaN unless every cell has it. */
double list_mean(const struct slice *s, enum regret_list list, size_t subject, size_t a,
                 size_t seed);

/* A mean over seeds and half of its 95 % interval, by Student's t; NaN of fewer than two. */
struct seeds_mean {
    double mean, half;
};
/* Of n_seeds numbers, NaN where one is not there; `x` is put in order. */
struct seeds_mean seeds_mean(double *x, size_t n_seeds);

#endif
