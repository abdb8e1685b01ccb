/* Families ranked against each other by their regret, cell by cell. */
#ifndef REGRET_REPORT_RANKS_H
#define REGRET_REPORT_RANKS_H

#include "report/rows/slice.h"

struct ranking {
    const struct regret_results *r;
    const size_t *families; /* n of them */
    size_t n;
};

/* A seed's number, or the mean over seeds. */
enum { ALL_SEEDS = -1 };
double regret_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

/* The family's rank from 1, the lowest first; equals share the average of their ranks. NaN unless
 * every family has a regret. */
double rank_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

/* The lowest mean regret of a cell. */
double best_of_cell(const struct ranking *ranking, size_t cell);

/* How far the family's regret is above that, in %; NaN where that is 0. */
double excess_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

#endif
