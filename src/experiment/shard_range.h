/* Which replicates a shard computes. */
#ifndef REGRET_EXPERIMENT_SHARD_RANGE_H
#define REGRET_EXPERIMENT_SHARD_RANGE_H

#include "experiment/lab.h"

/* More shards than any array job has tasks; keeps the arithmetic within 64 bits. */
enum { SHARDS_MOST = 1000000 };

/* The cost of every replicate (cell_cost.h): replicate seed * cells + cell costs
 * before[cell + 1] - before[cell]. */
struct run_costs {
    uint64_t *before; /* [cells + 1] of the cells before each, ascending from 0; owned */
    size_t cells, seeds;
};
int run_costs_create(struct run_costs *out, const struct regret_plan *plan,
                     const struct lab_set *labs);
void run_costs_free(struct run_costs *costs); /* safe on a zeroed one */

/* The cost of replicates 0 to index - 1. */
uint64_t run_costs_before(const struct run_costs *costs, size_t index);

/* Shard `shard` of `shards` (from 1; at most as many as replicates, and SHARDS_MOST) and the
 * replicates [begin, end) that it computes. */
struct shard_range {
    size_t shard, shards, begin, end;
};

/* Fills in [begin, end). Ranges of a division follow on one another, so that joining shards is
 * concatenation; none is empty, and none costs more than its even share and one replicate. */
void shard_range_cut(struct shard_range *range, const struct run_costs *costs);

/* From one shard to the one after it, beginning with {0, shards, 0, 0}: 1, or 0 after the last. */
int shard_range_next(struct shard_range *range, const struct run_costs *costs);

#endif
