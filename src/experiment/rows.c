#include <string.h>

#include "experiment/replicate.h"
#include "regret/alloc.h"
#include "regret/measure.h"
#include "results/row.h"

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

static void family_row(struct regret_text *t, const struct replicate *r, size_t i, struct row row,
                       const char *cell_key, const double *target, double *surface)
{
    const struct regret_estimate *e = r->estimate[i];
    const struct agent_values *v = &r->values[i];
    size_t n_agents = r->lab->grid->n_agents, n_test = r->bench->split->n_test;
    double *m = row.measure;
    take_prediction(surface, r, e->prediction);
    m[REGRET_MEASURE_REGRET] = regret_recommendation_regret(target, surface, n_test, n_agents);
    m[REGRET_MEASURE_RMSE] = regret_rmse(target, surface, n_test * n_agents);
    m[REGRET_MEASURE_TOP1] = regret_top1(r->truth, v->dm, n_agents);
    m[REGRET_MEASURE_TOP3] = regret_top3(r->truth, v->dm, n_agents);
    m[REGRET_MEASURE_SPEARMAN] = regret_spearman(r->truth, v->dm, n_agents);
    if (r->config.values) {
        m[REGRET_MEASURE_DM_RMSE] = regret_rmse(r->truth, v->dm, n_agents);
        m[REGRET_MEASURE_DR_RMSE] = regret_rmse(r->truth, v->dr, n_agents);
        m[REGRET_MEASURE_SNDR_RMSE] = regret_rmse(r->truth, v->sndr, n_agents);
    }
    m[REGRET_MEASURE_LAMBDA] = e->lambda;
    m[REGRET_MEASURE_ALPHA] = e->alpha;
    m[REGRET_MEASURE_RHO] = e->rho;
    m[REGRET_MEASURE_TAU] = e->tau;
    row.word[ROW_BASIS] = e->basis >= 0 ? regret_basis_name((enum regret_basis)e->basis) : NULL;
    row.word[ROW_CV] = row_cv_word(e->cv_mode);
    row_write(t, &row, cell_key);
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
        struct row row =
            row_of((long long)cell, (long long)r->seed, REGRET_ROW_BASELINE, row_baselines[b]);
        row.measure[REGRET_MEASURE_REGRET] = regret[b];
        row_write(t, &row, cell_key);
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
        struct row row = row_of((long long)cell, (long long)r->seed, REGRET_ROW_FIT, row_fits[i]);
        rc = regret_held_out_r2(&row.measure[REGRET_MEASURE_R2], columns[i], dims[i], y, lab->pairs,
                                r->bench->train, r->bench->test);
        row_write(t, &row, cell_key);
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
        struct row row = row_of((long long)cell, (long long)r->seed, REGRET_ROW_FAMILY,
                                regret_family_at(r->config.families.index[i])->name);
        family_row(t, r, i, row, cell_key, target, target + cells);
    }
    rc = baseline_rows(t, r, cell, cell_key, target);
    if (rc == REGRET_OK) {
        rc = fit_rows(t, r, cell, cell_key);
    }
    regret_free(target);
    return rc != REGRET_OK ? rc : regret_text_status(t);
}
