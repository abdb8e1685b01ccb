#include <math.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/task.h"

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
        "needs; use \"smooth\" or add the count",
        pool->name);
}

static double clip(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static double segment_reward(const struct regret_grid *grid, const struct regret_segment *segment,
                             size_t pair, size_t claims,
                             const struct regret_reward_options *options)
{
    int sharpened = options->map == REGRET_REWARD_SHARPENED;
    double r = 0.0;
    for (size_t k = 0; k < grid->pool->n_components; k++) {
        double q = regret_grid_quality(grid, pair, k);
        r += segment->weights[k] * (sharpened ? pow(q, options->power) : q);
    }
    if (sharpened) {
        r -= options->penalty * fmin(regret_grid_count(grid, pair, claims), options->claims_cap);
    }
    /* Weights that sum to one up to rounding may leave [0,1] by as much. */
    return clip(r);
}

int regret_reward_build(double **out, const struct regret_grid *grid,
                        const struct regret_reward_options *options)
{
    const struct regret_pool *pool = grid->pool;
    size_t pairs = regret_grid_pairs(grid), claims = 0;
    double *reward = NULL;
    int rc = options->map == REGRET_REWARD_SHARPENED ? find_claims(&claims, pool) : REGRET_OK;
    if (rc != REGRET_OK || (rc = REGRET_NEW(&reward, pool->n_segments * pairs)) != REGRET_OK) {
        return rc;
    }
    for (size_t u = 0; u < pool->n_segments; u++) {
        for (size_t p = 0; p < pairs; p++) {
            reward[u * pairs + p] = segment_reward(grid, &pool->segments[u], p, claims, options);
        }
    }
    *out = reward;
    return REGRET_OK;
}

int regret_target_build(double **out, const struct regret_grid *grid, const double *reward)
{
    size_t pairs = regret_grid_pairs(grid), cells = grid->n_contexts * grid->n_agents;
    size_t n_segments = grid->pool->n_segments;
    double *mu = NULL;
    int rc = REGRET_NEW(&mu, cells);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        double total = 0.0;
        for (size_t k = 0; k < grid->n_draws; k++) {
            for (size_t u = 0; u < n_segments; u++) {
                total += reward[u * pairs + cell * grid->n_draws + k];
            }
        }
        mu[cell] = total / (double)(n_segments * grid->n_draws);
    }
    *out = mu;
    return REGRET_OK;
}
