/* Differences of means between OBS and EXP, cell by cell. */
#ifndef REGRET_EVALUATE_CLUSTERS_DIFFERENCES_H
#define REGRET_EVALUATE_CLUSTERS_DIFFERENCES_H

#include <stddef.h>

#include "evaluate/clusters/clusters.h"

struct difference {
    size_t rows[REGRET_LOG_SOURCES], clusters[REGRET_LOG_SOURCES];
    double mean[REGRET_LOG_SOURCES]; /* NaN without rows */
    double value, error, df;         /* OBS − EXP; NaN where there is none */
    double covered;                  /* share of the EXP weight that `value` is of */
};

/* n differences. */
struct differences {
    size_t n;
    struct difference *at; /* [n] */
    double *z;             /* [n] value/error as a normal deviate */
    double *covariance;    /* of `value`, as in struct scores */
};

/* Of agents, or with by_tag of agents and tags (cell agent · n_tags + tag): plain means of OBS, EXP weighted by
 * 1/propensity. */
int differences_plain(struct differences *out, const struct regret_log *log,
                      const struct cluster_order *order, int by_tag);

/* Of agents, after what can be adjusted for: Σ_t π_at (m_O(a,t) − m_E(a,t)), π_at the share of tag t of the agent's EXP
 * weight among the tags on which OBS has two rows of the agent or more, OBS weighted by 1/propensity where it has one. π is
 * what EXP says, and varies with it: the EXP part is the mean of y − m_O(a,t). */
int differences_adjusted(struct differences *out, const struct regret_log *log,
                         const struct cluster_order *order);

void differences_free(struct differences *differences);

#endif
