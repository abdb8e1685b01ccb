/* Names of agents for columns of fixed width. Internal to the texts about pools. */
#ifndef REGRET_SRC_POOL_AGENT_LABELS_H
#define REGRET_SRC_POOL_AGENT_LABELS_H

#include "regret/pool.h"

/* One label an agent, n_agents of them: the id where it fits into `columns` (at least 8), else its
 * beginning and its end around "…". Where two labels would be alike, all are cut elsewhere, and if
 * no place tells them apart, the long ones end in the agent's number. Free with agent_labels_free().
 */
int agent_labels_make(char ***out, const struct regret_pool *pool, size_t columns);
void agent_labels_free(char **labels, const struct regret_pool *pool); /* NULL is fine */

#endif
