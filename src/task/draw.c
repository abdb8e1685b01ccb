#include <math.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/task.h"
#include "task/router.h"
#include "task/rows.h"

int rows_create(struct regret_rows *rows, size_t n)
{
    *rows = (struct regret_rows){0};
    int rc = REGRET_NEW(&rows->pair, n);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&rows->segment, n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&rows->y, n);
    }
    if (rc != REGRET_OK) {
        regret_rows_clear(rows);
        return rc;
    }
    rows->n = n;
    return REGRET_OK;
}

void regret_rows_clear(struct regret_rows *rows)
{
    regret_free(rows->pair);
    regret_free(rows->segment);
    regret_free(rows->y);
    *rows = (struct regret_rows){0};
}

static double draw_outcome(const struct regret_outcome_options *o, double r, struct regret_rng *rng)
{
    if (o->law == REGRET_OUTCOME_NONE) {
        return r;
    }
    r = fmin(fmax(r, 0.01), 0.99);
    return regret_rng_beta(rng, o->precision * r, o->precision * (1.0 - r));
}

/* One row; a router of NULL means a uniform agent. */
static void draw_row(struct regret_rows *rows, size_t i, const struct regret_task *task,
                     const struct regret_split *split, struct router *router, uint64_t seed)
{
    const struct regret_grid *g = task->grid;
    int obs = router != NULL;
    struct regret_rng rng = regret_rng_at(seed, obs ? REGRET_RNG_OBS_ROW : REGRET_RNG_EXP_ROW, i);
    size_t x = split->train[regret_rng_below(&rng, (uint32_t)split->n_train)];
    size_t u = regret_rng_below(&rng, (uint32_t)g->pool->n_segments);
    size_t k = regret_rng_below(&rng, (uint32_t)g->n_draws);
    size_t a =
        obs ? router_choose(router, x, u, &rng) : regret_rng_below(&rng, (uint32_t)g->n_agents);
    size_t pair = (x * g->n_agents + a) * g->n_draws + k;
    struct regret_rng noise =
        regret_rng_at(seed, obs ? REGRET_RNG_OBS_OUTCOME : REGRET_RNG_EXP_OUTCOME, i);
    rows->pair[i] = (uint32_t)pair;
    rows->segment[i] = (uint32_t)u;
    rows->y[i] =
        draw_outcome(&task->outcome, task->reward[u * regret_grid_pairs(g) + pair], &noise);
}

int regret_draw_exp(struct regret_rows *out, const struct regret_task *task,
                    const struct regret_split *split, size_t n, uint64_t seed)
{
    struct regret_rows rows;
    TRY(rows_create(&rows, n));
    for (size_t i = 0; i < n; i++) {
        draw_row(&rows, i, task, split, NULL, seed);
    }
    *out = rows;
    return REGRET_OK;
}

int regret_draw_obs(struct regret_rows *out, const struct regret_task *task,
                    const struct regret_split *split, size_t n, uint64_t seed)
{
    struct regret_rows rows;
    struct router *router = NULL;
    int rc;
    TRY_CLEANUP(router_create(&router, task, split));
    TRY_CLEANUP(rows_create(&rows, n));
    for (size_t i = 0; i < n; i++) {
        draw_row(&rows, i, task, split, router, seed);
    }
    *out = rows;
cleanup:
    router_free(router);
    return rc;
}
