#include "pool/votes.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "pool/grid.h"
#include "regret/pool.h"
#include "regret/status.h"

FREED_POINTER(struct regret_votes, regret_votes_free)

/* How far two outcomes may be from summing to one: a mean of thirds is rounded. */
static const double ROUNDING = 1e-9;

int regret_pool_is_of_votes(const struct regret_pool *pool)
{
    return pool->n_components == 1 &&
           strcmp(pool->components[0].name, REGRET_VOTES_COMPONENT) == 0 &&
           pool->components[0].low == 0.0 && pool->components[0].high == 1.0;
}

/* What the label of that name says of an output; `otherwise` where there is none. */
static double label_of(const struct regret_pool *pool, const struct regret_output *o,
                       const char *name, double otherwise)
{
    for (size_t j = 0; j < pool->n_aux; j++) {
        if (strcmp(pool->aux[j], name) == 0) {
            return o->values[pool->n_components + pool->n_counts + j];
        }
    }
    return otherwise;
}

/* The outputs of the context at o: n of them. */
static size_t count_outputs(const struct regret_output *o, const struct regret_output *end)
{
    size_t n = 1;
    while (o + n < end && o[n].context == o->context) {
        n++;
    }
    return n;
}

/* A context is one of votes where a draw of one agent has its like of another. */
static int check_context(const struct regret_pool *pool, const struct regret_output *o, size_t n)
{
    size_t half = n / 2;
    int is_vote = n % 2 == 0;
    for (size_t k = 0; k < half && is_vote; k++) {
        is_vote = o[k].agent == o->agent && o[half + k].agent == o[half].agent &&
                  o[half].agent != o->agent &&
                  fabs(o[k].values[0] + o[half + k].values[0] - 1.0) <= ROUNDING;
    }
    return is_vote
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "context \"%.60s\" is no vote: it needs outputs of two agents, and "
                             "their \"" REGRET_VOTES_COMPONENT "\" must sum to 1",
                             regret_context_name(&pool->contexts[o->context]));
}

/* What n outputs on a context say, each of its agent and the other: `vote`, but for what they say themselves. Those that stand for no
 * vote are none. Prompts are told apart by what their contexts are called. */
static int take_votes(struct regret_votes *v, struct id_table *prompts,
                      const struct regret_pool *pool, size_t context, const struct regret_output *o,
                      size_t n, struct regret_vote vote)
{
    const char *prompt = regret_context_name(&pool->contexts[context]);
    TRY(id_table_reserve(prompts, prompts->n + 1));
    vote.cluster = (uint32_t)id_table_put(prompts, prompt, prompts->n);
    v->n_clusters = prompts->n;
    for (size_t k = 0; k < n; k++) {
        vote.votes = label_of(pool, &o[k], REGRET_VOTES_COUNT, 1.0);
        vote.share = o[k].values[0];
        vote.first = vote_order(label_of(pool, &o[k], REGRET_VOTES_FIRST, (double)NAN));
        if (vote.votes > 0.0) {
            v->vote[v->n++] = vote;
        }
    }
    return REGRET_OK;
}

static int fill(struct regret_votes *v, const struct regret_pool *pool, struct id_table *prompts,
                const uint32_t *kind)
{
    const struct regret_output *end = pool->outputs + pool->n_outputs;
    size_t n = 0;
    for (const struct regret_output *o = pool->outputs; o < end; o += n) {
        n = count_outputs(o, end);
        TRY(check_context(pool, o, n));
        TRY(take_votes(v, prompts, pool, o->context, o, n / 2,
                       (struct regret_vote){.a = o->agent,
                                            .b = o[n / 2].agent,
                                            .kind = kind != NULL ? kind[o->context] : 0}));
    }
    return REGRET_OK;
}

int regret_votes_of_pool(struct regret_votes **out, const struct regret_pool *pool)
{
    FREED_BY(regret_votes_free_at) struct regret_votes *v = NULL;
    FREED_BY(id_table_free) struct id_table prompts = {NULL, 0, 0};
    FREED uint32_t *kind = NULL;
    if (!regret_pool_is_of_votes(pool)) {
        return regret_fail(
            REGRET_E_INPUT,
            "\"%.60s\" is not a pool of votes: that has one component, \"" REGRET_VOTES_COMPONENT
            "\" from 0 to 1, as import makes of a map with \"votes\"",
            pool->name);
    }
    TRY(REGRET_NEW(&v, 1));
    TRY(REGRET_NEW(&v->vote, pool->n_outputs / 2 + 1));
    v->n_agents = pool->n_agents;
    TRY(pool_tags_number(&v->tags, &v->n_tags, &kind, pool, NULL, pool->n_contexts));
    TRY(fill(v, pool, &prompts, kind));
    *out = v;
    v = NULL;
    return REGRET_OK;
}

static int is_vote(const struct regret_output *a, const struct regret_output *b)
{
    return a == NULL || b == NULL ? a == b : fabs(a->values[0] + b->values[0] - 1.0) <= ROUNDING;
}

/* Every draw of a cell has its like of the other. */
static int are_votes(const struct regret_grid *g, size_t cell, size_t other)
{
    size_t a = regret_grid_first(g, cell), b = regret_grid_first(g, other);
    size_t n = regret_grid_first(g, cell + 1) - a, k = 0;
    int votes = regret_grid_first(g, other + 1) - b == n;
    for (; k < n && votes; k++) {
        votes = is_vote(g->outputs[a + k], g->outputs[b + k]);
    }
    return votes;
}

int grid_is_of_votes(const struct regret_grid *g)
{
    int votes = regret_pool_is_of_votes(g->pool);
    for (size_t x = 0; x < g->n_contexts && votes; x++) {
        votes = regret_grid_observed(g, x) == 2;
        votes = votes && are_votes(g, x * g->n_agents + regret_grid_observed_agent(g, x, 0),
                                   x * g->n_agents + regret_grid_observed_agent(g, x, 1));
    }
    return votes;
}

int votes_of_grid(struct regret_votes **out, const struct regret_grid *g)
{
    FREED_BY(regret_votes_free_at) struct regret_votes *v = NULL;
    FREED_BY(id_table_free) struct id_table prompts = {NULL, 0, 0};
    TRY(REGRET_NEW(&v, 1));
    TRY(REGRET_NEW(&v->vote, g->n_contexts * g->most_draws));
    v->n_agents = g->n_agents;
    for (size_t x = 0; x < g->n_contexts; x++) {
        size_t a = regret_grid_observed_agent(g, x, 0), b = regret_grid_observed_agent(g, x, 1);
        size_t first = regret_grid_first(g, x * g->n_agents + a);
        size_t n = regret_grid_first(g, x * g->n_agents + a + 1) - first;
        TRY(take_votes(v, &prompts, g->pool, g->contexts[x], g->outputs[first],
                       g->outputs[first] != NULL ? n : 0,
                       (struct regret_vote){.a = (uint32_t)a,
                                            .b = (uint32_t)b,
                                            .kind = g->kind != NULL ? g->kind[x] : 0}));
    }
    *out = v;
    v = NULL;
    return REGRET_OK;
}

void regret_votes_free(struct regret_votes *votes)
{
    if (votes != NULL) {
        regret_free(votes->vote);
        regret_free(votes->tags);
        regret_free(votes);
    }
}
