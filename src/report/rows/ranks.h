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

/* Where one of some numbers stands: how many are lower, and how many are equal to it, itself too. */
struct standing {
    size_t lower, equal;
};
/* Counts one of the numbers. */
void standing_count(struct standing *s, double own, double other);
/* The rank from 1, the lowest first; equals share the average of their ranks. */
double standing_rank(struct standing s);
/* The share of a win: one for the lowest, in equal parts among those that are. */
double standing_win(struct standing s);

/* Where the family stands in the cell. NaN ranks nothing: `lower` is REGRET_NO_ROW unless every family has a regret. */
struct standing standing_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

/* The average rank of a family, wherever a report has one: the rank of its mean over seeds in each cell, mean over the cells
 * in which every family has a mean. NaN where there is no such cell. */
double average_rank(const struct ranking *ranking, const struct slice *cells, size_t family);
/* p[a * n + b]: of the hypothesis that the average ranks of two families are equal, by Student's t with the standard error of
 * their difference over PAIRED_RESAMPLES resamples of the seeds that have every family in every cell; NaN of fewer than two
 * such seeds. Not adjusted. */
int average_rank_p_values(double *p, const struct ranking *ranking, const struct slice *cells);

/* The lowest mean regret of a cell. */
double best_of_cell(const struct ranking *ranking, size_t cell);

/* How far the family's regret is above that, in %; NaN where that is 0. */
double excess_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

#endif
