/* Is an agent assigned more, or less, often after itself than chance would? */
#ifndef REGRET_EVALUATE_BALANCE_SEQUENCE_H
#define REGRET_EVALUATE_BALANCE_SEQUENCE_H

#include "evaluate/balance/permute.h"

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
