/* The population of a cell: grid, rewards, proxies. */
#ifndef EXPERIMENT_POPULATION_H
#define EXPERIMENT_POPULATION_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/features.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/task.h"
#include "value/strength.h"

/* The votes that a grid is made of, and what agents are worth by them. */

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

/* Proxies kept from one replicate to the next. A proxy of the two SVD kinds is a pure function of the feature set, the
 * labels, the options and how often each pair is in OBS, and cells that differ in n_exp alone have the same
 * OBS; predicted labels also depend on the coordinates of φ, which EXP has a part in, and are never kept. */

/* The proxies of the last folds that one thread has fitted; zeroed: none. */
struct proxy_memo {
    struct kept_proxy *kept; /* [room], the oldest of them is replaced */
    size_t room, oldest;
};

/* Room for as many proxies as a cell has folds; none where they are more than PROXY_MEMO_FOLDS, which would hold
 * too much memory: P × (dim + labels + 1) numbers each. */
enum { PROXY_MEMO_FOLDS = 10 };
int proxy_memo_create(struct proxy_memo *memo, size_t folds);
void proxy_memo_clear(struct proxy_memo *memo);

/* regret_proxy_fit(), unless the memo (NULL: none) holds what would come of it, bit for bit. The features are
 * those that the terms and statistics of the source belong to. */
int proxy_memo_fit(double *z, size_t *dim, struct proxy_memo *memo,
                   const struct feature_set *features, const struct regret_proxy_source *source,
                   const double *count, const struct regret_proxy_options *options);

#endif
