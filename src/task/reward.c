#include <math.h>
#include <string.h>

#include "base/try.h"
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
        "needs; --set reward.map=smooth, or add the count",
        pool->name);
}

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

static double clip(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* What a reward map reads of the pool, found once. */
struct form {
    const struct regret_grid *grid;
    const struct regret_reward_options *options;
    size_t claims, success; /* of the maps that need them */
};

static double smooth(const struct form *f, const struct regret_segment *u, size_t pair)
{
    double r = 0.0;
    for (size_t k = 0; k < f->grid->pool->n_components; k++) {
        r += u->weights[k] * regret_grid_quality(f->grid, pair, k);
    }
    return r;
}

static double sharpened(const struct form *f, const struct regret_segment *u, size_t pair)
{
    const struct regret_reward_options *o = f->options;
    double r = 0.0;
    for (size_t k = 0; k < f->grid->pool->n_components; k++) {
        r += u->weights[k] * pow(regret_grid_quality(f->grid, pair, k), o->power);
    }
    return r - o->penalty * fmin(regret_grid_count(f->grid, pair, f->claims), o->claims_cap);
}

static double utility(const struct form *f, const struct regret_segment *u, size_t pair)
{
    const struct regret_reward_options *o = f->options;
    double sum = 0.0, weight = 0.0, least = 1.0;
    for (size_t k = 0; k < f->grid->pool->n_components; k++) {
        if (k != f->success) {
            double q = regret_grid_quality(f->grid, pair, k);
            sum += u->weights[k] * q;
            weight += u->weights[k];
            least = q < least ? q : least;
        }
    }
    double quality = (1.0 - o->omega) * sum / weight + o->omega * least;
    return o->lambda_fix * regret_grid_quality(f->grid, pair, f->success) +
           (1.0 - o->lambda_fix) * quality;
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

int regret_reward_build(double **out, const struct regret_grid *grid,
                        const struct regret_reward_options *options)
{
    static double (*const maps[])(const struct form *, const struct regret_segment *,
                                  size_t) = {[REGRET_REWARD_SMOOTH] = smooth,
                                             [REGRET_REWARD_SHARPENED] = sharpened,
                                             [REGRET_REWARD_UTILITY] = utility};
    const struct regret_pool *pool = grid->pool;
    struct form form = {grid, options, 0, 0};
    size_t pairs = regret_grid_pairs(grid);
    double *reward = NULL;
    TRY(options->map == REGRET_REWARD_SHARPENED ? find_claims(&form.claims, pool)
        : options->map == REGRET_REWARD_UTILITY ? find_success(&form.success, pool)
                                                : REGRET_OK);
    TRY(REGRET_NEW(&reward, pool->n_segments * pairs));
    for (size_t u = 0; u < pool->n_segments; u++) {
        for (size_t p = 0; p < pairs; p++) {
            /* Weights that sum to one up to rounding may leave [0,1] by as much. */
            reward[u * pairs + p] = clip(maps[options->map](&form, &pool->segments[u], p));
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
    TRY(REGRET_NEW(&mu, cells));
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
