/* Rows whose rewards go together in clusters. */
#ifndef REGRET_TESTS_RATE_MADE_CLUSTERS_H
#define REGRET_TESTS_RATE_MADE_CLUSTERS_H

#include "regret/rate.h"
#include "regret/task.h"

/* How clustered_rows() draws. */
struct clustered {
    const char *dataset, *attribute;
    size_t n_models;
    const size_t *sizes; /* of n_clusters clusters, again and again */
    size_t n_sizes, n_clusters;
    double effect,
        heterogeneity; /* of W on the reward: its mean, and its deviation over clusters */
    double base;       /* deviation over clusters of a reward */
    double noise;      /* of one reward */
    size_t first_id;   /* rows have the ids r<first_id>, … */
};
/* Adds the rows, clusters named "c<number>"; W is a coin. */
void clustered_add(struct regret_rate_rows *rows, const struct clustered *c,
                   struct regret_rng *rng);
/* A finished table of one such group. */
struct regret_rate_rows *clustered_rows(const struct clustered *c, unsigned seed);

#endif
