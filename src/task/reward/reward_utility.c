#include <string.h>

#include "task/reward/reward_maps.h"

enum { LAMBDA_FIX, OMEGA, N_PARAMETERS };
static const struct regret_reward_parameter parameters[N_PARAMETERS] = {
    [LAMBDA_FIX] = {.key = "reward.lambda_fix",
                    .help = "weight of success in the utility map",
                    .low = 0.0,
                    .high = 1.0,
                    .preset = 0.5,
                    .symbol = "λ_fix",
                    .averaged = 1},
    [OMEGA] = {.key = "reward.omega",
               .help = "weight of the worst quality in the utility map",
               .low = 0.0,
               .high = 1.0,
               .preset = 0.0,
               .symbol = "ω",
               .averaged = 1},
};

int regret_pool_find_success(size_t *index, const struct regret_pool *pool)
{
    for (size_t k = 0; k < pool->n_components; k++) {
        if (strcmp(pool->components[k].name, "success") == 0) {
            *index = k;
            return 1;
        }
    }
    return 0;
}

/* The component "success" and something beside it that every segment weighs. */
static int find_success(size_t *index, const struct regret_pool *pool)
{
    if (!regret_pool_find_success(index, pool) || pool->n_components < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "pool %s has no component \"success\" beside others, which "
                           "reward.map = \"utility\" needs; use \"smooth\"",
                           pool->name);
    }
    for (size_t u = 0; u < pool->n_segments; u++) {
        double others = 0.0;
        for (size_t k = 0; k < pool->n_components; k++) {
            others += k != *index ? pool->segments[u].weights[k] : 0.0;
        }
        if (!(others > 0.0)) {
            return regret_fail(REGRET_E_INPUT,
                               "pool %s: segment \"%s\" weighs nothing but success; "
                               "reward.map = \"utility\" needs a weight on another component",
                               pool->name, pool->segments[u].name);
        }
    }
    return REGRET_OK;
}

/* λ_fix s + (1−λ_fix) [(1−ω) Σ_k w̃_uk q_k + ω min_k q_k], where s is the component "success", k runs
 * over the others and w̃ are the segment's weights on them, scaled to sum to one */
static double reward(const struct regret_reward_view *v, const struct regret_segment *u,
                     size_t pair)
{
    double fix = v->parameter[LAMBDA_FIX], omega = v->parameter[OMEGA];
    double sum = 0.0, weight = 0.0, least = 1.0;
    for (size_t k = 0; k < v->grid->pool->n_components; k++) {
        if (k != v->column) {
            double q = regret_grid_quality(v->grid, pair, k);
            sum += u->weights[k] * q;
            weight += u->weights[k];
            least = q < least ? q : least;
        }
    }
    double quality = (1.0 - omega) * sum / weight + omega * least;
    return fix * regret_grid_quality(v->grid, pair, v->column) + (1.0 - fix) * quality;
}

const struct regret_reward_map map_utility = {
    .name = "utility",
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .find = find_success,
    .reward = reward,
};
