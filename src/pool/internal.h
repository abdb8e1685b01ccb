/* What the sources of this folder share. */
#ifndef POOL_INTERNAL_H
#define POOL_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "pool/join.h"

/* ---- match.c: what of two pools is the same. ---- */

/* The number of what a pool does not have. */
#define NOWHERE SIZE_MAX

/* Names of the joined pool, in its order: the number of each in either pool, or NOWHERE. */
struct joined_names {
    size_t n;
    size_t *in_pool, *in_more; /* owned */
};

struct pool_match {
    const struct regret_pool *pool, *more;
    const struct regret_pool_join_options *options;
    size_t n_components, n_counts,
        n_aux; /* of the joined pool: `values` are these, in this order */
    struct joined_names values, columns;
    size_t *context_to, *agent_to;      /* of `more`: the number in the joined pool; owned */
    size_t *context_from, *output_from; /* of `pool`: the number in `more`, or NOWHERE; owned */
    size_t *output_to;                  /* of `more`: the number in `pool`, or NOWHERE; owned */
    size_t new_contexts, new_agents, same_outputs, renamed, renamed_agents;
    char **ids; /* of the contexts of `more` that get another id: it; owned, and NULL of others */
    char **agent_ids; /* likewise of its agents */
};

/* Names first: match_things() needs them. Both refuse what is not the same in both pools. */
int match_names(struct pool_match *m);
int match_things(struct pool_match *m);
void match_free(struct pool_match *m);

/* How many draws `pool` has of context x and agent a. */
size_t match_draws(const struct regret_pool *pool, size_t x, size_t a);

/* 1 where the joined names are those of a pool of n, in its order: `in` is the pool's side. */
int names_are_those(const struct joined_names *names, const size_t *in, size_t n);

#endif
