/* The families on problems that are hardly any. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "estimate/family_world.h"
#include "regret/status.h"
#include "regret/task.h"

static const struct world_shape SMALL = {10, 6, 8, 7, 3, 60, 40, 0.2, 1.0};

static void settle_and_fit(struct world *w, const char *what)
{
    world_settle(w, 5);
    world_fits(w, what);
    world_free(w);
}

static struct world *with_rows(size_t obs, size_t exp)
{
    struct world_shape shape = SMALL;
    shape.obs = obs;
    shape.exp = exp;
    return world_draw(&shape, 3);
}

/* No folds: nothing is tuned, the most regularised candidate stands, and only obs-only, which
 * never saw EXP, has an out-of-fold prediction. */
Test(family_degenerate, one_exp_row)
{
    struct world *w = with_rows(60, 1);
    world_settle(w, 5);
    cr_assert(w->cv->mode == REGRET_FOLDS_NONE && w->cv->n_folds == 0);
    world_fits(w, "one EXP row");
    for (int f = 0; f < WORLD_FAMILIES; f++) {
        struct regret_estimate *e = world_fit(w, f);
        int obs_only = strcmp(world_family(f), "obs-only") == 0;
        cr_assert(obs_only ? e->cross_fit[0] == e->prediction[w->exp.pair[0]]
                           : isnan(e->cross_fit[0]),
                  "%s", world_family(f));
        for (size_t i = 0; i < e->n_candidates; i++) {
            cr_assert(isnan(e->candidates[i].loss));
        }
        cr_assert(e->cv_mode == (e->n_candidates == 0 ? -1 : REGRET_FOLDS_NONE));
        regret_estimate_free(e);
    }
    world_free(w);
}

Test(family_degenerate, two_exp_rows)
{
    struct world *w = with_rows(60, 2);
    world_settle(w, 5);
    cr_assert(w->cv->mode == REGRET_FOLDS_ROWS && w->cv->n_folds == 2);
    world_fits(w, "two EXP rows");
    world_free(w);
}

Test(family_degenerate, few_rows)
{
    settle_and_fit(with_rows(60, 3), "three EXP rows");
    settle_and_fit(with_rows(1, 40), "one OBS row");
    settle_and_fit(with_rows(2, 2), "two and two");
    settle_and_fit(with_rows(1, 1), "one and one");
}

Test(family_degenerate, constant_outcomes)
{
    static const double levels[] = {0.0, 0.4, 1.0};
    for (size_t k = 0; k < 3; k++) {
        struct world *w = world_draw(&SMALL, 4);
        for (size_t i = 0; i < w->exp.n; i++) {
            w->exp.y[i] = levels[k];
        }
        world_settle(w, 5);
        world_fits(w, "constant EXP outcomes");
        for (size_t i = 0; i < w->obs.n; i++) {
            w->obs.y[i] = levels[k];
        }
        world_join(w, 5);
        regret_folds_free(w->obs_folds);
        cr_assert_eq(
            regret_folds_by_row(&w->obs_folds, &w->obs, w->pairs, 5, 5, REGRET_RNG_OBS_FOLDS), 0);
        world_join(w, 5);
        world_fits(w, "constant outcomes");
        /* Every candidate predicts the constant: all tie, and the most regularised one stands. */
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            struct regret_estimate *e = world_fit(w, f);
            cr_assert(isnan(e->lambda) || e->lambda == 1.0);
            for (size_t p = 0; p < w->pairs; p++) {
                cr_assert_float_eq(e->prediction[p], levels[k], 1e-12);
            }
            regret_estimate_free(e);
        }
        world_free(w);
    }
}

Test(family_degenerate, fewer_agents_than_folds)
{
    struct world *w = world_draw(&SMALL, 6);
    for (size_t i = 0; i < w->exp.n; i++) {
        w->exp.pair[i] = w->exp.pair[i] / 6 * 6 + w->exp.pair[i] % 3;
    }
    world_settle(w, 5);
    cr_assert(w->cv->mode == REGRET_FOLDS_ROWS && w->cv->n_folds == 5);
    world_fits(w, "three agents");
    struct regret_estimate *e = world_fit(w, 4);
    cr_assert_eq(e->cv_mode, REGRET_FOLDS_ROWS);
    regret_estimate_free(e);
    world_free(w);
    w = world_draw(&SMALL, 7);
    for (size_t i = 0; i < w->exp.n; i++) {
        w->exp.pair[i] = w->exp.pair[i] / 6 * 6 + 2;
    }
    settle_and_fit(w, "all EXP rows at one agent");
}

Test(family_degenerate, duplicate_rows)
{
    struct world *w = world_draw(&SMALL, 8);
    for (size_t i = 0; i < w->exp.n; i++) {
        w->exp.pair[i] = w->exp.pair[i % 7];
    }
    for (size_t i = 0; i < w->obs.n; i++) {
        w->obs.pair[i] = w->obs.pair[i % 4];
        w->obs.y[i] = w->obs.y[i % 4];
    }
    settle_and_fit(w, "seven EXP pairs, four OBS rows over and over");
    w = world_draw(&SMALL, 8);
    for (size_t i = 0; i < w->exp.n; i++) {
        w->exp.pair[i] = 11;
    }
    settle_and_fit(w, "one EXP pair");
}

Test(family_degenerate, features_that_say_nothing)
{
    struct world *w = world_draw(&SMALL, 9);
    for (size_t p = 0; p < w->pairs; p++) {
        w->phi[p * 7 + 2] = 0.0;                          /* never occurs */
        w->phi[p * 7 + 3] = p / 6 < 8 ? 0.0 : 1.0;        /* on held-out contexts only */
        w->phi[p * 7 + 4] = w->phi[p * 7 + 1];            /* twice the same */
        w->phi[p * 7 + 5] = 1.0;                          /* like the intercept */
        w->z[p * 3 + 1] = p / 6 < 8 ? 0.25 : w->z[p * 3]; /* constant over training pairs */
    }
    settle_and_fit(w, "idle features");
    w = world_draw(&SMALL, 10);
    for (size_t i = 0; i < w->pairs * 3; i++) {
        w->z[i] = 0.7;
    }
    settle_and_fit(w, "proxies without variance");
    w = world_draw(&SMALL, 11);
    memset(w->phi, 0, w->pairs * 7 * sizeof *w->phi);
    memset(w->z, 0, w->pairs * 3 * sizeof *w->z);
    settle_and_fit(w, "no features at all");
    struct world_shape bare = SMALL;
    bare.phi = bare.z = 0;
    w = world_draw(&bare, 12);
    settle_and_fit(w, "no columns at all");
}

/* Large and small features: ρ is then next to nothing or nearly everything. */
Test(family_degenerate, scales)
{
    static const double scales[] = {1e3, 1e-3};
    for (size_t k = 0; k < 2; k++) {
        struct world *w = world_draw(&SMALL, 13 + k);
        for (size_t i = 0; i < w->pairs * 7; i++) {
            w->phi[i] *= scales[k];
        }
        for (size_t i = 0; i < w->pairs * 3; i++) {
            w->z[i] *= scales[k];
        }
        settle_and_fit(w, k == 0 ? "features times 1000" : "features times 1/1000");
    }
}

Test(family_degenerate, no_rows_are_refused)
{
    static const size_t rows[3][2] = {{0, 5}, {5, 0}, {0, 0}};
    for (size_t k = 0; k < 3; k++) {
        struct world *w = with_rows(rows[k][0], rows[k][1]);
        struct regret_session *session = (void *)w;
        world_settle(w, 5);
        cr_assert_eq(regret_session_open(&session, &w->problem, &w->options), REGRET_E_INPUT);
        cr_assert_eq((void *)session, (void *)w, "touched on failure");
        cr_assert_not_null(strstr(regret_error_message(), "raise n_obs or n_exp"));
        world_free(w);
    }
}
