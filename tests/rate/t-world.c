/* The paper's Theorem 4.1 by simulation, and what its assumptions are for. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "rate/typos.h"
#include "regret/status.h"

enum { ROWS = 1000, FULL = 2000, E = REGRET_RATE_N_WORLD_ESTIMATORS };

static void run(struct regret_rate_world_result r[E], int world)
{
    cr_assert_eq(regret_rate_world_run(r, &regret_rate_worlds()[world], ROWS, repeats(FULL), 1, 2),
                 0, "%s", regret_error_message());
    for (int k = 0; k < E; k++) {
        cr_assert_eq(r[k].n_missing, 0);
        /* Whatever the bias, it is the one theory gives. */
        cr_assert_lt(fabs(r[k].bias - r[k].predicted_bias), 4.0 * r[k].bias_se,
                     "estimator %d: bias %g (%g), predicted %g", k, r[k].bias, r[k].bias_se,
                     r[k].predicted_bias);
    }
}

Test(world, where_the_assumptions_hold_only_rate_is_right)
{
    struct regret_rate_world_result r[E];
    run(r, 0);
    for (int k = REGRET_RATE_WORLD_RATE_ATE; k <= REGRET_RATE_WORLD_RATE_ATU; k++) {
        cr_assert_float_eq(r[k].predicted_bias, 0.0, 1e-15);
        double slack = repeats_slack(FULL, 0.95);
        cr_assert(r[k].coverage >= 0.93 - slack && r[k].coverage <= 0.97 + slack, "coverage %g",
                  r[k].coverage);
    }
    for (int k = REGRET_RATE_WORLD_NAIVE; k <= REGRET_RATE_WORLD_SINGLE_ATU; k++) {
        cr_assert_gt(fabs(r[k].bias), 20.0 / sqrt(FULL / repeats(FULL)) * r[k].bias_se,
                     "estimator %d is not biased", k);
        cr_assert_lt(r[k].coverage, 0.9);
    }
}

Test(world, where_an_assumption_is_broken_rate_fails_as_predicted)
{
    for (int world = 1; world < REGRET_RATE_N_WORLDS; world++) {
        struct regret_rate_world_result r[E];
        run(r, world);
        for (int k = REGRET_RATE_WORLD_RATE_ATE; k <= REGRET_RATE_WORLD_RATE_ATU; k++) {
            cr_assert_gt(fabs(r[k].bias), 100.0 / sqrt(FULL / repeats(FULL)) * r[k].bias_se,
                         "world %d, estimator %d", world, k);
            cr_assert_lt(r[k].coverage, 0.5);
        }
    }
}

/* The closed forms against a brute-force mean over many rows, with parameters at random. */
Test(world, truth_and_bias_in_closed_form)
{
    struct regret_rate_world w = regret_rate_worlds()[2];
    w.delta = -0.2;
    w.kappa = -0.7;
    w.pi = 0.3;
    double truth[E], bias[E];
    regret_rate_world_truth(truth, bias, &w);
    double att = w.tau + w.kappa * w.p1 + w.omega * w.m1;
    double atu = w.tau + w.kappa * w.p0 + w.omega * w.m0;
    cr_assert_float_eq(truth[REGRET_RATE_WORLD_RATE_ATE], 0.3 * att + 0.7 * atu, 1e-15);
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_estimate *e = NULL;
    const struct regret_rate_options options = {.threads = 1};
    size_t n = 0;
    cr_assert_eq(regret_rate_world_rows(&rows, &w, 400000, 9, 3), 0);
    cr_assert_eq(regret_rate_estimate(&e, &n, rows, &options), 0);
    for (int k = 0; k < E; k++) {
        /* The weights n1 and n0 of the ATE are random, too: five standard errors and a little. */
        cr_assert_float_eq(e->effects[k].estimate, truth[k] + bias[k],
                           5.0 * e->effects[k].se + 0.002, "estimator %d", k);
    }
    regret_free(e);
    regret_rate_rows_free(rows);
}

Test(world, the_same_on_any_number_of_threads)
{
    struct regret_rate_world_result one[E], three[E];
    cr_assert_eq(regret_rate_world_run(one, &regret_rate_worlds()[0], 100, 50, 7, 1), 0);
    cr_assert_eq(regret_rate_world_run(three, &regret_rate_worlds()[0], 100, 50, 7, 3), 0);
    cr_assert_eq(memcmp(one, three, sizeof one), 0);
    cr_assert_eq(regret_rate_world_run(one, &regret_rate_worlds()[0], 7, 50, 7, 1), REGRET_E_INPUT);
}
