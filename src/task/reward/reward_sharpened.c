#include <math.h>
#include <string.h>

#include "task/reward/reward_maps.h"

enum { POWER, PENALTY, CLAIMS_CAP, N_PARAMETERS };
static const struct regret_reward_parameter parameters[N_PARAMETERS] = {
    [POWER] = {.key = "reward.power",
               .help = "exponent p of the sharpened map",
               .low = 0.01,
               .high = 100.0,
               .preset = 3.0},
    [PENALTY] = {.key = "reward.penalty",
                 .help = "price of one unsupported claim",
                 .low = 0.0,
                 .high = 1.0,
                 .preset = 0.05},
    [CLAIMS_CAP] = {.key = "reward.claims_cap",
                    .help = "most claims that are charged for",
                    .low = 0.0,
                    .high = 1e6,
                    .preset = 5.0},
};

static int find_claims(size_t *index, const struct regret_pool *pool)
{
    for (size_t i = 0; i < pool->n_counts; i++) {
        if (strcmp(pool->counts[i], "unsupported_claims") == 0) {
            *index = i;
            return REGRET_OK;
        }
    }
    return regret_fail(
        REGRET_E_INPUT,
        "pool %s has no count \"unsupported_claims\", which reward.map = \"sharpened\" "
        "needs; --set reward.map=smooth, or add the count",
        pool->name);
}

/* clip(Σ_k w_uk q_k^p − pen·min(c, c_max), 0, 1), c the count of unsupported claims */
static double reward(const struct regret_reward_view *v, const struct regret_segment *u,
                     size_t pair)
{
    double r = 0.0;
    for (size_t k = 0; k < v->grid->pool->n_components; k++) {
        r += u->weights[k] * pow(regret_grid_quality(v->grid, pair, k), v->parameter[POWER]);
    }
    return r - v->parameter[PENALTY] *
                   fmin(regret_grid_count(v->grid, pair, v->column), v->parameter[CLAIMS_CAP]);
}

const struct regret_reward_map map_sharpened = {
    .name = "sharpened",
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .find = find_claims,
    .reward = reward,
};
