/* A pool with other scores than the one it was made of. */
#ifndef REGRET_SPREAD_POOL_H
#define REGRET_SPREAD_POOL_H

#include "regret/spread.h"

/* The scores are its own; texts, ids and all else are borrowed from the other pool, which must outlive it. Not to be
 * freed as a pool. */
struct spread_pool {
    struct regret_pool pool;
    struct regret_spread_options options;
    double *values; /* of all outputs */
    size_t clipped; /* scores that had to be moved into their range */
};

/* regret_pool_spread() of a copy. */
int spread_pool_create(struct spread_pool **out, const struct regret_pool *pool,
                       const struct regret_spread_options *options);
void spread_pool_free(struct spread_pool *spread); /* NULL is fine */

#endif
