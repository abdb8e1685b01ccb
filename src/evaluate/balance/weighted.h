/* Assignment against features where only the probability of the agent that was assigned is known. */
#ifndef REGRET_EVALUATE_BALANCE_WEIGHTED_H
#define REGRET_EVALUATE_BALANCE_WEIGHTED_H

#include "evaluate/balance/permute.h"

/* The mean of 1{A=a}/p (g − ḡ) is zero for every agent and feature g, whatever clusters and probabilities (Horvitz and
 * Thompson, JASA 47, 1952). Each is held against its variance over clusters, or that of independent rows where it is larger, Student's t
 * with as many degrees of freedom as rows in effect vary the feature of the agent less one (eight, or it is not tested), all together by
 * Šidák's bound. Units of `d` are rows. O(dimensions · rows). */
int weighted_test(struct imbalance *out, const struct regret_log *log, const struct assignment *d,
                  const struct block *block, const struct cluster_order *order);

#endif
