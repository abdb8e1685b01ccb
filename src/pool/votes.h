/* Votes of a pool. */
#ifndef POOL_VOTES_H
#define POOL_VOTES_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"

/* Votes between the outputs of two agents, as a pool holds them. */

/* The component of a pool of votes, and the aux label that says how many votes it is the mean of (1 without). */
#define REGRET_VOTES_COMPONENT "win"
/* The aux label: of how many votes the outcome is the mean. */
#define REGRET_VOTES_COUNT "votes"
/* The aux label: 1 where the output was shown first of the two, 0 where the other was. */
#define REGRET_VOTES_FIRST "shown_first"

/* One comparison, or several of the same two agents taken together. */
struct regret_vote {
    uint32_t a, b; /* the agents, two different ones */
    uint32_t
        cluster;   /* the same number: about the same prompt, so that they depend on each other */
    uint32_t kind; /* the tag, an index into regret_votes.tags */
    double votes;  /* how many it stands for, > 0 */
    double share;  /* of them that a has won, ties as halves: in [0,1] */
    int first;     /* 1: a was shown first (or on the left), −1: b was, 0: nobody knows */
};

struct regret_votes {
    struct regret_vote *vote; /* owned */
    size_t n, n_agents, n_clusters;
    struct regret_pool_tag *tags; /* by first appearance; NULL where no context has one; owned */
    size_t n_tags;
};

/* 1 where the pool is one of votes: its only component is "win", from 0 to 1. */
int regret_pool_is_of_votes(const struct regret_pool *pool);

/* The votes of a checked pool: every context has the outputs of two agents, whose `win` are s and 1 − s (draw by
 * draw, where there are several). Contexts that share a title are of one prompt. Who was shown first says the aux label "shown_first". Frees with the function below.
 * REGRET_E_INPUT: the pool is not of votes, or a context is not. O(contexts + outputs). */
int regret_votes_of_pool(struct regret_votes **out, const struct regret_pool *pool);
void regret_votes_free(struct regret_votes *votes); /* NULL is fine */

/* The votes of a grid. */

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
