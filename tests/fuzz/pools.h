/* What holds of every pool that was read, and of every pool an import wrote. */
#ifndef REGRET_FUZZ_POOLS_H
#define REGRET_FUZZ_POOLS_H

#include "regret/pool.h"

/* The pool at `path`, which must be one. Free it with regret_pool_free(). */
struct regret_pool *fuzz_read_pool(const char *path);

/* Every value keeps the rules of pool.h, and each grid policy cuts a grid that is complete. */
void fuzz_check_pool(struct regret_pool *pool);

/* Written and read, the pool is the same in every value; written again, in every byte. */
void fuzz_check_pool_again(const struct regret_pool *pool);

/* An import's outcome: a pool of these sizes. Leaves its digest. */
void fuzz_check_imported(char digest[33], const char *path, size_t contexts, size_t agents,
                         size_t outputs);

#endif
