#include "base/core/try.h"
#include "regret/alloc.h"
#include "task/draw/logging_policy.h"

static int open_logging_policy(void **logger, const struct regret_task *task,
                               const struct regret_split *split)
{
    struct logging_policy *policy = NULL;
    TRY(logging_policy_create(&policy, (const struct regret_cached_task *)task, split));
    *logger = policy;
    return REGRET_OK;
}

static void close_logging_policy(void *logger)
{
    logging_policy_free(logger);
}

static size_t choose_agent(const struct regret_task *task, void *logger, size_t context,
                           size_t segment, struct regret_rng *rng)
{
    const struct regret_grid *g = ((const struct regret_cached_task *)task)->grid;
    if (logger != NULL) {
        return logging_policy_choose(logger, context, segment, rng);
    }
    uint32_t i = regret_rng_below(rng, (uint32_t)regret_grid_observed(g, context));
    return regret_grid_observed_agent(g, context, i);
}

/* The draw's number stands before the agent's, and says which of the draws that the pair turns out to have. */
static void choose(struct regret_choice *out, const struct regret_task *task, void *logger,
                   size_t context, struct regret_rng *rng)
{
    out->segment = regret_rng_below(rng, (uint32_t)task->n_segments);
    struct regret_rng draw = *rng;
    regret_rng_below(rng, (uint32_t)task->n_draws);
    out->agent = choose_agent(task, logger, context, out->segment, rng);
    size_t cell = context * task->n_agents + out->agent;
    size_t n = regret_task_first(task, cell + 1) - regret_task_first(task, cell);
    out->draw = regret_rng_below(&draw, (uint32_t)n);
}

static void cached_task_free(struct regret_task *base)
{
    struct regret_cached_task *task = (struct regret_cached_task *)base;
    regret_free(task->reward);
    regret_free(task->obs_reward);
    regret_free(task->target);
    regret_free(task->pair_mean);
    regret_free(task->segment);
    regret_free(task);
}

static const struct regret_policy cached_policy = {open_logging_policy, close_logging_policy,
                                                   choose, cached_task_free};

static int average_segments(double **out, const double *reward, size_t n_segments, size_t pairs)
{
    double *y = NULL;
    TRY(REGRET_NEW(&y, pairs));
    for (size_t p = 0; p < pairs; p++) {
        for (size_t u = 0; u < n_segments; u++) {
            y[p] += reward[u * pairs + p] / (double)n_segments;
        }
    }
    *out = y;
    return REGRET_OK;
}

int regret_cached_task_create(struct regret_cached_task **out,
                              const struct regret_cached_source *source,
                              const struct regret_reward_options *reward,
                              const struct regret_outcome_options *outcome,
                              const struct regret_logging_options *logging)
{
    const struct regret_grid *g = source->grid;
    const struct regret_pool *pool = g->pool;
    struct regret_cached_task *t = NULL;
    int rc;
    TRY(REGRET_NEW(&t, 1));
    t->base.policy = &cached_policy;
    TRY_CLEANUP(regret_reward_build(&t->reward, g, reward));
    if (reward->obs_components != reward->components) {
        struct regret_reward_options of_obs = *reward;
        of_obs.components = reward->obs_components;
        TRY_CLEANUP(regret_reward_build(&t->obs_reward, g, &of_obs));
    }
    TRY_CLEANUP(regret_target_build(&t->target, g, t->reward));
    TRY_CLEANUP(average_segments(&t->pair_mean, t->reward, pool->n_segments, regret_grid_pairs(g)));
    TRY_CLEANUP(REGRET_NEW(&t->segment, pool->n_segments));
    for (size_t u = 0; u < pool->n_segments; u++) {
        t->segment[u] = pool->segments[u].name;
    }
    t->base = (struct regret_task){.policy = &cached_policy,
                                   .n_contexts = g->n_contexts,
                                   .n_agents = g->n_agents,
                                   .n_draws = g->n_draws,
                                   .first = g->first,
                                   .n_segments = pool->n_segments,
                                   .mean = t->reward,
                                   .obs_mean = t->obs_reward,
                                   .pair_mean = t->pair_mean,
                                   .target = t->target,
                                   .labels = source->labels,
                                   .n_labels = pool->n_aux,
                                   .segment = t->segment,
                                   .outcome = *outcome};
    t->grid = g;
    t->embedding = source->embedding;
    t->embedding_rank = source->embedding_rank;
    t->logging = *logging;
    *out = t;
    return REGRET_OK;
cleanup:
    cached_task_free(&t->base);
    return rc;
}
