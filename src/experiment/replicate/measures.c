#include "experiment/replicate/measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "experiment/replicate/leaks.h"
#include "experiment/replicate/patch_fit.h"
#include "regret/alloc.h"
#include "regret/measure.h"

/* mu of the test contexts, [n_test × n_agents]. */
static void take_target(double *surface, const struct setting *s)
{
    const struct regret_split *split = s->split.contexts;
    size_t n_agents = s->task->n_agents;
    for (size_t i = 0; i < split->n_test; i++) {
        memcpy(surface + i * n_agents, s->task->target + split->test[i] * n_agents,
               n_agents * sizeof *surface);
    }
}

void measures_surface_of(double *surface, const struct setting *s, const double *prediction,
                         const size_t *contexts, size_t n)
{
    const struct regret_task *task = s->task;
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < task->n_agents; a++) {
            double sum = 0.0;
            for (size_t k = 0; k < task->n_draws; k++) {
                sum += prediction[(contexts[i] * task->n_agents + a) * task->n_draws + k];
            }
            surface[i * task->n_agents + a] = sum / (double)task->n_draws;
        }
    }
}

void measures_surface(double *surface, const struct setting *s, const double *prediction)
{
    const struct regret_split *split = s->split.contexts;
    measures_surface_of(surface, s, prediction, split->test, split->n_test);
}

_Static_assert((int)REGRET_MEASURE_LAMBDA + (int)REGRET_N_TUNED == (int)REGRET_MEASURE_R2,
               "a column for each hyper-parameter that a fit reports");

static void measure_family(struct family_measures *m, const struct setting *s,
                           const struct regret_estimate *e, const struct agent_values *v,
                           const double *truth, const double *target, double *surface)
{
    size_t n_agents = s->task->n_agents, n_test = s->split.contexts->n_test;
    double *to = m->measure;
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        to[i] = NAN;
    }
    m->basis = e->basis;
    m->cv_mode = e->cv_mode;
    if (m->failure.word != NULL) {
        return;
    }
    measures_surface(surface, s, e->prediction);
    to[REGRET_MEASURE_REGRET] = regret_recommendation_regret(target, surface, n_test, n_agents);
    to[REGRET_MEASURE_RMSE] = regret_rmse(target, surface, n_test * n_agents);
    to[REGRET_MEASURE_TOP1] = regret_top1(truth, v->dm, n_agents);
    to[REGRET_MEASURE_TOP3] = regret_top3(truth, v->dm, n_agents);
    to[REGRET_MEASURE_SPEARMAN] = regret_spearman(truth, v->dm, n_agents);
    to[REGRET_MEASURE_KENDALL] = regret_kendall(truth, v->dm, n_agents);
    to[REGRET_MEASURE_HIT1] = regret_hit_rate(target, surface, n_test, n_agents, 1);
    to[REGRET_MEASURE_HIT3] = regret_hit_rate(target, surface, n_test, n_agents, 3);
    if (s->config.values) {
        to[REGRET_MEASURE_DM_RMSE] = regret_rmse(truth, v->dm, n_agents);
        to[REGRET_MEASURE_DR_RMSE] = regret_rmse(truth, v->dr, n_agents);
        to[REGRET_MEASURE_SNDR_RMSE] = regret_rmse(truth, v->sndr, n_agents);
    }
    memcpy(to + REGRET_MEASURE_LAMBDA, e->tuned, sizeof e->tuned);
}

/* Whether it has seen what was held out is asked of a family that others have made. */
static int examine(struct family_measures *m, const struct setting *s, size_t i,
                   const struct regret_estimate *e)
{
    for (size_t k = 0; k < REGRET_N_LEAK; k++) {
        m->leak[k] = NAN;
    }
    return regret_family_list_external(&s->config.families, i) != NULL && m->failure.word == NULL
               ? leaks_take(m->leak, s, e->prediction)
               : REGRET_OK;
}

/* Regret of recommending choice[x] on held-out context x. */
static double policy_regret(const double *target, const size_t *choice, size_t n_test,
                            size_t n_agents)
{
    double total = 0.0;
    for (size_t x = 0; x < n_test; x++) {
        const double *mu = target + x * n_agents;
        total += mu[regret_argmax(mu, n_agents)] - mu[choice[x]];
    }
    return total / (double)n_test;
}

static void measure_baselines(struct measures *out, const struct setting *s,
                              const struct baselines *baselines, const double *target)
{
    size_t n_agents = s->task->n_agents, n_test = s->split.contexts->n_test;
    out->n_baselines = baselines->n;
    for (size_t i = 0; i < baselines->n; i++) {
        out->baseline_regret[i] =
            row_baselines[i].rule == REGRET_RULE_RANDOM
                ? regret_random_regret(target, n_test, n_agents)
                : policy_regret(target, baselines->choice + i * n_test, n_test, n_agents);
    }
}

size_t measures_fits(const struct regret_pool *pool)
{
    size_t success = 0;
    size_t of_success = regret_pool_find_success(&success, pool) ? 1 : 0;
    return MEASURED_FITS - 2 + of_success + (patch_fit_columns(pool) > 0);
}

/* How well the target of a pair can be had from the proxy, from the pool's scores and from what patches count. */
static int measure_fits(struct measures *out, const struct setting *s, const struct draws *draws,
                        const struct fitted_proxy *proxy)
{
    const struct feature_set *f = s->features;
    const struct regret_pool *pool = f->grid->pool;
    size_t success = 0;
    double *statistics = NULL;
    int rc;
    regret_pool_find_success(&success, pool);
    TRY_CLEANUP(patch_fit_take(&statistics, s, draws));
    const double *const columns[MEASURED_FITS] = {proxy->z, f->components,
                                                  f->components + success * f->pairs, statistics};
    const size_t dims[MEASURED_FITS] = {proxy->dim, pool->n_components, 1, patch_fit_columns(pool)};
    out->n_fits = measures_fits(pool);
    for (size_t i = 0; i < out->n_fits; i++) {
        TRY_CLEANUP(regret_held_out_r2(&out->fit_r2[i], &out->fit_r2_clipped[i], columns[i],
                                       dims[i], s->task->pair_mean, f->pairs, s->split.train,
                                       s->split.test));
    }
cleanup:
    regret_free(statistics);
    return rc;
}

int measures_take(struct measures *out, const struct setting *s, const struct draws *draws,
                  const struct fitted_proxy *proxy, const struct estimates *estimates,
                  const struct values *values, const struct baselines *baselines)
{
    size_t cells = s->split.contexts->n_test * s->task->n_agents;
    double *target = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&target, 2 * cells));
    take_target(target, s);
    out->n_families = estimates->n;
    for (size_t i = 0; i < estimates->n; i++) {
        snprintf(out->family[i].family, sizeof out->family[i].family, "%s",
                 regret_family_list_name(&s->config.families, i));
        out->family[i].failure = estimates->failure[i];
        measure_family(&out->family[i], s, estimates->family[i], &values->family[i], values->truth,
                       target, target + cells);
        TRY_CLEANUP(examine(&out->family[i], s, i, estimates->family[i]));
    }
    measure_baselines(out, s, baselines, target);
    rc = measure_fits(out, s, draws, proxy);
cleanup:
    regret_free(target);
    return rc;
}
