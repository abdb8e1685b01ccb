/* Permutation tests of balance over tags, numbers and words. */
#ifndef EVALUATE_PERMUTE_H
#define EVALUATE_PERMUTE_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate/assignment.h"

/* Assignment against features, by exchanging labels. */

struct permutation_options {
    size_t resamples, threads;
    uint64_t seed, stream; /* a stream of its own for each permutation */
};

enum {
    FEW_PERMUTATIONS = 10, /* that reach what is seen, below which … */
    MORE_PERMUTATIONS = 10 /* … so many times as many are made */
};

/* Units with those of a stratum together, from start[stratum] on; both to be freed by the caller, whatever is returned. */
int group_by_stratum(size_t **units, size_t **start, const struct assignment *d);
/* The labels of permutation `index`, exchanged within strata. */
void permute_labels(uint32_t *labels, const struct assignment *d, const size_t *by_stratum,
                    const size_t *start, const struct permutation_options *options, size_t index);

/* What was found; the dimension and label that depart the most, and the label's mean of the feature beside what the others'
 * would let expect. */
struct imbalance {
    double p;
    size_t dimension, label;
    double mean, expected;
    size_t permutations; /* 0 of a test without any */
};

/* With T_ad the sum of feature d over units of label a, E_ad its mean under exchange within strata, N_a units of the label
 * and v_d the feature's variance within strata, Q_d = Σ_a (T_ad − E_ad)²/(N_a v_d). Tested are Σ_d Q_d and max_d Q_d, each
 * by permutation, and twice the smaller probability is told; one dimension is tested once. Exact whatever features
 * and clusters are, where assignment is independent from unit to unit with the stated probabilities. Ten times as many
 * permutations are made where fewer than ten reach what is seen. p is NaN where nothing varies. O(permutations · (entries +
 * labels · dimensions)). */
int permutation_test(struct imbalance *out, const struct assignment *d, const struct block *block,
                     const struct permutation_options *options);

/* Assignment against features where only the probability of the agent that was assigned is known. */

/* The mean of 1{A=a}/p (g − ḡ) is zero for every agent and feature g, whatever clusters and probabilities (Horvitz and
 * Thompson, JASA 47, 1952). Each is held against its variance over clusters, or that of independent rows where it is larger, Student's t
 * with as many degrees of freedom as rows in effect vary the feature of the agent less one (eight, or it is not tested), all together by
 * Šidák's bound. Units of `d` are rows. O(dimensions · rows). */
int weighted_test(struct imbalance *out, const struct regret_log *log, const struct assignment *d,
                  const struct block *block, const struct cluster_order *order);

#endif
