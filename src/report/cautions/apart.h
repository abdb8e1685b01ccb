/* Agents of votes that no chain of them puts in an order. */
#ifndef REGRET_REPORT_CAUTIONS_APART_H
#define REGRET_REPORT_CAUTIONS_APART_H

#include "regret/results.h"

/* Marks the agents of the grid that no chain of votes, each won or tied, leads to from `agent`, nor back from: which of the
 * two is better is not in the votes, whatever a model says. *n: how many; all are 0 where the run is not of votes. */
int apart_mark(unsigned char **out, size_t *n, const struct regret_run_grid *grid, size_t agent);

/* Appends up to three of the names that are marked, ", and N more" behind them. */
void apart_names(struct regret_buffer *out, const struct regret_run_grid *grid,
                 const unsigned char *mark);

/* The caution: how many pairs of agents are so. */
void apart_say(struct regret_buffer *out, const struct regret_results *r);

#endif
