/* ρ_E and ρ_O chosen from a list: what the choice must not see. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "estimate/family_world.h"
#include "estimate/session.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

enum { SEED = 5, EXP_ONLY = 0, OBS_ONLY = 1, CVCI = 4 };
static const struct world_shape SHAPE = {20, 12, 16, 8, 4, 300, 90, 0.2, 1.0};
static const struct regret_grid_values WIDE = {6, {0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0}};
static const struct regret_grid_values FEW = {3, {0.01, 0.3, 20.0}};

static struct world *with_grids(const struct world_shape *shape, uint64_t seed)
{
    struct world *w = world_draw(shape, seed);
    regret_hyper_of(&w->options, "exp_only.rho")->grid = WIDE;
    regret_hyper_of(&w->options, "obs_only.rho")->grid = FEW;
    world_settle(w, SEED);
    return w;
}

/* A list of one is the number; a list whose winner is known gives that number's fit to the bit. */
Test(plain_rho, the_choice_is_all_that_a_list_adds)
{
    for (int f = 0; f < WORLD_FAMILIES; f++) {
        struct world *w = with_grids(&SHAPE, 7);
        struct regret_estimate *chosen = world_fit(w, f);
        for (int of = 0; of < 2; of++) {
            double rho = chosen->plain_rho[of];
            regret_hyper_of(&w->options, of == RHO_OF_EXP ? "exp_only.rho" : "obs_only.rho")->grid =
                (struct regret_grid_values){1, {rho > 0.0 ? rho : 1.0}};
        }
        struct regret_estimate *given = world_fit(w, f);
        cr_assert_arr_eq(chosen->prediction, given->prediction,
                         w->pairs * sizeof *given->prediction, "%s", world_family(f));
        cr_assert_arr_eq(chosen->cross_fit, given->cross_fit, w->exp.n * sizeof(double), "%s",
                         world_family(f));
        regret_estimate_free(chosen);
        regret_estimate_free(given);
        world_free(w);
    }
}

/* λ = 0 and 1 stay the plain fits, to the last bit. */
Test(plain_rho, the_ends_of_lambda)
{
    for (int end = 0; end < 2; end++) {
        struct world *w = with_grids(&SHAPE, 3);
        regret_hyper_of(&w->options, "cvci.lambda")->grid = (struct regret_grid_values){1, {end}};
        struct regret_estimate *pooled = world_fit(w, CVCI);
        struct regret_estimate *alone = world_fit(w, end ? OBS_ONLY : EXP_ONLY);
        cr_assert_arr_eq(pooled->prediction, alone->prediction, w->pairs * sizeof(double));
        regret_estimate_free(pooled);
        regret_estimate_free(alone);
        world_free(w);
    }
}

/* obs-only never sees EXP, nor exp-only OBS: other outcomes there change nothing here. */
Test(plain_rho, each_is_chosen_on_its_own_rows)
{
    for (int f = EXP_ONLY; f <= OBS_ONLY; f++) {
        struct world *w = with_grids(&SHAPE, 11);
        struct regret_estimate *before = world_fit(w, f);
        struct regret_rows *others = f == EXP_ONLY ? &w->obs : &w->exp;
        for (size_t i = 0; i < others->n; i++) {
            others->y[i] = (double)(i % 2);
        }
        struct regret_estimate *after = world_fit(w, f);
        cr_assert_eq(before->rho, after->rho);
        for (size_t i = 0; i < before->n_candidates; i++) {
            cr_assert_eq(before->candidates[i].loss, after->candidates[i].loss);
        }
        regret_estimate_free(before);
        regret_estimate_free(after);
        world_free(w);
    }
}

/* Refits keep both ρ, or choose them anew: then as a world without the fold does. */
Test(plain_rho, folds_keep_the_choice_or_choose_anew)
{
    struct world *w = with_grids(&SHAPE, 13);
    const struct regret_family *family[WORLD_HOLDOUT];
    for (int retune = 0; retune < 2; retune++) {
        struct regret_estimate *e[WORLD_HOLDOUT];
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            family[f] = regret_family_at((size_t)f);
            e[f] = world_fit(w, f);
        }
        const struct regret_refit how = {w->context, w->shape.contexts, retune, 5, NULL};
        cr_assert_eq(regret_refit_folds(e, family, WORLD_HOLDOUT, &w->problem, &w->options, &how),
                     0, "%s", regret_error_message());
        const struct regret_refit rows = {NULL, 0, retune, 5, NULL};
        for (int f = 0; f < WORLD_HOLDOUT && !retune; f++) {
            struct regret_estimate *once = world_fit(w, f);
            cr_assert_eq(regret_refit_folds(&e[f], &family[f], 1, &w->problem, &w->options, &rows),
                         0);
            double gap = world_gap(once->cross_fit, e[f]->cross_fit, w->exp.n);
            cr_expect_lt(gap, 1e-9, "%s: %g", world_family(f), gap);
            regret_estimate_free(once);
        }
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            regret_estimate_free(e[f]);
        }
    }
    world_free(w);
}

Test(plain_rho, a_list_without_folds_of_obs_is_refused)
{
    struct world *w = with_grids(&SHAPE, 1);
    struct regret_session *session = NULL;
    struct regret_estimate *e = NULL;
    w->problem.obs_cv = NULL;
    cr_assert_eq(regret_session_open(&session, &w->problem, &w->options), 0);
    cr_assert_eq(regret_family_fit(&e, regret_family_find("obs-only"), session), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "obs_only.rho has 3 candidates"));
    cr_assert_null(e);
    regret_session_close(session);
    world_free(w);
}
