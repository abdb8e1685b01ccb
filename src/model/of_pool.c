/* A model of a pool. */
#include <math.h>

#include "base/status.h"
#include "experiment/population.h"
#include "model/model.h"
#include "pool/votes.h"
#include "regret/experiment.h"
#include "regret/status.h"

/* Arrays of a grid in the form of struct regret_model_data; all owned, what they point to is not. */
struct scores {
    struct regret_grid *grid;
    double *target;
    const char **text, **tag, **agent;
    const struct regret_covariate **covariate;
    int votes; /* 1: they are values of agents and what votes say beside */
};

static void scores_clear(struct scores *s)
{
    regret_grid_free(s->grid);
    regret_free(s->target);
    regret_free(s->text);
    regret_free(s->tag);
    regret_free(s->covariate);
    regret_free(s->agent);
}

/* A score of an output, from 0 to 1: of one component, or the mean of all of them. */
static double score_of(const struct regret_grid *g, size_t pair, size_t component)
{
    size_t first = component == REGRET_MODEL_ALL_COMPONENTS ? 0 : component;
    size_t end = component == REGRET_MODEL_ALL_COMPONENTS ? g->pool->n_components : component + 1;
    double sum = 0.0;
    for (size_t i = first; i < end; i++) {
        sum += regret_grid_quality(g, pair, i);
    }
    return sum / (double)(end - first);
}

/* The mean over draws; NaN where nothing was observed. */
static double target_of(const struct regret_grid *g, size_t cell, size_t component)
{
    size_t first = regret_grid_first(g, cell), end = regret_grid_first(g, cell + 1);
    double sum = 0.0;
    for (size_t p = first; p < end; p++) {
        sum += g->outputs[p] != NULL ? score_of(g, p, component) : NAN;
    }
    return sum / (double)(end - first);
}

/* How much of what a vote says over a's chance against b differences of values are met by, where a does by as much better
 * against all of m agents. */
static double share_of_vote(size_t m)
{
    return (double)m / (2.0 * (double)(m - 1));
}

/* In the place of a's win s from b: the value of a, and that share of what s has over a's chance against b. */
static int put_values(struct scores *s)
{
    FREED_BY(grid_votes_free) struct grid_votes v = {0};
    size_t m = s->grid->n_agents;
    TRY(grid_votes_make(&v, s->grid));
    for (size_t x = 0; x < s->grid->n_contexts; x++) {
        for (size_t k = 0; k < 2; k++) {
            size_t a = regret_grid_observed_agent(s->grid, x, k);
            size_t b = regret_grid_observed_agent(s->grid, x, 1 - k);
            double *won = &s->target[x * m + a], value = v.fit->agents[a].value;
            double over = *won + grid_votes_as_met(&v, a, b) - value;
            *won = value + share_of_vote(m) * over;
        }
    }
    return REGRET_OK;
}

static int scores_read(struct scores *s, const struct regret_pool *pool, size_t component)
{
    const struct regret_grid_options observed = {.policy = REGRET_GRID_OBSERVED};
    TRY(regret_grid_cut(&s->grid, pool, &observed));
    size_t contexts = s->grid->n_contexts, agents = s->grid->n_agents;
    TRY(REGRET_NEW(&s->target, contexts * agents));
    for (size_t cell = 0; cell < contexts * agents; cell++) {
        s->target[cell] = target_of(s->grid, cell, component);
    }
    s->votes = grid_is_of_votes(s->grid);
    if (s->votes) {
        TRY(put_values(s));
    }
    TRY(REGRET_NEW(&s->text, contexts));
    TRY(REGRET_NEW(&s->tag, contexts));
    TRY(REGRET_NEW(&s->covariate, contexts));
    TRY(REGRET_NEW(&s->agent, agents));
    for (size_t x = 0; x < contexts; x++) {
        const struct regret_context *context = &pool->contexts[s->grid->contexts[x]];
        s->text[x] = regret_grid_context_text(s->grid, x);
        s->tag[x] = context->tag;
        s->covariate[x] = context->columns;
    }
    for (size_t a = 0; a < agents; a++) {
        s->agent[a] = regret_agent_name(&pool->agents[s->grid->agents[a]]);
    }
    return REGRET_OK;
}

int regret_model_of_pool(struct regret_model **out, const struct regret_pool *pool,
                         size_t component, size_t threads)
{
    FREED_BY(regret_threads_restore) size_t before = regret_threads_allow(threads);
    FREED_BY(scores_clear) struct scores s = {0};
    struct regret_config config;
    regret_config_default(&config);
    TRY(scores_read(&s, pool, component));
    const struct regret_model_data data = {.n_contexts = s.grid->n_contexts,
                                           .n_agents = s.grid->n_agents,
                                           .text = s.text,
                                           .tag = s.tag,
                                           .agent = s.agent,
                                           .column = pool->columns,
                                           .covariate = s.covariate,
                                           .n_columns = pool->n_columns,
                                           .target = s.target,
                                           .features = config.features,
                                           .max_bytes = config.text_max_bytes,
                                           .pool = pool->name,
                                           .pool_digest = pool->digest,
                                           .settings = "{}"};
    TRY(regret_model_fit(out, &data, threads));
    if (s.votes) { /* intervals hold a whole vote */
        (*out)->value_factor /= share_of_vote(s.grid->n_agents);
    }
    return REGRET_OK;
}
