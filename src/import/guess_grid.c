/* The contexts and agents that a run would keep of a table with holes. */
#include <stdlib.h>

#include "base/try.h"
#include "import/guess.h"
#include "pool/grid_policy.h"
#include "regret/alloc.h"

/* Of a row, by the hashes of their cells. */
struct pair {
    uint64_t context, agent;
};

static int compare(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    return a->context != b->context ? (a->context > b->context) - (a->context < b->context)
                                    : (a->agent > b->agent) - (a->agent < b->agent);
}

static int compare_agents(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The pairs of the table, once each, as outputs of a pool; how many there are. */
static size_t make_outputs(struct regret_output *outputs, uint64_t *agents, struct pair *pair,
                           size_t n_rows, size_t n_agents)
{
    size_t n = 0;
    uint32_t context = 0;
    for (size_t i = 0; i < n_rows; i++) {
        agents[i] = pair[i].agent;
    }
    qsort(agents, n_rows, sizeof *agents, compare_agents);
    for (size_t i = 0, kept = 0; i < n_rows && kept < n_agents; i++) {
        if (i == 0 || agents[i] != agents[i - 1]) {
            agents[kept++] = agents[i];
        }
    }
    qsort(pair, n_rows, sizeof *pair, compare);
    for (size_t i = 0; i < n_rows; i++) {
        if (i > 0 && compare(&pair[i - 1], &pair[i]) == 0) {
            continue;
        }
        context += i > 0 && pair[i].context != pair[i - 1].context;
        const uint64_t *agent =
            bsearch(&pair[i].agent, agents, n_agents, sizeof *agents, compare_agents);
        outputs[n++] =
            (struct regret_output){.context = context, .agent = (uint32_t)(agent - agents)};
    }
    return n;
}

static int find_largest(struct table_guess *g, const struct regret_pool *pool)
{
    struct pool_pairs pairs = {NULL, 0, NULL};
    struct grid_kept kept = {NULL, NULL, pool->n_contexts, pool->n_agents};
    int rc;
    TRY_CLEANUP(pool_pairs_make(&pairs, pool));
    TRY_CLEANUP(REGRET_NEW(&kept.contexts, pool->n_contexts));
    TRY_CLEANUP(REGRET_NEW(&kept.agents, pool->n_agents));
    for (size_t x = 0; x < pool->n_contexts; x++) {
        kept.contexts[x] = 1;
    }
    for (size_t a = 0; a < pool->n_agents; a++) {
        kept.agents[a] = 1;
    }
    TRY_CLEANUP(grid_drop_greedily(&kept, pool, &pairs));
    g->grid_contexts = kept.n_contexts;
    g->grid_agents = kept.n_agents;
cleanup:
    pool_pairs_free(&pairs);
    regret_free(kept.contexts);
    regret_free(kept.agents);
    return rc;
}

int guess_grid(struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    struct regret_pool pool = {.n_contexts = g->contexts, .n_agents = g->agents};
    struct pair *pair = NULL;
    uint64_t *agents = NULL;
    int rc;
    g->grid_contexts = g->contexts;
    g->grid_agents = g->agents;
    if (g->is_wide || g->pairs == g->contexts * g->agents) {
        return REGRET_OK;
    }
    TRY_CLEANUP(REGRET_NEW(&pair, p->rows));
    TRY_CLEANUP(REGRET_NEW(&agents, p->rows));
    TRY_CLEANUP(REGRET_NEW(&pool.outputs, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        const uint64_t *row = &p->cell[i * p->n_columns];
        pair[i] = (struct pair){row[g->at[GUESS_CONTEXT]], row[g->at[GUESS_AGENT]]};
    }
    pool.n_outputs = make_outputs(pool.outputs, agents, pair, p->rows, g->agents);
    rc = find_largest(g, &pool);
cleanup:
    regret_free(pair);
    regret_free(agents);
    regret_free(pool.outputs);
    return rc;
}
