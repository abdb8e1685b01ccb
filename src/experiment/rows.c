#include <math.h>
#include <string.h>

#include "experiment/replicate.h"
#include "experiment/row_fields.h"
#include "regret/alloc.h"
#include "regret/measure.h"

/* "success" is fitted where the pool has it. */
static size_t fit_count(const struct regret_pool *pool)
{
    size_t success;
    return regret_pool_find_success(&success, pool) ? ROW_FITS : ROW_FITS - 1;
}

size_t replicate_row_count(const struct regret_config *config, const struct regret_pool *pool)
{
    return config->families.n + ROW_BASELINES + fit_count(pool);
}

/* Test-context surfaces, [n_test × n_agents]: of mu, and of a prediction averaged over draws. */
static void take_target(double *surface, const struct replicate *r)
{
    const struct regret_split *split = r->bench->split;
    size_t n_agents = r->lab->grid->n_agents;
    for (size_t i = 0; i < split->n_test; i++) {
        memcpy(surface + i * n_agents, r->mu + split->test[i] * n_agents,
               n_agents * sizeof *surface);
    }
}

static void take_prediction(double *surface, const struct replicate *r, const double *prediction)
{
    const struct regret_grid *g = r->lab->grid;
    const struct regret_split *split = r->bench->split;
    for (size_t i = 0; i < split->n_test; i++) {
        for (size_t a = 0; a < g->n_agents; a++) {
            double sum = 0.0;
            for (size_t k = 0; k < g->n_draws; k++) {
                sum += prediction[(split->test[i] * g->n_agents + a) * g->n_draws + k];
            }
            surface[i * g->n_agents + a] = sum / (double)g->n_draws;
        }
    }
}

static void row_start(struct regret_text *t, const struct replicate *r, size_t cell,
                      const char *cell_key, const char *kind, const char *family)
{
    regret_text_printf(t,
                       "{\"cell\":%zu,\"seed\":%llu,\"key\":%s,\"kind\":\"%s\",\"family\":\"%s\"",
                       cell, (unsigned long long)r->seed, cell_key, kind, family);
}

static void field(struct regret_text *t, const char *name, double value)
{
    regret_text_printf(t, ",\"%s\":", name);
    regret_text_json_number(t, value);
}

static void word(struct regret_text *t, const char *name, const char *value)
{
    regret_text_printf(t, ",\"%s\":", name);
    if (value != NULL) {
        regret_text_json_string(t, value);
    } else {
        regret_text_append(t, "null");
    }
}

static const char *cv_word(int mode)
{
    static const char *const words[] = {"none", "agents", "rows", "holdout"};
    return mode >= 0 ? words[mode] : NULL;
}

static void family_fields(struct regret_text *t, const struct replicate *r, size_t i,
                          const double *target, double *surface)
{
    const struct regret_estimate *e = r->estimate[i];
    const struct agent_values *v = &r->values[i];
    size_t n_agents = r->lab->grid->n_agents, n_test = r->bench->split->n_test;
    take_prediction(surface, r, e->prediction);
    field(t, "regret", regret_recommendation_regret(target, surface, n_test, n_agents));
    field(t, "rmse", regret_rmse(target, surface, n_test * n_agents));
    field(t, "top1", regret_top1(r->truth, v->dm, n_agents));
    field(t, "top3", regret_top3(r->truth, v->dm, n_agents));
    field(t, "spearman", regret_spearman(r->truth, v->dm, n_agents));
    field(t, "dm_rmse", r->config.values ? regret_rmse(r->truth, v->dm, n_agents) : NAN);
    field(t, "dr_rmse", r->config.values ? regret_rmse(r->truth, v->dr, n_agents) : NAN);
    field(t, "sndr_rmse", r->config.values ? regret_rmse(r->truth, v->sndr, n_agents) : NAN);
    field(t, "lambda", e->lambda);
    field(t, "alpha", e->alpha);
    field(t, "rho", e->rho);
    field(t, "tau", e->tau);
    word(t, "basis", e->basis >= 0 ? regret_basis_name((enum regret_basis)e->basis) : NULL);
    word(t, "cv", cv_word(e->cv_mode));
    regret_text_append(t, "}\n");
}

/* The agent with the largest mean outcome over some rows; agents without rows do not compete. */
static int best_by_mean(size_t *best, const struct replicate *r, const struct regret_rows *rows)
{
    size_t n_agents = r->lab->grid->n_agents;
    double *sum = NULL;
    int rc = REGRET_NEW(&sum, 2 * n_agents);
    if (rc != REGRET_OK) {
        return rc;
    }
    double *count = sum + n_agents;
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t a = r->lab->agent[rows->pair[i]];
        sum[a] += rows->y[i];
        count[a] += 1.0;
    }
    for (size_t a = 0; a < n_agents; a++) {
        sum[a] /= count[a]; /* 0/0 = NaN never wins */
    }
    *best = regret_argmax(sum, n_agents);
    regret_free(sum);
    return REGRET_OK;
}

static int baseline_rows(struct regret_text *t, const struct replicate *r, size_t cell,
                         const char *cell_key, const double *target)
{
    size_t n_agents = r->lab->grid->n_agents, n_test = r->bench->split->n_test;
    size_t by_exp = 0, by_obs = 0;
    int rc = best_by_mean(&by_exp, r, &r->exp);
    if (rc != REGRET_OK || (rc = best_by_mean(&by_obs, r, &r->obs)) != REGRET_OK) {
        return rc;
    }
    const double regret[ROW_BASELINES] = {
        0.0, regret_random_regret(target, n_test, n_agents),
        regret_fixed_agent_regret(target, by_exp, n_test, n_agents),
        regret_fixed_agent_regret(target, by_obs, n_test, n_agents)};
    for (size_t b = 0; b < ROW_BASELINES; b++) {
        row_start(t, r, cell, cell_key, "baseline", row_baselines[b]);
        field(t, "regret", regret[b]);
        regret_text_append(t, "}\n");
    }
    return REGRET_OK;
}

/* The target of every pair: its reward, or mean outcome, averaged over segments. */
static int pair_target(double **out, const struct replicate *r)
{
    size_t pairs = r->lab->pairs, n_segments = r->lab->grid->pool->n_segments;
    double *y = NULL;
    int rc = REGRET_NEW(&y, pairs);
    if (rc == REGRET_OK && r->world != NULL) {
        memcpy(y, r->world->pair_mu, pairs * sizeof *y);
    }
    for (size_t p = 0; rc == REGRET_OK && r->world == NULL && p < pairs; p++) {
        for (size_t u = 0; u < n_segments; u++) {
            y[p] += r->reward[u * pairs + p] / (double)n_segments;
        }
    }
    *out = y;
    return rc;
}

static int fit_rows(struct regret_text *t, const struct replicate *r, size_t cell,
                    const char *cell_key)
{
    const struct lab *lab = r->lab;
    const struct regret_pool *pool = lab->grid->pool;
    size_t success = 0;
    regret_pool_find_success(&success, pool);
    const double *const columns[ROW_FITS] = {r->z, lab->components,
                                             lab->components + success * lab->pairs};
    const size_t dims[ROW_FITS] = {r->z_dim, pool->n_components, 1};
    double *y = NULL;
    int rc = pair_target(&y, r);
    for (size_t i = 0; rc == REGRET_OK && i < fit_count(pool); i++) {
        double r2 = NAN;
        rc = regret_held_out_r2(&r2, columns[i], dims[i], y, lab->pairs, r->bench->train,
                                r->bench->test);
        row_start(t, r, cell, cell_key, "fit", row_fits[i]);
        field(t, "r2", r2);
        regret_text_append(t, "}\n");
    }
    regret_free(y);
    return rc;
}

int replicate_rows(struct regret_text *t, const struct replicate *r, size_t cell,
                   const char *cell_key)
{
    size_t cells = r->bench->split->n_test * r->lab->grid->n_agents;
    double *target = NULL;
    int rc = REGRET_NEW(&target, 2 * cells);
    if (rc != REGRET_OK) {
        return rc;
    }
    take_target(target, r);
    for (size_t i = 0; i < r->config.families.n; i++) {
        row_start(t, r, cell, cell_key, "family",
                  regret_family_at(r->config.families.index[i])->name);
        family_fields(t, r, i, target, target + cells);
    }
    rc = baseline_rows(t, r, cell, cell_key, target);
    if (rc == REGRET_OK) {
        rc = fit_rows(t, r, cell, cell_key);
    }
    regret_free(target);
    return rc != REGRET_OK ? rc : regret_text_status(t);
}
