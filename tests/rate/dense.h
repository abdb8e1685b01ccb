/* CR2 and Satterthwaite's degrees of freedom by explicit matrices: the reference of src/rate/estimate/influence.h.
 * O(rows³). And rows with clusters to try it on. */
#ifndef REGRET_TESTS_RATE_DENSE_H
#define REGRET_TESTS_RATE_DENSE_H

#include "regret/rate.h"
#include "regret/rng.h"

enum { DENSE_ROWS = 160, DENSE_COLUMNS = 4 };

/* A regression on indicators of disjoint rows: row i has the mean column[i] of n_columns. */
struct dense {
    size_t n, n_columns;
    double y[DENSE_ROWS];
    size_t column[DENSE_ROWS];
    uint32_t cluster[DENSE_ROWS];
    double weight[DENSE_COLUMNS]; /* of the means in the estimate */
};

/* Appends the rows that one effect of a model in a group rests on, with clusters cluster[row], as its
 * one or two means with the sign. */
void dense_add(struct dense *d, const struct regret_rate_rows *rows, size_t group, size_t model,
               enum regret_rate_effect_kind kind, const uint32_t *cluster, double sign);
/* The estimate, its error and degrees of freedom, with (I − H_cc)^(−1/2) by eigenvectors. */
void dense_solve(double *estimate, double *se, double *df, const struct dense *d);

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
