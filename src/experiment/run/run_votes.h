/* What run.json says of the votes of a run. */
#ifndef REGRET_EXPERIMENT_RUN_VOTES_H
#define REGRET_EXPERIMENT_RUN_VOTES_H

#include "regret/buffer.h"
#include "regret/pool.h"

/* Appends ',"won":[[a,b],…]', who has won from whom or tied, of a grid whose contexts are votes of two observed agents; nothing
 * where chains of these lead from every agent to every other, as the order of all is then in the votes. */
int run_votes_describe(struct regret_buffer *t, const struct regret_grid *grid);

#endif
