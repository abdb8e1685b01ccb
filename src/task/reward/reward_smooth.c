#include "task/reward/reward_maps.h"

/* Σ_k w_uk q_k */
static double reward(const struct regret_reward_view *v, const struct regret_segment *u,
                     size_t pair)
{
    double r = 0.0;
    for (size_t k = 0; k < v->grid->pool->n_components; k++) {
        r += u->weights[k] * regret_grid_quality(v->grid, pair, k);
    }
    return r;
}

const struct regret_reward_map map_smooth = {
    .name = "smooth",
    .reward = reward,
};
