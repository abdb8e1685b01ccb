/* The votes of a grid. */
#ifndef REGRET_POOL_VOTES_VOTES_H
#define REGRET_POOL_VOTES_VOTES_H

#include "regret/votes.h"

/* 1 where every context of the grid is a vote: the pool is one of votes, and two agents are observed, whose `win` sum to 1. */
int grid_is_of_votes(const struct regret_grid *grid);

/* Of a grid of votes; agents and tags by their numbers in the grid, which
 * keeps the tags. */
int votes_of_grid(struct regret_votes **out, const struct regret_grid *grid);

/* What the label "shown_first" says of an output: 1 first, −1 second; 0 where it is neither 1 nor 0. */
static inline int vote_order(double label)
{
    return (label >= 1.0 && label <= 1.0) - (label >= 0.0 && label <= 0.0);
}

#endif
