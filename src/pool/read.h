/* Pools read. */
#ifndef POOL_READ_H
#define POOL_READ_H

#include "regret/pool.h"

struct cJSON;

/* What pool.json says the two other files are; "" where it does not say. */
struct pool_digests {
    char contexts[33], outputs[33];
};

/* Fills the header fields of an empty pool from parsed pool.json; `path` is for messages. What it
 * filled before a failure stays in the pool, for regret_pool_free(). */
int pool_read_header(struct regret_pool *pool, struct pool_digests *digests,
                     const struct cJSON *root, const char *path);

/* Frees components, counts, aux labels and segments; the pool has none then. */
void pool_free_values(struct regret_pool *pool);

#endif
