/* What run.json says of the votes of a run. */
#ifndef REGRET_EXPERIMENT_RUN_VOTES_H
#define REGRET_EXPERIMENT_RUN_VOTES_H

#include "experiment/inputs/grid_votes.h"
#include "regret/buffer.h"

/* Appends ',"won":[[a,b],…]', who has won from whom or tied; nothing where chains of these lead from every agent to every other, as the order of all is then in the votes. */
int run_votes_describe(struct regret_buffer *t, const struct grid_votes *votes);

#endif
