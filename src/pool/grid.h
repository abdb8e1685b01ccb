/* Agents by contexts. */
#ifndef POOL_GRID_H
#define POOL_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"

/* The tags of contexts, numbered. */

/* The tags of the n contexts that `contexts` numbers (NULL: all of the pool) in order of first
 * appearance: *kind, if not NULL, gets which of them each has, [n]. Contexts without one together have
 * the tag NULL; where none has any, *n_tags is 0 and both are NULL. The caller frees both arrays. O(n). */
int pool_tags_number(struct regret_pool_tag **tags, size_t *n_tags, uint32_t **kind,
                     const struct regret_pool *pool, const size_t *contexts, size_t n);

#endif
