/* Whether the agents were drawn by chance, and whether the order of the rows tells the agent. */
#ifndef EVALUATE_ASSIGNMENT_H
#define EVALUATE_ASSIGNMENT_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate/clusters.h"
#include "regret/design.h"
#include "regret/evaluate.h"

struct permutation_options;

/* How EXP was assigned, as far as its probabilities tell. */

enum assignment_kind {
    ASSIGNMENT_ALIKE,    /* an agent has one probability: labels of all units may be exchanged */
    ASSIGNMENT_BY_TAG,   /* one a tag: labels may be exchanged within tags, … */
    ASSIGNMENT_BY_SLATE, /* … or slates */
    ASSIGNMENT_BY_ROW /* probabilities of the agents that were not assigned are unknown: nothing may be */
};

/* Units are what was assigned as one: rows, or clusters where every row of one has the same agent. */
struct assignment {
    enum assignment_kind kind;
    int by_cluster;
    size_t n_rows, n_units;
    uint32_t *unit;    /* [n_rows] ASSIGNMENT_NONE of a row that is not in a sample */
    uint32_t *rows;    /* [n_units] rows of a unit */
    uint32_t *first;   /* [n_units] its first row */
    uint32_t *label;   /* [n_units] below n_labels */
    uint32_t *stratum; /* [n_units] below n_strata */
    size_t n_labels, n_strata;
    uint32_t *agent;     /* [n_labels] */
    double *probability; /* [n_labels] of ASSIGNMENT_ALIKE; of the first row seen otherwise */
};
#define ASSIGNMENT_NONE UINT32_MAX

/* Probabilities are alike that differ by no more than 1e-6 of themselves. O(rows). */
int assignment_build(struct assignment *out, const struct regret_log *log,
                     const struct cluster_order *order);
/* The same of at most `most` units, chosen by the seed. */
int assignment_sample(struct assignment *out, const struct assignment *d, size_t most,
                      uint64_t seed);
void assignment_free(struct assignment *d);

/* Exact probabilities of counts. */

/* Twice the smaller of P(X <= k) and P(X >= k), at most 1, of a binomial X of n trials; 0 < p <= 1. O(n). */
double binomial_two_sided(size_t k, size_t n, double p);

/* Features of rows, gathered as places of a matrix of units. */

/* Units × dimensions; a unit of several rows has their mean. NULL `x`: there is nothing of the kind. */
struct block {
    struct regret_csr *x;
    size_t *source; /* [dimensions] what one is of: tag, covariate; of words the place of a term */
};

void block_free(struct block *block);

struct triplets {
    const struct assignment *assignment; /* borrowed */
    size_t n, capacity[3];
    size_t *unit, *dimension;
    double *value;
};

/* Adds a row's value to its unit, over the unit's rows; nothing where the unit is not in the sample. */
int triplets_add(struct triplets *t, size_t row, size_t dimension, double value);
/* The matrix, and `source` [dimensions] (taken over); frees the triplets whatever happens. */
int triplets_take(struct block *out, struct triplets *t, size_t dimensions, size_t *source);
void triplets_free(struct triplets *t);

/* Features of units that assignment must not depend on. */

int block_tags(struct block *out, const struct regret_log *log, const struct assignment *d);
/* Ranks of numbers and whether one is missing; words one by one. */
int block_covariates(struct block *out, const struct regret_log *log, const struct assignment *d);
int block_length(struct block *out, const struct regret_log *log, const struct assignment *d);
/* The rank, and eighths of the rows in order of time. */
int block_time(struct block *out, const struct regret_log *log, const struct assignment *d);
/* Whether a text has a word (no stop words), of the words that most units have, at most 1,000, each in ten units or more. */
int block_words(struct block *out, const struct regret_log *log, const struct assignment *d);

/* The word of a text that dimension `j` of block_words() is of, as it is written there. Found by trying the texts again. */
int block_word(char **out, const struct block *block, size_t j, const struct regret_log *log,
               const struct assignment *d);

/* ranks[i] in (0,1) of values[i], alike where they are equal; NaN of a NaN. O(n log n). */
int block_ranks(double *ranks, const double *values, size_t n);

/* Is an agent assigned more, or less, often after itself than chance would? */

struct succession {
    double p;            /* two-sided; NaN where there are no neighbours */
    size_t pairs, alike; /* neighbours, and those of one agent */
    double expected;     /* of these, under exchange of labels */
    size_t permutations;
};

/* Neighbours are rows of EXP that follow each other in time within a cluster, or, where clusters have few (below ten), units that
 * follow each other in the whole of EXP; rows at one time have no order and are none. Without times: all pairs of
 * a cluster. By permutation of labels, within strata. */
int sequence_test(struct succession *out, const struct regret_log *log, const struct assignment *d,
                  const struct cluster_order *order, const struct permutation_options *options);

#endif
