/* The families against the reference, which refits everything from scratch. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "estimate/family_world.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

/* Contexts, agents, training contexts, φ, z, OBS, EXP, noise, stretch. */
static const struct world_shape SHAPES[] = {
    {20, 12, 16, 8, 4, 300, 90, 0.2, 1.0},   /* parts wider than φ: the direct way */
    {20, 12, 16, 50, 3, 250, 60, 0.1, 1.0},  /* parts narrower than φ: Woodbury */
    {15, 20, 12, 20, 9, 200, 200, 0.3, 1.0}, /* interactions stop at the eighth column */
    {10, 6, 8, 30, 2, 40, 25, 0.2, 2.5}, /* more features than EXP rows; outcomes reach 0 and 1 */
};
#ifdef REGRET_FEW_REPLICATES
enum { N_SEEDS = 1 };
#else
enum { N_SEEDS = 3 };
#endif
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES };

Test(families, none_is_left_out)
{
    cr_assert_eq(regret_family_count(), WORLD_HOLDOUT + WORLD_PRACTICE,
                 "%zu families are listed: those from WORLD_HOLDOUT on (family_world.h), but for "
                 "the last two, "
                 "are not compared",
                 regret_family_count());
}

Test(families, agree_with_the_reference)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        for (uint64_t seed = 0; seed < N_SEEDS; seed++) {
            char what[60];
            struct world *w = world_draw(&SHAPES[s], 100 * s + seed);
            world_settle(w, seed);
            cr_assert_eq(w->cv->mode, REGRET_FOLDS_AGENTS);
            snprintf(what, sizeof what, "shape %zu, seed %d", s, (int)seed);
            world_compare(w, what);
            world_free(w);
        }
    }
}

/* Hyper-parameters by contexts left out in the place of agents. */
Test(families, agree_with_the_reference_where_contexts_are_left_out)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct world *w = world_draw(&SHAPES[s], 500 + s);
        world_settle(w, s);
        regret_folds_free(w->cv);
        cr_assert_eq(regret_folds_by_context(&w->cv, &w->exp, w->pairs, w->context,
                                             w->shape.contexts, 5, s, REGRET_RNG_CV_FOLDS),
                     0);
        world_join(w, s);
        cr_assert_eq(w->cv->mode, REGRET_FOLDS_CONTEXTS);
        world_compare(w, "contexts left out");
        world_free(w);
    }
}

/* Where the baseline leaves [0,1]: residuals of it as it is, and of it clipped. */
Test(families, agree_with_the_reference_on_a_clipped_baseline)
{
    size_t outside = 0, moved = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct world *w = world_draw(&SHAPES[3], 700 + seed);
        for (size_t i = 0; i < w->obs.n; i++) { /* a steep baseline */
            w->obs.y[i] = w->obs.y[i] > 0.5;
        }
        world_settle(w, seed);
        regret_hyper_of(&w->options, "obs_only.rho")->grid = (struct regret_grid_values){1, {1e-3}};
        world_join(w, seed);
        struct regret_estimate *plain[WORLD_HOLDOUT];
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            plain[f] = world_fit(w, f);
        }
        w->options.clip_baseline = w->reference.clip_baseline = 1;
        world_compare(w, "a clipped baseline");
        for (int f = 0; f < WORLD_HOLDOUT; f++) {
            struct regret_estimate *e = world_fit(w, f);
            double gap = world_gap(e->prediction, plain[f]->prediction, w->pairs);
            int residual = f == 3 || f >= 5; /* grounded, cvci-residual and the variants */
            cr_expect(residual || gap == 0.0, "%s has no residuals", world_family(f));
            moved += residual && gap > 1e-6;
            for (size_t p = 0; f == 1 && p < w->pairs; p++) {
                outside += e->prediction[p] == 0.0 || e->prediction[p] == 1.0;
            }
            regret_estimate_free(e);
            regret_estimate_free(plain[f]);
        }
        world_free(w);
    }
    cr_expect_gt(outside, 0);
    cr_expect_geq(moved, 8, "the option does little: %zu", moved);
}
