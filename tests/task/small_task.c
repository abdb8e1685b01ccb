#include "task/small_task.h"

#include <criterion/criterion.h>

#include "regret/status.h"
#include "regret/task.h"

struct regret_reward_options small_task_reward(const char *map)
{
    struct regret_reward_options options;
    regret_reward_options_default(&options);
    cr_assert_lt(regret_reward_map_find(map), regret_reward_map_count());
    options.map = (int)regret_reward_map_find(map);
    return options;
}

void small_task_make(struct small_task *w, size_t contexts, size_t agents, size_t draws,
                     uint64_t seed)
{
    const struct sample_shape shape = {contexts, agents, draws, 0.0, 6, seed};
    const struct regret_grid_options whole = REGRET_GRID_OPTIONS_INIT;
    const struct regret_reward_options smooth = small_task_reward("smooth");
    const struct regret_outcome_options outcome = REGRET_OUTCOME_OPTIONS_INIT;
    const struct regret_logging_options logging = REGRET_LOGGING_OPTIONS_INIT;
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 90);
    *w = (struct small_task){.pool = sample_pool(&shape)};
    for (size_t a = 0; a < agents; a++) {
        w->pool->agents[a].cost = regret_rng_uniform(&r);
    }
    cr_assert_eq(regret_grid_cut(&w->grid, w->pool, &whole), 0);
    cr_assert_eq(regret_split_make(&w->split, NULL, contexts, 0.8, seed), 0);
    cr_assert_eq(REGRET_NEW(&w->embedding, contexts * EMBEDDING_RANK), 0);
    for (size_t i = 0; i < contexts * EMBEDDING_RANK; i++) {
        w->embedding[i] = regret_rng_normal(&r);
    }
    const struct regret_cached_source source = {w->grid, w->embedding, EMBEDDING_RANK, NULL};
    cr_assert_eq(regret_cached_task_create(&w->task, &source, &smooth, &outcome, &logging), 0);
    w->reward = w->task->reward;
    w->task->logging.beta = 0.6;
    w->task->logging.slate = 3;
    w->task->logging.seed = seed + 5;
}

void small_task_clear(struct small_task *w)
{
    regret_split_free(w->split);
    regret_task_free(w->task != NULL ? &w->task->base : NULL);
    regret_free(w->embedding);
    regret_grid_free(w->grid);
    regret_pool_free(w->pool);
}

double chi_square(const double *count, const double *expected, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += (count[i] - expected[i]) * (count[i] - expected[i]) / expected[i];
    }
    return sum;
}
