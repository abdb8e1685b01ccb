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
/* The rank from 1, the lowest first; equals share the average of their ranks. */
double standing_rank(struct standing s);

/* Where the family stands in the cell. NaN ranks nothing: `lower` is REGRET_NO_ROW unless every family has a regret. */
struct standing standing_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

/* The average rank of a family, wherever a report has one: the rank of its mean over seeds in each cell, mean over the cells
 * in which every family has a mean. NaN where there is no such cell. */
double average_rank(const struct ranking *ranking, const struct slice *cells, size_t family);
/* The families by that, the lowest first; equals keep their order. `out` has room for all. */
struct placed {
    size_t place; /* in the ranking */
    double rank;
};
void place_families(struct placed *out, const struct ranking *ranking, const struct slice *cells);
/* p[a * n + b]: of the hypothesis that the average ranks of two families are equal, by Student's t with the standard error of
 * their difference over PAIRED_RESAMPLES resamples of the seeds that have every family in every cell; NaN of fewer than two
 * such seeds. Not adjusted. */
int average_rank_p_values(double *p, const struct ranking *ranking, const struct slice *cells);

/* ---------------------------------------------------------------- resamples of the seeds (resampled.c) */

/* Mean regrets of the ranking's families in some cells, over seeds or a resample of them. */
struct mean_regrets {
    const struct ranking *ranking;
    const struct slice *cells;
    double *mean; /* [cells × families] */
};

/* What is taken of such means: the i-th number. */
typedef double means_statistic(const struct mean_regrets *m, size_t i, const void *context);

/* n numbers over the seeds that have every family in every cell, and in PAIRED_RESAMPLES resamples of these, where they are
 * two at least: number[i * PAIRED_RESAMPLES + k]. */
struct resampled {
    size_t n, n_seeds;
    double *number; /* owned */
};
int resample_means(struct resampled *out, const struct ranking *ranking, const struct slice *cells,
                   means_statistic *statistic, size_t n, const void *context);
void resampled_free(struct resampled *r);
/* The standard deviation of PAIRED_RESAMPLES numbers. */
double resampled_se(const double *y);

/* The lowest mean regret of a cell. */
double best_of_cell(const struct ranking *ranking, size_t cell);

/* How far the family's regret is above that, in %; NaN where that is 0. */
double excess_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

#endif
