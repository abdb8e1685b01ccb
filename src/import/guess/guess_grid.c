/* The contexts and agents that a run would keep of a table with holes. */
#include <stdlib.h>

#include "base/core/try.h"
#include "import/guess/guess.h"
#include "pool/grid/grid_policy.h"
#include "regret/alloc.h"

/* The n pairs of context and agent as outputs of the pool, whose agents are these. */
static int make_outputs(struct regret_pool *pool, const struct profile_pair *pair, size_t n,
                        const struct profile_pair *agents)
{
    uint32_t context = 0;
    TRY(REGRET_NEW(&pool->outputs, n));
    pool->n_outputs = n;
    for (size_t i = 0; i < n; i++) {
        const struct profile_pair key = {pair[i].b, pair[i].b};
        const struct profile_pair *agent =
            bsearch(&key, agents, pool->n_agents, sizeof *agents, profile_pair_compare);
        context += i > 0 && pair[i].a != pair[i - 1].a;
        pool->outputs[i] =
            (struct regret_output){.context = context, .agent = (uint32_t)(agent - agents)};
    }
    return REGRET_OK;
}

static int find_largest(struct table_guess *g, const struct regret_pool *pool)
{
    struct pool_pairs pairs = {NULL, 0, NULL};
    struct grid_kept kept = {NULL, NULL, 0, 0};
    int rc;
    TRY_CLEANUP(pool_pairs_make(&pairs, pool));
    TRY_CLEANUP(grid_keep_all(&kept, pool));
    TRY_CLEANUP(grid_drop_greedily(&kept, pool, &pairs));
    g->grid_contexts = kept.n_contexts;
    g->grid_agents = kept.n_agents;
cleanup:
    pool_pairs_free(&pairs);
    grid_kept_free(&kept);
    return rc;
}

int guess_grid(struct table_guess *g)
{
    size_t context = g->at[GUESS_CONTEXT], agent = g->at[GUESS_AGENT], n = 0;
    struct regret_pool pool = {.n_contexts = g->contexts};
    struct profile_pair *pair = NULL, *agents = NULL;
    int rc;
    g->grid_contexts = g->contexts;
    g->grid_agents = g->agents;
    if (g->is_wide || g->pairs == g->contexts * g->agents) {
        return REGRET_OK;
    }
    TRY_CLEANUP(table_profile_distinct(&pair, &n, &g->profile, context, agent));
    TRY_CLEANUP(table_profile_distinct(&agents, &pool.n_agents, &g->profile, agent, agent));
    TRY_CLEANUP(make_outputs(&pool, pair, n, agents));
    rc = find_largest(g, &pool);
cleanup:
    regret_free(pair);
    regret_free(agents);
    regret_free(pool.outputs);
    return rc;
}
