/* The votes that a grid is made of, and what agents are worth by them. */
#ifndef REGRET_EXPERIMENT_GRID_VOTES_H
#define REGRET_EXPERIMENT_GRID_VOTES_H

#include "regret/bradley_terry.h"
#include "regret/buffer.h"

struct grid_votes {
    struct regret_votes *votes;
    struct regret_bradley_terry *fit; /* of all votes */
    const char **names;               /* [n_agents] of the agents, which are not owned */
};

/* REGRET_E_INPUT: the agents fall into parts that no vote joins. Free even on failure. */
int grid_votes_make(struct grid_votes *out, const struct regret_grid *grid);
void grid_votes_free(struct grid_votes *votes);

/* What a vote of a against b lacks to one against another agent, drawn uniformly: the value of a less its chance against b. */
double grid_votes_as_met(const struct grid_votes *votes, size_t a, size_t b);

/* Who is in no order with whom, in a sentence: no chain of votes, each won or tied, leads from one to the other. Nothing where
 * all are in one. */
int grid_votes_caution(struct regret_buffer *out, const struct grid_votes *votes);

#endif
