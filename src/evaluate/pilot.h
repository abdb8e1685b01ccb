/* What a pilot says of the spread. */
#ifndef EVALUATE_PILOT_H
#define EVALUATE_PILOT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/evaluate.h"

/* What a pilot (EXP of a log), or in its want OBS, says of means and deviations, by agent and tag. */

/* A cell is a tag and an agent that takes part, tag by tag. Outcomes count by the inverse of their propensities. */
struct pilot {
    size_t n_agents, n_tags, n_rows, n_clusters;
    int is_trial; /* 1: from EXP, 0: from OBS, whose means say nothing of values */
    /* Rows that say of a variance as little as one normal row: (κ − 1)/2 of their kurtosis κ, at least 1. Of rare clicks it is
     * half of 1/rate: three hundred rows without one do not tell that there are none. */
    double tail;
    double *tag_share; /* [n_tags] of the rows */
    size_t *rows;      /* [cells] */
    double *weight;    /* [cells] Σ w */
    double *mean;      /* [cells] Σ w y / Σ w; NaN of an empty one */
    double *variance;  /* [cells] of an outcome, drawn together; never NaN */
    /* [n_agents] */
    size_t *agent_rows, *agent_clusters;
    double *agent_mean; /* Σ share · mean over the tags in which the agent has rows; NaN of none */
    double *within;     /* variance of an outcome within tags, drawn together */
    double *se2;        /* variance of agent_mean by clusters; infinite without rows */
    /* What rows of one cluster add to n times the variance of a mean, and of a difference to agent `reference`. Not negative.
     * They are of a trial whose clusters are as large as the pilot's, whatever its allocation. */
    double *excess, *excess_difference;
    /* Σ over tags of share·(mean − agent_mean)², less what chance makes of it, not below 0; and of differences. */
    double *between, *between_difference;
    enum regret_trial_basis *basis;
};

/* `place` is where an agent of the log stands among those that take part, n_agents for others. */
int pilot_make(struct pilot *out, const struct regret_log *log, const uint32_t *place,
               size_t n_agents, size_t reference);
void pilot_clear(struct pilot *pilot);
/* n times the variance of the estimated value of agent a, or of its difference to `reference`, where agents get `share` of n
 * rows: of the mean over tags of means within tags. `safe` (may be NULL) are factors of the agents' variances. */
double pilot_value_variance(const struct pilot *p, const double *share, const double *safe,
                            size_t a);
double pilot_difference_variance(const struct pilot *p, const double *share, const double *safe,
                                 size_t a, size_t reference);

/* How much agents differ: a normal prior of their means. */

/* The prior normal with mean `centre` and deviation `deviation`, of n agents whose means have the errors se² (infinite: no
 * mean). The deviation is the median of its posterior under a flat prior on (0, 1/2], the centre given it. */
struct prior {
    double centre, deviation;
};
struct prior prior_fit(const double *mean, const double *se2, size_t n);

/* How rows are divided among agents. */

void shares_uniform(double *share, const struct pilot *p);
/* By Neyman (1934): proportional to the deviation of a row, times the root of `differences` for the reference. */
void shares_neyman(double *share, const struct pilot *p, size_t reference, double differences);

#endif
