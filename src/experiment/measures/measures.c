#include "experiment/measures/measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "experiment/measures/baselines.h"
#include "experiment/measures/leaks.h"
#include "experiment/measures/observed.h"
#include "experiment/measures/patch_fit.h"
#include "experiment/measures/surfaces.h"
#include "regret/alloc.h"
#include "regret/measure.h"

_Static_assert((int)REGRET_MEASURE_LAMBDA + (int)REGRET_N_TUNED == (int)REGRET_MEASURE_R2,
               "a column for each hyper-parameter that a fit reports");

/* The places of a and b where a is not NaN, to the front of both; returns how many. */
static size_t keep_known(double *a, double *b, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(a[i])) {
            a[known] = a[i];
            b[known++] = b[i];
        }
    }
    return known;
}

/* Estimated values against the true ones of the agents that have one. `room` is for 2 × n_agents. */
static size_t known_values(double *room, const double *truth, const double *value, size_t n)
{
    memcpy(room, truth, n * sizeof *room);
    memcpy(room + n, value, n * sizeof *room);
    return keep_known(room, room + n, n);
}

static void measure_values(double *to, const struct setting *s, const struct agent_values *v,
                           const double *truth, double *room)
{
    size_t n = s->task->n_agents, known = known_values(room, truth, v->dm, n);
    to[REGRET_MEASURE_TOP1] = regret_top1(room, room + n, known);
    to[REGRET_MEASURE_TOP3] = regret_top3(room, room + n, known);
    to[REGRET_MEASURE_SPEARMAN] = regret_spearman(room, room + n, known);
    to[REGRET_MEASURE_KENDALL] = regret_kendall(room, room + n, known);
    if (s->config.values) {
        to[REGRET_MEASURE_DM_RMSE] = regret_rmse(room, room + n, known);
        known_values(room, truth, v->dr, n);
        to[REGRET_MEASURE_DR_RMSE] = regret_rmse(room, room + n, known);
        known_values(room, truth, v->sndr, n);
        to[REGRET_MEASURE_SNDR_RMSE] = regret_rmse(room, room + n, known);
    }
}

/* Room for what is measured on the held-out contexts. */
struct surfaces {
    const double *target; /* [n_test × n_agents] mu; borrowed */
    double *surface;      /* [n_test × n_agents] f */
    double *room;         /* twice as much */
};

static int surfaces_make(struct surfaces *out, const struct setting *s,
                         const struct baselines *baselines)
{
    size_t n = s->split.contexts->n_test * s->task->n_agents;
    out->target = baselines_truth(baselines);
    TRY(REGRET_NEW(&out->surface, n));
    TRY(REGRET_NEW(&out->room, 2 * n));
    return REGRET_OK;
}

static void surfaces_free(struct surfaces *at)
{
    regret_free(at->surface);
    regret_free(at->room);
}

static void name_words(char out[MEASURED_WORDS], const struct regret_estimate *e,
                       char *const *names)
{
    size_t length = 0;
    for (size_t i = 0; i < e->n_picked; i++) {
        const char *name = names[e->picked[i]];
        if (length + strlen(name) + 2 <= MEASURED_WORDS) {
            length += (size_t)snprintf(out + length, MEASURED_WORDS - length, "%s%s",
                                       length > 0 ? " " : "", name);
        }
    }
}

static int measure_family(struct family_measures *m, const struct setting *s,
                          const struct regret_estimate *e, const struct agent_values *v,
                          const double *truth, const struct surfaces *at)
{
    size_t n_agents = s->task->n_agents, n_test = s->split.contexts->n_test;
    size_t cells = n_test * n_agents;
    const double *target = at->target, *surface = at->surface;
    double *to = m->measure;
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        to[i] = NAN;
    }
    m->basis = e->basis;
    m->cv_mode = e->cv_mode;
    if (m->failure.word != NULL) {
        return REGRET_OK;
    }
    name_words(m->picked, e, s->features->word_names);
    measures_surface(at->surface, s, measures_choosing(e));
    to[REGRET_MEASURE_REGRET] = regret_recommendation_regret(target, surface, n_test, n_agents);
    to[REGRET_MEASURE_HIT1] = regret_hit_rate(target, surface, n_test, n_agents, 1);
    to[REGRET_MEASURE_HIT3] = regret_hit_rate(target, surface, n_test, n_agents, 3);
    memcpy(at->room, target, cells * sizeof *target);
    measures_surface(at->room + cells, s, e->prediction);
    size_t known = keep_known(at->room, at->room + cells, cells);
    to[REGRET_MEASURE_RMSE] = regret_rmse(at->room, at->room + cells, known);
    measure_values(to, s, v, truth, at->room);
    memcpy(to + REGRET_MEASURE_LAMBDA, e->tuned, sizeof e->tuned);
    return s->features->outputs_known
               ? observed_policy_value(to + REGRET_MEASURE_POLICY_IPS, s, surface)
               : REGRET_OK;
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

static int measure_baseline(struct measures *out, size_t i, const struct setting *s,
                            const double *surface, const struct surfaces *at)
{
    size_t n_agents = s->task->n_agents, n_test = s->split.contexts->n_test;
    const struct row_baseline *baseline = out->baselines.at[i];
    double *policy = out->baseline_policy + i * MEASURED_POLICY;
    for (size_t k = 0; k < MEASURED_POLICY; k++) {
        policy[k] = NAN;
    }
    out->baseline_regret[i] =
        baseline->rule == REGRET_RULE_RANDOM
            ? regret_random_regret(at->target, n_test, n_agents)
            : regret_recommendation_regret(at->target, surface, n_test, n_agents);
    return baseline->source != NULL ? observed_policy_value(policy, s, surface) : REGRET_OK;
}

static int measure_baselines(struct measures *out, const struct setting *s,
                             const struct baselines *baselines, const struct surfaces *at)
{
    out->baselines = baselines->list;
    for (size_t i = 0; i < baselines->list.n; i++) {
        TRY(measure_baseline(out, i, s, baselines_surface(baselines, i), at));
    }
    return REGRET_OK;
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
    FREED double *statistics = NULL;
    regret_pool_find_success(&success, pool);
    TRY(patch_fit_take(&statistics, s, draws));
    const double *const columns[MEASURED_FITS] = {proxy->z, f->components,
                                                  f->components + success * f->pairs, statistics};
    const size_t dims[MEASURED_FITS] = {proxy->dim, pool->n_components, 1, patch_fit_columns(pool)};
    out->n_fits = measures_fits(pool);
    for (size_t i = 0; i < out->n_fits; i++) {
        TRY(regret_held_out_r2(&out->fit_r2[i], &out->fit_r2_clipped[i], columns[i], dims[i],
                               s->task->pair_mean, f->pairs, s->split.train, s->split.test));
    }
    return REGRET_OK;
}

int measures_take(struct measures *out, const struct setting *s, const struct draws *draws,
                  const struct fitted_proxy *proxy, const struct estimates *estimates,
                  const struct values *values, const struct baselines *baselines)
{
    FREED_BY(surfaces_free) struct surfaces at = {0};
    TRY(surfaces_make(&at, s, baselines));
    out->n_families = estimates->n;
    for (size_t i = 0; i < estimates->n; i++) {
        snprintf(out->family[i].family, sizeof out->family[i].family, "%s",
                 regret_family_list_name(&s->config.families, i));
        out->family[i].failure = estimates->failure[i];
        TRY(measure_family(&out->family[i], s, estimates->family[i], &values->family[i],
                           values->truth, &at));
        TRY(examine(&out->family[i], s, i, estimates->family[i]));
    }
    TRY(measure_baselines(out, s, baselines, &at));
    return measure_fits(out, s, draws, proxy);
}
