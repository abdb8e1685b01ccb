/* Pools joined. */
#ifndef POOL_JOIN_H
#define POOL_JOIN_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"

/* What the cost of an agent is where two pools say different ones. */
enum regret_join_costs {
    REGRET_JOIN_COSTS_REFUSE,
    REGRET_JOIN_COSTS_FIRST, /* the first pool's */
    REGRET_JOIN_COSTS_MEAN /* the mean over the outputs of the first and the new ones of the second */
};

struct regret_pool_join_options {
    int common; /* 1: components, counts, aux labels and columns that one pool lacks are left out */
    int draws;  /* 1: outputs of pairs that are there are further draws, numbered after those */
    int rename; /* 1: a context that differs from the one of its id gets the id ID:2, or the next that is free */
    enum regret_join_costs costs;
};

/* What came of it. */
struct regret_pool_joined {
    size_t contexts, agents, outputs; /* new ones */
    size_t same;                      /* outputs that were there already */
    size_t renamed;                   /* contexts, of the new ones */
    size_t renamed_agents;            /* of the new ones */
    size_t components;                /* new ones */
    size_t left_out;                  /* components, counts, aux labels and columns, by `common` */
    int default_segments; /* 1: the segments are the default ones of the components there are now */
};

/* Joins `more` into `pool`, both as read or checked; `options` and *out may be NULL. What is new is moved, not copied:
 * `more` is afterwards, as after a failure both are, good for regret_pool_free() alone. The rules:
 *
 *   contexts    of one id have one text, and the same values of the columns that both pools have. A tag or a title
 *               that one lacks is the other's; other tags are refused, of other titles the first stays.
 *   agents      of one name (regret_agent_name()) are one; the title is the first pool's, the cost as `costs` says. Of
 *               another name with the id of one that is there the id gets ":2" behind, or the next that is free.
 *   outputs     of one context, agent and draw have one text and the same values of what both pools score, and are
 *               one. With `draws` none are compared, and all of `more` are new.
 *   values      every output has every component, count and label of either pool: a component that is new in `more`
 *               needs `more` to have all outputs of `pool`, as the scores of another judge do. Columns the same.
 *               Ranges of a component are one in both.
 *   segments    are those of `pool`, with weight 0 on new components. Where they were the default ones and the
 *               components have changed, and where weight lay on a component that is left out: the default ones.
 *   header      name, title and version are those of `pool`; licence and source "A; B" where they differ; synthetic
 *               where one is; the history that of `pool`, then the steps of `more` that it lacks. No step is added.
 *
 * REGRET_E_INPUT says which of these does not hold, where, and what can be done. O(n log n) in contexts and outputs,
 * 8 bytes an output besides the two pools, and values of outputs anew where components are added or left out. */
int regret_pool_join(struct regret_pool_joined *out, struct regret_pool *pool,
                     struct regret_pool *more, const struct regret_pool_join_options *options);

/* Words or patterns as the shell has them (*, ?, [a-z]); borrowed. */
struct regret_pool_patterns {
    const char *const *items;
    size_t n;
};

/* What is kept of a pool: contexts whose tag and id (or title) match one each of the patterns (none: any) and none of
 * the not_ ones, and agents by their ids or titles alike. A context without a tag has the tag "". */
struct regret_pool_select_options {
    struct regret_pool_patterns tags, contexts, agents;
    struct regret_pool_patterns not_tags, not_contexts, not_agents;
    size_t sample; /* of those contexts so many by chance; 0: all */
    int by_tag;    /* 1: so many of each tag, all where a tag has fewer */
    uint64_t seed;
    size_t *unanswered; /* NULL, or set to how many contexts no agent that is kept has answered */
};

/* Keeps what `options` say of a pool as read or checked, in its order, and frees the rest: with agents go the contexts
 * that only they have answered, while agents without an output left stay. The sample are the first ones of regret_rng_order() of the contexts that match, in the
 * order of the pool, at (seed, REGRET_RNG_SELECT, 0); by tag, of those of the t-th tag (by first appearance among them,
 * from 0) at (seed, REGRET_RNG_SELECT, t): a larger sample of a pool holds every smaller one.
 * REGRET_E_INPUT, with the pool as it was: a pattern that nothing matches, a sample of more contexts than match, no
 * output left. O(contexts · (patterns + tags) + outputs). */
int regret_pool_select(struct regret_pool *pool, const struct regret_pool_select_options *options);

#endif
