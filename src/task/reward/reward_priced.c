#include "task/reward/reward_maps.h"

static const struct regret_reward_parameter price = {
    .key = "reward.price",
    .help = "what the dearest agent's output costs in the priced map",
    .low = 0.0,
    .high = 1.0,
    .preset = 0.1,
    .symbol = "price",
};

/* The pool's dearest agent. */
static int find_dearest(size_t *index, const struct regret_pool *pool)
{
    *index = 0;
    for (size_t a = 0; a < pool->n_agents; a++) {
        *index = pool->agents[a].cost > pool->agents[*index].cost ? a : *index;
    }
    return pool->agents[*index].cost > 0.0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "pool %s has no agent that costs anything, which reward.map = "
                             "\"priced\" needs; --set reward.map=smooth, or give agents a cost",
                             pool->name);
}

/* Σ_k w_uk q_k − p c_a/c_max, c_a the cost of the agent */
static double reward(const struct regret_reward_view *v, const struct regret_segment *u,
                     size_t pair)
{
    const struct regret_pool *pool = v->grid->pool;
    size_t agent = v->grid->agents[regret_grid_cell(v->grid, pair) % v->grid->n_agents];
    double r = 0.0;
    for (size_t k = 0; k < pool->n_components; k++) {
        r += u->weights[k] * regret_grid_quality(v->grid, pair, k);
    }
    return r - v->parameter[0] * pool->agents[agent].cost / pool->agents[v->column].cost;
}

const struct regret_reward_map map_priced = {
    .name = "priced",
    .parameters = &price,
    .n_parameters = 1,
    .find = find_dearest,
    .reward = reward,
};
