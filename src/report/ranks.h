/* Ranks, pairs and resamples. */
#ifndef REPORT_RANKS_H
#define REPORT_RANKS_H

#include <stddef.h>

#include "report/slice.h"

/* Families ranked against each other by their regret, cell by cell. */

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

/* The lowest mean regret of a cell. */
double best_of_cell(const struct ranking *ranking, size_t cell);

/* How far the family's regret is above that, in %; NaN where that is 0. */
double excess_in(const struct ranking *ranking, size_t family, size_t cell, long seed);

/* The parts of the page of a run, in their order: every table and figure names its own. */

enum report_part {
    PART_ANSWER, /* what is seen first, and is made by the page itself */
    PART_TAGS,
    PART_REQUESTS,
    PART_FAMILIES,
    PART_SWEEP,
    PART_VALUES,
    PART_DIAGNOSTICS,
    PART_RUN,
    N_PARTS
};

/* Where what names no part stands. */
static inline enum report_part part_or_default(enum report_part part)
{
    return part == PART_ANSWER ? PART_DIAGNOSTICS : part;
}

#endif
