#include "estimate/family_world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

const char *world_family(int f)
{
    return f < WORLD_HOLDOUT    ? regret_family_at((size_t)f)->name
           : f == WORLD_HOLDOUT ? "grounded-linear"
                                : "grounded";
}

/* ---- Drawing -------------------------------------------------------------------------------- */

static void *array(size_t n, size_t size)
{
    void *out = NULL;
    cr_assert_eq(regret_calloc(&out, n, size, "a world"), 0);
    return out;
}

static double clip(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* A smooth function of φ and z, curved in z so that the bases differ. */
static double truth(const struct world *w, size_t p)
{
    const double *phi = w->phi + p * w->shape.phi, *z = w->z + p * w->shape.z;
    double sum = 0.0;
    for (size_t j = 0; j < w->shape.phi; j++) {
        sum += (j % 2 ? -0.1 : 0.1) * phi[j] / sqrt((double)w->shape.phi);
    }
    for (size_t j = 0; j < w->shape.z; j++) {
        sum += 0.04 * z[j] + 0.02 * z[j] * z[(j + 1) % w->shape.z];
    }
    return sum;
}

static void draw_rows(struct world *w, struct regret_rows *rows, int obs, struct regret_rng *r)
{
    uint32_t train = (uint32_t)w->shape.train, agents = (uint32_t)w->shape.agents;
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t a = regret_rng_below(r, agents), other = regret_rng_below(r, agents);
        a = obs && other < a ? other : a; /* OBS prefers the first agents */
        rows->pair[i] = regret_rng_below(r, train) * agents + a;
        double lean = w->shape.z > 0 ? w->z[rows->pair[i] * w->shape.z] : 0.0;
        double bias = obs ? 0.1 + 0.1 * lean : 0.0;
        double noise = w->shape.noise * (2.0 * regret_rng_uniform(r) - 1.0);
        double y = truth(w, rows->pair[i]) + bias + noise;
        rows->y[i] = clip(0.5 + w->shape.stretch * y);
    }
}

struct world *world_draw(const struct world_shape *shape, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 77);
    struct world *w = array(1, sizeof *w);
    w->shape = *shape;
    w->pairs = shape->contexts * shape->agents;
    w->agent = array(w->pairs, sizeof *w->agent);
    w->context = array(w->pairs, sizeof *w->context);
    w->train = array(w->pairs, 1);
    w->phi = array(w->pairs * shape->phi, sizeof *w->phi);
    w->z = array(w->pairs * shape->z, sizeof *w->z);
    w->phi_columns = array(w->pairs * shape->phi, sizeof *w->phi);
    w->z_columns = array(w->pairs * shape->z, sizeof *w->z);
    for (size_t p = 0; p < w->pairs; p++) {
        w->agent[p] = (uint32_t)(p % shape->agents);
        w->context[p] = (uint32_t)(p / shape->agents);
        w->train[p] = p / shape->agents < shape->train;
        for (size_t j = 0; j < shape->phi; j++) {
            w->phi[p * shape->phi + j] = regret_rng_normal(&r) / sqrt((double)shape->phi);
        }
        for (size_t j = 0; j < shape->z; j++) {
            w->z[p * shape->z + j] =
                regret_rng_normal(&r) + 0.3 * (double)w->agent[p] * (j % 3 == 0);
        }
    }
    cr_assert_eq(regret_rows_create(&w->obs, shape->obs), 0);
    cr_assert_eq(regret_rows_create(&w->exp, shape->exp), 0);
    draw_rows(w, &w->obs, 1, &r);
    draw_rows(w, &w->exp, 0, &r);
    regret_estimate_options_default(&w->options);
    return w;
}

void world_free(struct world *w)
{
    void *owned[] = {w->context,     w->agent,       w->train,    w->phi,         w->z,
                     w->phi_columns, w->z_columns,   w->obs.pair, w->obs.segment, w->obs.y,
                     w->exp.pair,    w->exp.segment, w->exp.y};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        regret_free(owned[i]);
    }
    regret_folds_free(w->cv);
    regret_folds_free(w->dr);
    regret_folds_free(w->obs_folds);
    regret_folds_free(w->obs_cv);
    regret_free(w);
}

/* ---- Settling ------------------------------------------------------------------------------- */

static void transpose(double *out, const double *in, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            out[j * rows + i] = in[i * columns + j];
        }
    }
}

void world_settle(struct world *w, uint64_t seed)
{
    cr_assert_eq(
        regret_folds_by_agent(&w->cv, &w->exp, w->pairs, w->agent, w->shape.agents, 5, seed), 0);
    cr_assert_eq(regret_folds_by_row(&w->dr, &w->exp, w->pairs, 5, seed, REGRET_RNG_DR_FOLDS), 0);
    cr_assert_eq(
        regret_folds_by_row(&w->obs_folds, &w->obs, w->pairs, 5, seed, REGRET_RNG_OBS_FOLDS), 0);
    cr_assert_eq(regret_folds_by_context(&w->obs_cv, &w->obs, w->pairs, w->context,
                                         w->shape.contexts, 5, seed, REGRET_RNG_OBS_CV),
                 0);
    world_join(w, seed);
}

void world_join(struct world *w, uint64_t seed)
{
    transpose(w->phi_columns, w->phi, w->pairs, w->shape.phi);
    transpose(w->z_columns, w->z, w->pairs, w->shape.z);
    w->problem =
        (struct regret_problem){.pairs = w->pairs,
                                .agent = w->agent,
                                .n_agents = w->shape.agents,
                                .context = w->context,
                                .n_contexts = w->shape.contexts,
                                .train = w->train,
                                .phi = regret_design_dense(w->pairs, w->shape.phi, w->phi_columns),
                                .z = regret_design_dense(w->pairs, w->shape.z, w->z_columns),
                                .obs = &w->obs,
                                .exp = &w->exp,
                                .cv = w->cv,
                                .obs_cv = w->obs_cv,
                                .dr = w->dr,
                                .seed = seed};
}

struct regret_folds *world_folds(const struct world *w, const struct regret_rows *rows,
                                 enum regret_fold_mode mode, size_t n_folds, const uint32_t *fold)
{
    struct regret_folds *f = array(1, sizeof *f);
    *f = (struct regret_folds){mode, n_folds, rows->n, array(rows->n, sizeof *f->fold),
                               array(n_folds, sizeof *f->part)};
    memcpy(f->fold, fold, rows->n * sizeof *fold);
    for (size_t k = 0; k < n_folds; k++) {
        cr_assert_eq(regret_sample_gather(&f->part[k], rows->pair, rows->y, rows->n, w->pairs, fold,
                                          (uint32_t)k),
                     0);
    }
    return f;
}

/* ---- Fitting ------------------------------------------------------------------ */

static struct regret_estimate *fit_in(struct world *w, struct regret_session *session, int f)
{
    struct regret_estimate *e = NULL;
    regret_hyper_of(&w->options, "grounded_linear.tuning")->choice = f == WORLD_HOLDOUT;
    regret_hyper_of(&w->options, "grounded.alpha")->grid =
        f == WORLD_SHRUNK ? (struct regret_grid_values){3, {0.0, 0.5, 1.0}}
                          : (struct regret_grid_values){1, {1.0}};
    cr_assert_eq(regret_family_fit(&e, regret_family_find(world_family(f)), session), 0, "%s",
                 regret_error_message());
    return e;
}

struct regret_estimate *world_fit(struct world *w, int f)
{
    struct regret_session *session = NULL;
    cr_assert_eq(regret_session_open(&session, &w->problem, &w->options), 0, "%s",
                 regret_error_message());
    struct regret_estimate *e = fit_in(w, session, f);
    regret_session_close(session);
    return e;
}

double world_gap(const double *a, const double *b, size_t n)
{
    double gap = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) != isnan(b[i])) {
            return INFINITY;
        }
        gap = fmax(gap, fabs(a[i] - b[i])); /* fmax passes over NaN − NaN */
    }
    return gap;
}

void world_fits(struct world *w, const char *what)
{
    struct regret_session *session = NULL;
    cr_assert_eq(regret_session_open(&session, &w->problem, &w->options), 0);
    for (int f = 0; f < WORLD_FAMILIES; f++) {
        struct regret_estimate *e = fit_in(w, session, f), *alone = world_fit(w, f);
        for (size_t p = 0; p < w->pairs; p++) {
            cr_expect(e->prediction[p] >= 0.0 && e->prediction[p] <= 1.0, "%s, %s: %g", what,
                      world_family(f), e->prediction[p]);
        }
        for (size_t i = 0; i < w->exp.n; i++) {
            double y = e->cross_fit[i];
            cr_expect(isnan(y) ? w->exp.n < 4 : y >= 0.0 && y <= 1.0, "%s, %s: %g", what,
                      world_family(f), y);
        }
        cr_expect_eq(world_gap(e->prediction, alone->prediction, w->pairs), 0.0);
        regret_estimate_free(e);
        regret_estimate_free(alone);
    }
    regret_session_close(session);
}
