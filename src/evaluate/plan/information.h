/* What a trial is worth: the expected regret of recommending the agent with the greatest posterior mean. */
#ifndef REGRET_EVALUATE_PLAN_INFORMATION_H
#define REGRET_EVALUATE_PLAN_INFORMATION_H

#include <stddef.h>

/* E max of n independent normal numbers, sd >= 0; and in slope[a] (may be NULL) its derivative by the a-th variance (0
 * where that is 0). One piece of a sum over Gauss and Legendre's nodes lies between two of the points
 * mean + {−4, −2.5, −1, 0, 1, 2.5, 4} sd of all. `points` has room for 7n + 2. */
enum { INFORMATION_POINTS = 7 };
double information_expected_max(double *slope, double *points, const double *mean, const double *sd,
                                size_t n);

/* The prior normal with mean `centre` and deviation `deviation`, of n agents whose means have the errors se² (infinite: no
 * mean). The deviation is the median of its posterior under a flat prior on (0, 1/2], the centre given it. */
struct information_prior {
    double centre, deviation;
};
struct information_prior information_fit(const double *mean, const double *se2, size_t n);

/* Decisions, one a group: which agent. What is believed now, and what a row tells. Cells are a group and an agent. */
struct information {
    size_t n_agents, n_groups;
    const double *group_share;     /* [n_groups] how much a group's regret counts */
    const double *mean, *variance; /* [cells] of the posterior now */
    const double
        *noise; /* [cells] a cell with r rows: its mean then has variance noise/r + common/n */
    const double *common; /* [cells] of n rows in all */
    double *scratch;      /* [information_scratch()] */
};
size_t information_scratch(size_t n_agents);

/* Expected regret now, and after n rows of which each cell gets its share. */
double information_regret_now(const struct information *i);
double information_regret(const struct information *i, const double *share, double n);

/* Moves `share` (positive, of the cells) to where n rows leave the least expected regret, as far as exponentiated-gradient
 * ascent with halving steps finds it (Kivinen and Warmuth 1997): never to worse. A tenth of every row's chance stays with
 * `uniform`, so that no agent is without rows. With `by_group` each group keeps its share of the rows. `next` and `slope` have
 * room for the cells. */
void information_allocate(double *share, const struct information *i, const double *uniform,
                          double n, int by_group, double *next, double *slope);

#endif
