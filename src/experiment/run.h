/* All replicates of a run, in threads and shards. */
#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/inputs.h"
#include "regret/experiment.h"
#include "results/run_file.h"

/* Replicates that one thread computes one after the other, as they share what their OBS says. */

/* Batch i is the replicates begin[i] .. begin[i + 1] − 1 of a run (seed by seed, the cells of a seed in their
 * order); zeroed: none. */
struct run_batches {
    size_t n;
    size_t *begin; /* [n + 1] */
};

/* Cuts the replicates from `begin` to `end` wherever the next is of another seed or its cell differs in more than
 * n_exp; one by one where that would leave a thread without work. What is computed does not depend on it. */
int run_batches_create(struct run_batches *out, const struct regret_run_plan *plan, size_t begin,
                       size_t end, size_t threads);
void run_batches_free(struct run_batches *batches);

/* Which replicates a shard computes. */

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
