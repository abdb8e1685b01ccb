/* How outcomes of agents move with time, by clusters. */
#ifndef REGRET_EVALUATE_CLUSTERS_SLOPES_H
#define REGRET_EVALUATE_CLUSTERS_SLOPES_H

#include "evaluate/clusters/clusters.h"

/* Of every agent the change of its mean outcome from the first row to the last, a line over the place of rows in time. */
struct slope {
    double value
        [REGRET_LOG_SOURCES]; /* Σ (τ − τ̄)(y − ȳ)/Σ (τ − τ̄)²; NaN where an agent has too few rows */
    double error
        [REGRET_LOG_SOURCES]; /* by clusters, under no change; not below that of independent rows */
    size_t rows[REGRET_LOG_SOURCES];
};

struct slopes {
    size_t n; /* agents */
    struct slope *at;
    double *covariance; /* of value[OBS] − value[EXP], as in struct scores */
};

/* place[source][row] is τ, NaN of a row that is left out; NULL: none of the source's. */
int slopes_build(struct slopes *out, const struct regret_log *log,
                 const struct cluster_order *order, const double *const *place);
void slopes_free(struct slopes *slopes);

#endif
