/* Which replicates a shard computes. */
#ifndef REGRET_EXPERIMENT_SHARD_RANGE_H
#define REGRET_EXPERIMENT_SHARD_RANGE_H

#include "experiment/inputs/run_inputs.h"
#include "results/run/run_file.h"

/* The cost of every replicate (cell_cost.h): replicate seed * cells + cell costs
 * before[cell + 1] - before[cell]. */
struct run_costs {
    uint64_t *before; /* [cells + 1] of the cells before each, ascending from 0; owned */
    size_t cells, seeds;
};
int run_costs_create(struct run_costs *out, const struct regret_run_plan *plan,
                     const struct run_inputs *inputs);
void run_costs_free(struct run_costs *costs); /* safe on a zeroed one */

/* The cost of replicates 0 to index - 1. */
uint64_t run_costs_before(const struct run_costs *costs, size_t index);

/* Where shards begin and end: shard k is [cut[k - 1], cut[k]) of `shards` + 1 cuts; free with
 * regret_free(). Ranges follow on one another, so that joining shards is concatenation; none is
 * empty, and the dearest costs as little as any such division allows. Within that, cuts are where the
 * cost comes nearest to even shares. O(shards · log replicates · log cost). */
int shard_cuts(size_t **out, const struct run_costs *costs, size_t shards);

/* Fills in [begin, end) of one; range->shards is at most the number of replicates. */
int shard_range_cut(struct shard_range *range, const struct run_costs *costs);

#endif
