/* `regret pool show` and `stats` for programs. */
#ifndef REGRET_CLI_POOLS_POOL_JSON_H
#define REGRET_CLI_POOLS_POOL_JSON_H

#include "regret/pool_stats.h"

/* Append the pool as a table of several blocks (docs/formats.md): what it is, its contexts by tag and its
 * agents; the statistics of its scores, too. Errors are the buffer's. */
void pool_show_json(struct regret_buffer *t, const struct regret_pool *pool,
                    const struct regret_pool_stats *stats);
void pool_stats_json(struct regret_buffer *t, const struct regret_pool *pool,
                     const struct regret_pool_stats *stats);

#endif
