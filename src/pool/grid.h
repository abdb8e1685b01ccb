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

/* Names of agents for columns of fixed width. Internal to the texts about pools. */

/* One label an agent, n_agents of them: the id where it fits into `columns` (at least 8), else its
 * beginning and its end around "…". Where two labels would be alike, all are cut elsewhere, and if
 * no place tells them apart, the long ones end in the agent's number. Free with agent_labels_free().
 */
int agent_labels_make(char ***out, const struct regret_pool *pool, size_t columns);
void agent_labels_free(char **labels, const struct regret_pool *pool); /* NULL is fine */

#endif
