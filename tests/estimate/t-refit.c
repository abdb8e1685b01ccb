/* Out-of-fold fits made anew: against fits of the rows that are left, and against what
 * the fit of all rows knows of its folds. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/family_world.h"
#include "estimate/session.h"
#include "linalg/random_design.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

static const struct world_shape SHAPE = {.contexts = 14,
                                         .agents = 7,
                                         .train = 11,
                                         .phi = 6,
                                         .z = 3,
                                         .obs = 150,
                                         .exp = 60,
                                         .noise = 0.1,
                                         .stretch = 1.0};
enum { SEED = 5, FOLDS = 4 };

static uint32_t *contexts_of_pairs(const struct world *w)
{
    uint32_t *context = NULL;
    cr_assert_eq(REGRET_NEW(&context, w->pairs), 0);
    for (size_t p = 0; p < w->pairs; p++) {
        context[p] = (uint32_t)(p / w->shape.agents);
    }
    return context;
}

static struct world *settled(uint64_t seed)
{
    struct world *w = world_draw(&SHAPE, seed);
    world_settle(w, SEED);
    return w;
}

/* The folds of DR by context in the place of those by row. */
static void fold_contexts(struct world *w, const uint32_t *context)
{
    regret_folds_free(w->dr);
    w->dr = NULL;
    cr_assert_eq(regret_folds_by_context(&w->dr, &w->exp, w->pairs, context, w->shape.contexts,
                                         FOLDS, SEED, REGRET_RNG_DR_FOLDS),
                 0);
    w->problem.dr = w->dr;
}

/* Fits of the whole by every family of the table, then refitted. */
static void refit(struct regret_estimate *e[WORLD_HOLDOUT], struct world *w,
                  const struct regret_refit *how)
{
    const struct regret_family *family[WORLD_HOLDOUT];
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        family[f] = regret_family_at((size_t)f);
        e[f] = world_fit(w, f);
    }
    cr_assert_eq(regret_refit_folds(e, family, WORLD_HOLDOUT, &w->problem, &w->options, how), 0,
                 "%s", regret_error_message());
}

static void drop(struct regret_estimate *e[WORLD_HOLDOUT])
{
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        regret_estimate_free(e[f]);
    }
}

/* ---- The rows that are left, by hand -------------------------------------------------------- */

static int fold_has_context(const struct world *w, const uint32_t *context, size_t k, uint32_t x)
{
    for (size_t i = 0; i < w->exp.n; i++) {
        if (w->dr->fold[i] == k && context[w->exp.pair[i]] == x) {
            return 1;
        }
    }
    return 0;
}

/* What fold k leaves, as a world of its own over the same pairs. */
static struct world *without_fold(const struct world *w, const uint32_t *context, size_t k)
{
    struct world *rest = world_draw(&SHAPE, 0);
    memcpy(rest->phi, w->phi, w->pairs * SHAPE.phi * sizeof *w->phi);
    memcpy(rest->z, w->z, w->pairs * SHAPE.z * sizeof *w->z);
    rest->exp.n = rest->obs.n = 0;
    for (size_t i = 0; i < w->exp.n; i++) {
        if (w->dr->fold[i] != k) {
            rest->exp.pair[rest->exp.n] = w->exp.pair[i];
            rest->exp.y[rest->exp.n++] = w->exp.y[i];
        }
    }
    for (size_t i = 0; i < w->obs.n; i++) {
        if (!fold_has_context(w, context, k, context[w->obs.pair[i]])) {
            rest->obs.pair[rest->obs.n] = w->obs.pair[i];
            rest->obs.y[rest->obs.n++] = w->obs.y[i];
        }
    }
    world_settle(rest, SEED);
    return rest;
}

/* Every third pair is evaluated. */
static unsigned char *evaluate_some(struct world *w)
{
    unsigned char *eval = calloc(w->pairs, 1);
    for (size_t p = 0; p < w->pairs; p++) {
        eval[p] = p % 3 == 1;
    }
    w->problem.eval = eval;
    return eval;
}

static double value_by_hand(const struct world *w, const double *f, size_t a)
{
    double sum = 0.0, all = 0.0;
    for (size_t p = 1; p < w->pairs; p += 3) {
        if (w->problem.agent[p] == a) {
            sum += f[p];
            all += 1.0;
        }
    }
    return sum / all;
}

Test(refit, contexts_are_left_out_and_families_tuned_anew_as_by_hand)
{
    struct world *w = settled(3);
    uint32_t *context = contexts_of_pairs(w);
    struct regret_estimate *e[WORLD_HOLDOUT];
    double *mean[WORLD_HOLDOUT];
    fold_contexts(w, context);
    unsigned char *eval = evaluate_some(w);
    refit(e, w, &(struct regret_refit){context, SHAPE.contexts, 1, 5, NULL});
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        cr_assert_eq(REGRET_NEW(&mean[f], w->pairs), 0);
    }
    for (size_t k = 0; k < FOLDS; k++) {
        struct world *rest = without_fold(w, context, k);
        cr_assert_lt(rest->obs.n, w->obs.n);
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            struct regret_estimate *r = world_fit(rest, f);
            for (size_t i = 0; i < w->exp.n; i++) {
                cr_expect(w->dr->fold[i] != k ||
                              fabs(e[f]->cross_fit[i] - r->prediction[w->exp.pair[i]]) < 1e-9,
                          "%s, row %zu", world_family(f), i);
            }
            for (size_t p = 0; p < w->pairs; p++) {
                mean[f][p] +=
                    r->prediction[p] * (double)(w->exp.n - rest->exp.n) / (double)w->exp.n;
            }
            for (size_t a = 0; a < SHAPE.agents; a++) {
                cr_expect_float_eq(e[f]->fold_value[k * SHAPE.agents + a],
                                   value_by_hand(w, r->prediction, a), 1e-9, "%s, agent %zu",
                                   world_family(f), a);
            }
            regret_estimate_free(r);
        }
        world_free(rest);
    }
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        double gap = world_gap(mean[f], e[f]->fold_mean, w->pairs);
        cr_expect(gap < 1e-9, "%s: the mean of the fold fits differs by %g", world_family(f), gap);
        regret_free(mean[f]);
    }
    free(eval);
    drop(e);
    regret_free(context);
    world_free(w);
}

/* ---- Identities ----------------------------------------------------------------------------- */

Test(refit, row_folds_with_kept_hyper_parameters_are_those_of_the_fit_of_all_rows)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct world *w = settled(seed);
        struct regret_estimate *e[WORLD_HOLDOUT];
        unsigned char *eval = evaluate_some(w);
        refit(e, w, &(struct regret_refit){NULL, 0, 0, 5, NULL});
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            struct regret_estimate *once = world_fit(w, f);
            double gap = world_gap(once->cross_fit, e[f]->cross_fit, w->exp.n);
            cr_expect(gap < 1e-9, "%s: cross-fitted predictions differ by %g", world_family(f),
                      gap);
            cr_expect_arr_eq(once->prediction, e[f]->prediction,
                             w->pairs * sizeof *once->prediction);
            /* obs-only, the second, says nothing of folds that are all alike */
            gap = f == 1 ? 0.0
                         : world_gap(once->fold_value, e[f]->fold_value,
                                     w->dr->n_folds * SHAPE.agents);
            cr_expect(gap < 1e-9, "%s: V_DM without a fold differs by %g", world_family(f), gap);
            regret_estimate_free(once);
        }
        free(eval);
        /* obs-only never saw EXP: every fold's fit is the fit. */
        cr_expect_lt(world_gap(e[1]->fold_mean, e[1]->prediction, w->pairs), 1e-12);
        drop(e);
        world_free(w);
    }
}

Test(refit, without_folds_nothing_is_defined)
{
    struct world *w = world_draw(&SHAPE, 4);
    uint32_t *context = contexts_of_pairs(w);
    struct regret_estimate *e[WORLD_HOLDOUT];
    for (size_t i = 0; i < w->exp.n; i++) { /* one context: nothing can be left out */
        w->exp.pair[i] %= (uint32_t)SHAPE.agents;
    }
    world_settle(w, SEED);
    fold_contexts(w, context);
    cr_assert_eq(w->dr->mode, REGRET_FOLDS_NONE);
    refit(e, w, &(struct regret_refit){context, SHAPE.contexts, 0, 5, NULL});
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        cr_expect(isnan(e[f]->cross_fit[0]) && isnan(e[f]->fold_mean[0]), "%s", world_family(f));
    }
    drop(e);
    regret_free(context);
    world_free(w);
}

/* OBS knows only contexts of one fold: without it there is no baseline. */
Test(refit, a_fold_that_leaves_no_obs_row_undefines_all)
{
    struct world *w = settled(6);
    uint32_t *context = contexts_of_pairs(w);
    struct regret_estimate *e[WORLD_HOLDOUT];
    fold_contexts(w, context);
    uint32_t x = context[w->exp.pair[0]];
    for (size_t i = 0; i < w->obs.n; i++) {
        w->obs.pair[i] = (uint32_t)(x * SHAPE.agents + w->obs.pair[i] % SHAPE.agents);
    }
    refit(e, w, &(struct regret_refit){context, SHAPE.contexts, 1, 5, NULL});
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        cr_expect(isnan(e[f]->cross_fit[0]) && isnan(e[f]->cross_fit[w->exp.n - 1]));
        cr_expect(isnan(e[f]->fold_mean[0]) && !isnan(e[f]->prediction[0]));
    }
    drop(e);
    regret_free(context);
    world_free(w);
}

Test(refit, folds_by_context_keep_contexts_whole_and_none_empty)
{
    struct world *w = settled(7);
    uint32_t *context = contexts_of_pairs(w);
    for (size_t folds = 2; folds < 20; folds++) {
        struct regret_folds *f = NULL;
        size_t rows = 0;
        cr_assert_eq(regret_folds_by_context(&f, &w->exp, w->pairs, context, SHAPE.contexts, folds,
                                             SEED, REGRET_RNG_DR_FOLDS),
                     0);
        cr_assert_eq(f->mode, REGRET_FOLDS_CONTEXTS);
        cr_assert(f->n_folds == folds || f->n_folds <= SHAPE.train);
        for (size_t i = 0; i < w->exp.n; i++) {
            for (size_t j = 0; j < i; j++) {
                cr_assert(context[w->exp.pair[i]] != context[w->exp.pair[j]] ||
                          f->fold[i] == f->fold[j]);
            }
        }
        for (size_t k = 0; k < f->n_folds; k++) {
            cr_assert_gt(f->part[k]->rows, 0);
            rows += f->part[k]->rows;
        }
        cr_assert_eq(rows, w->exp.n);
        regret_folds_free(f);
    }
    cr_assert_str_eq(regret_fold_mode_name(REGRET_FOLDS_CONTEXTS), "contexts");
    regret_free(context);
    world_free(w);
}

/* ---- One solver for all folds ---------------------------------------------------------------- */

/* All families of the table on one φ, refitted without the session of the whole (0), with it, or as it expected (2). */
static void refit_on(struct regret_estimate *e[WORLD_HOLDOUT], struct world *w,
                     const struct regret_design *phi, const uint32_t *context, int shared)
{
    const struct regret_family *family[WORLD_HOLDOUT];
    struct regret_session *session = NULL;
    w->problem.phi = *phi;
    w->options.cross_fit = 0;
    cr_assert_eq(regret_session_open(&session, &w->problem, &w->options), 0);
    const struct regret_refit how = {.context = context,
                                     .n_contexts = SHAPE.contexts,
                                     .cv_folds = 5,
                                     .whole = shared > 0 ? session : NULL};
    cr_assert_eq(shared > 1 ? session_expect_refits(session, &how) : 0, 0);
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        family[f] = regret_family_at((size_t)f);
        cr_assert_eq(regret_family_fit(&e[f], family[f], session), 0);
    }
    cr_assert_eq(regret_refit_folds(e, family, WORLD_HOLDOUT, &w->problem, &w->options, &how), 0,
                 "%s", regret_error_message());
    regret_session_close(session);
}

/* Of contexts and of rows, by conjugate gradients of all folds together, each fold by itself, and directly. */
Test(refit, one_iterative_solver_serves_all_folds)
{
    for (int by_context = 0; by_context < 2; by_context++) {
        struct world *w = settled(9);
        struct random_design d = random_design(w->pairs, SHAPE.contexts, 40, 9);
        struct regret_solver_record record[3] = {{0}, {0}, {0}};
        struct regret_estimate *e[4][WORLD_HOLDOUT];
        uint32_t *context = contexts_of_pairs(w);
        if (by_context) {
            fold_contexts(w, context);
        }
        refit_on(e[0], w, &d.dense, by_context ? context : NULL, 1);
        d.sparse.iterative = 1;
        for (int shared = 0; shared < 3; shared++) {
            d.sparse.record = &record[shared];
            refit_on(e[1 + shared], w, &d.sparse, by_context ? context : NULL, shared);
        }
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            for (int i = 1; i < 4; i++) {
                cr_expect_arr_eq(e[0][f]->tuned, e[i][f]->tuned, sizeof e[i][f]->tuned);
                cr_expect_lt(world_gap(e[0][f]->cross_fit, e[i][f]->cross_fit, w->exp.n), 1e-9,
                             "%s %d", world_family(f), i);
                cr_expect_lt(world_gap(e[0][f]->fold_mean, e[i][f]->fold_mean, w->pairs), 1e-9,
                             "%s %d", world_family(f), i);
            }
            for (int i = 0; i < 4; i++) {
                regret_estimate_free(e[i][f]);
            }
        }
        cr_expect_eq(record[0].fallbacks + record[1].fallbacks + record[2].fallbacks, 0);
        cr_expect(record[1].fits <= record[0].fits && record[2].fits <= record[0].fits);
        random_design_clear(&d);
        regret_free(context);
        world_free(w);
    }
}
