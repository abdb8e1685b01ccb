/* What becomes of grids with holes. */
#ifndef POOL_GRID_POLICY_H
#define POOL_GRID_POLICY_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/pool.h"

/* What a grid is made of, as lists of JSON. */

/* Ids are what files and programs go by, names what people call them. Of pairs the first of each cell, and behind them their number;
 * GRID_COLUMN is of grid_json_columns() alone. */
enum grid_list {
    GRID_AGENT_IDS,
    GRID_AGENT_NAMES,
    GRID_AGENT_COSTS,
    GRID_CONTEXT_IDS,
    GRID_CONTEXT_NAMES,
    GRID_CONTEXT_TAGS,
    GRID_TAGS,
    GRID_FIRST_PAIRS,
    GRID_COLUMN
};

/* Appends the list, behind `before`. */
void grid_json(struct regret_buffer *t, const char *before, const struct regret_grid *g,
               enum grid_list what);
/* The ids of n contexts of the grid. */
void grid_json_contexts(struct regret_buffer *t, const struct regret_grid *g, const size_t *context,
                        size_t n);
/* What is known of the contexts besides: [{name, values}], numbers or words; null where not known. */
void grid_json_columns(struct regret_buffer *t, const struct regret_grid *g);

/* Internal to the grid: the pairs a pool has, and which contexts and agents a policy keeps. */

/* One (context, agent) pair that has outputs; they stand together in pool->outputs. */
struct pool_pair {
    uint32_t context, agent;
    uint32_t n_draws;
    uint32_t first; /* index of its draw 0 */
};

/* The pairs of a sorted pool, context-major. Memory is proportional to the pairs that exist, so a
 * pool of very many contexts and agents with few outputs is no danger. */
struct pool_pairs {
    struct pool_pair *pairs; /* n, ascending by context, then agent; owned */
    size_t n;
    size_t *start; /* n_contexts + 1: the pairs of context x are [start[x], start[x+1]); owned */
};

/* To be freed even on failure. */
int pool_pairs_make(struct pool_pairs *out, const struct regret_pool *pool);
void pool_pairs_free(struct pool_pairs *p);

/* The pair (context, agent), or NULL when it has no output. O(log agents). */
const struct pool_pair *pool_pairs_find(const struct pool_pairs *p, size_t context, size_t agent);

/* What a grid keeps: one flag a context and one an agent. */
struct grid_kept {
    unsigned char *contexts, *agents; /* owned */
    size_t n_contexts, n_agents;      /* how many flags are set */
};

/* Sets all flags. To be freed even on failure. */
int grid_keep_all(struct grid_kept *kept, const struct regret_pool *pool);
void grid_kept_free(struct grid_kept *kept);

/* REGRET_GRID_FAIL: names the first missing pair and how many are missing, if any is. */
int grid_require_all(const struct regret_pool *pool, const struct pool_pairs *p);

/* REGRET_GRID_OBSERVED: clears the flags of contexts and agents that have no output at all, of all that are set. */
void grid_drop_empty(struct grid_kept *kept, const struct regret_pool *pool,
                     const struct pool_pairs *p);

/* REGRET_GRID_COMPLETE: clears flags by the greedy rule until no kept pair is missing.
 * O(P log X + D_x A + D_a (X log A)) for P missing pairs, D_x contexts and D_a agents dropped. */
int grid_drop_greedily(struct grid_kept *kept, const struct regret_pool *pool,
                       const struct pool_pairs *p);

#endif
