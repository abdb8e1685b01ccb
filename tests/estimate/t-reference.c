/* The reference against cases solved by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/reference.h"

static void assert_near(double actual, double expected, const char *what)
{
    cr_assert(fabs(actual - expected) < 1e-12, "%s: %.17g, expected %.17g", what, actual, expected);
}

static struct reference_estimate fit(const char *family, const struct reference_problem *problem)
{
    struct reference_estimate e;
    cr_assert_eq(reference_fit(&e, family, problem), 0, "%s", family);
    return e;
}

static void drop(struct reference_estimate *e)
{
    free(e->prediction);
    free(e->cross_fit);
}

/* Four pairs of two agents, no features at all unless a test sets some: every fit is then its
 * intercept. Each row below names its pair. */
static const uint32_t AGENT[4] = {0, 0, 1, 1};
static const unsigned char ALL[4] = {1, 1, 1, 1};
static const double NOTHING[4] = {0};

static struct reference_problem four_pairs(void)
{
    return (struct reference_problem){.pairs = 4,
                                      .n_agents = 2,
                                      .agent = AGENT,
                                      .train = ALL,
                                      .phi_dim = 1,
                                      .phi = NOTHING,
                                      .z_dim = 1,
                                      .z = NOTHING};
}

Test(reference, unknown_family_is_refused)
{
    struct reference_problem problem = four_pairs();
    struct reference_estimate e = {.basis = 7};
    cr_assert_neq(reference_fit(&e, "exp", &problem), 0);
    cr_assert_eq(e.basis, 7);
}

/* x = 0, 1 with y = .2, .6: variance 1/4, covariance 1/10, ρ_eff = 1/2, so θ = .1/.75. */
Test(reference, ridge_on_one_feature)
{
    const double phi[4] = {0.0, 1.0, 3.0, 9.0}, none[1] = {0};
    const uint32_t rows[2] = {0, 1};
    const double y[2] = {0.2, 0.6}, theta = 0.1 / 0.75, b = 0.4 - 0.5 * theta;
    struct reference_problem problem = four_pairs();
    problem.phi = phi;
    problem.n_exp = problem.n_obs = 2;
    problem.exp_pair = problem.obs_pair = rows;
    problem.exp_y = problem.obs_y = y;
    const char *families[] = {"exp-only", "obs-only", "cvci", "representation-exp"};
    for (int i = 0; i < 4; i++) {
        if (i == 3) {
            problem.z = phi, problem.phi = none, problem.phi_dim = 0;
        }
        struct reference_estimate e = fit(families[i], &problem);
        assert_near(e.prediction[0], b, families[i]);
        assert_near(e.prediction[1], b + theta, families[i]);
        assert_near(e.prediction[2], b + 3.0 * theta, families[i]);
        assert_near(e.prediction[3], 1.0, "clipped");
        for (int row = 0; row < 2; row++) { /* no DR folds; obs-only needs none */
            cr_assert(i == 1 ? e.cross_fit[row] == e.prediction[row] : isnan(e.cross_fit[row]));
        }
        drop(&e);
    }
}

/* OBS says f_obs, agent 0 has Ȳ = y0 and agent 1 has Ȳ = y1, two folds of one agent each; the
 * correction is an intercept. */
static struct reference_estimate fit_linear_by_cv(double f_obs, double y0, double y1)
{
    const uint32_t obs_rows[1] = {0}, exp_rows[3] = {0, 1, 2}, fold[3] = {0, 0, 1};
    const double obs_y[1] = {f_obs}, exp_y[3] = {y0 - 0.1, y0 + 0.1, y1};
    struct reference_problem problem = four_pairs();
    problem.n_obs = 1, problem.obs_pair = obs_rows, problem.obs_y = obs_y;
    problem.n_exp = 3, problem.exp_pair = exp_rows, problem.exp_y = exp_y;
    problem.cv_folds = 2, problem.cv_by_agent = 1, problem.cv_fold = fold;
    return fit("grounded-linear", &problem);
}

Test(reference, causal_cv_of_alpha)
{
    /* Fold 0: f = .8 − .3α against .4; fold 1: f = .8 − .4α against .5: α = 1 is best. */
    struct reference_estimate e = fit_linear_by_cv(0.8, 0.4, 0.5);
    cr_assert_eq(e.alpha, 1.0);
    assert_near(e.prediction[3], (0.3 + 0.5 + 0.5) / 3.0, "mean of EXP");
    drop(&e);
    /* f_O lies between the agents: correcting by the other agent only makes it worse. */
    e = fit_linear_by_cv(0.45, 0.4, 0.5);
    cr_assert_eq(e.alpha, 0.0);
    assert_near(e.prediction[3], 0.45, "f_O");
    drop(&e);
    /* Nothing to correct: every α ties, the smallest wins. */
    e = fit_linear_by_cv(0.4, 0.4, 0.4);
    cr_assert_eq(e.alpha, 0.0);
    drop(&e);
    /* Fold 0 errs by .35 − .15α, fold 1 by .15 − .35α: least squares at α = .105/.145 ≈ .72. */
    e = fit_linear_by_cv(0.75, 0.4, 0.6);
    cr_assert_eq(e.alpha, 0.75);
    drop(&e);
}

/* Both folds predict .7 − .2α. Fold 0 holds agent 0 three times (.4) and agent 1 once (.8), whose
 * weighted mean is .5, as is fold 1: α = 1. Unweighted agents would ask for .75. */
Test(reference, agents_weigh_by_their_rows)
{
    const uint32_t obs_rows[1] = {0}, exp_rows[5] = {0, 0, 1, 2, 1}, fold[5] = {0, 0, 0, 0, 1};
    const double obs_y[1] = {0.7}, exp_y[5] = {0.4, 0.4, 0.4, 0.8, 0.5};
    struct reference_problem problem = four_pairs();
    problem.n_obs = 1, problem.obs_pair = obs_rows, problem.obs_y = obs_y;
    problem.n_exp = 5, problem.exp_pair = exp_rows, problem.exp_y = exp_y;
    problem.cv_folds = 2, problem.cv_by_agent = 1, problem.cv_fold = fold;
    struct reference_estimate e = fit("grounded-linear", &problem);
    cr_assert_eq(e.alpha, 1.0, "α = %g", e.alpha);
    drop(&e);
}

/* f_O = .8; the rows outside the holdout average .4, so c = .4; the holdout says .6: α = ½. */
Test(reference, holdout_of_alpha)
{
    const uint32_t obs_rows[1] = {0}, exp_rows[3] = {0, 1, 2};
    uint32_t dr_fold[3] = {0, 1, 0};
    const double obs_y[1] = {0.8}, exp_y[3] = {0.3, 0.5, 0.6};
    const unsigned char holdout[3] = {0, 0, 1};
    struct reference_problem problem = four_pairs();
    problem.n_obs = 1, problem.obs_pair = obs_rows, problem.obs_y = obs_y;
    problem.n_exp = 3, problem.exp_pair = exp_rows, problem.exp_y = exp_y;
    problem.holdout = holdout;
    problem.dr_folds = 2, problem.dr_fold = dr_fold;
    struct reference_estimate e = fit("grounded-linear", &problem);
    cr_assert_eq(e.alpha, 0.5);
    assert_near(e.prediction[0], 0.6, "fitted outside the holdout");
    /* The carved row stays carved: fold 0 leaves .5, fold 1 leaves .3. */
    assert_near(e.cross_fit[0], 0.8 - 0.5 * 0.3, "row 0");
    assert_near(e.cross_fit[1], 0.8 - 0.5 * 0.5, "row 1");
    assert_near(e.cross_fit[2], 0.8 - 0.5 * 0.3, "row 2");
    drop(&e);
    dr_fold[1] = 0, dr_fold[2] = 1; /* now fold 0 leaves no row but the carved one */
    e = fit("grounded-linear", &problem);
    cr_assert(isnan(e.cross_fit[0]) && isnan(e.cross_fit[1]));
    assert_near(e.cross_fit[2], 0.6, "row 2, all others");
    drop(&e);
}

/* λ = τ = 1, the first candidate. OBS folds (.2,.4) and (.6,.8): f_O^cf = .7 and .3, f_O = .5.
 * EXP averages .4: c = .1. With g = (f_O^cf, −c), (s,t) solves (mean g gᵀ + I)(s,t) = mean y g +
 * (1,1). */
Test(reference, anchor_by_cramers_rule)
{
    const uint32_t obs_rows[4] = {0, 1, 2, 3}, obs_fold[4] = {0, 0, 1, 1}, exp_rows[2] = {0, 2};
    const double obs_y[4] = {0.2, 0.4, 0.6, 0.8}, exp_y[2] = {0.3, 0.5};
    struct reference_problem problem = four_pairs();
    problem.n_obs = 4, problem.obs_pair = obs_rows, problem.obs_y = obs_y;
    problem.obs_folds = 2, problem.obs_fold = obs_fold;
    problem.n_exp = 2, problem.exp_pair = exp_rows, problem.exp_y = exp_y;
    struct reference_estimate e = fit("grounded-anchored", &problem);
    cr_assert_eq(e.lambda, 1.0);
    cr_assert_eq(e.tau, 1.0);
    double ff = (0.49 + 0.09) / 2 + 1, fc = -0.5 * 0.1, cc = 0.01 + 1;
    double yf = (0.3 * 0.7 + 0.7 * 0.3) / 2 + 1, yc = -0.5 * 0.1 + 1;
    double det = ff * cc - fc * fc, s = (yf * cc - yc * fc) / det, t = (yc * ff - yf * fc) / det;
    assert_near(e.prediction[1], 0.5 * s - 0.1 * t, "s f_O − t c");
    drop(&e);
}

/* x = ±1 is balanced within every agent, so agent means cannot see the slope: by agent every λ ties
 * and OBS (slope 0) wins; by row the slope of EXP wins. */
Test(reference, agent_means_do_not_see_a_balanced_slope)
{
    const double phi[4] = {-1.0, 1.0, -1.0, 1.0};
    const uint32_t rows[4] = {0, 1, 2, 3}, fold[4] = {0, 0, 1, 1};
    const double obs_y[4] = {0.5, 0.5, 0.5, 0.5}, exp_y[4] = {0.2, 0.8, 0.2, 0.8};
    struct reference_problem problem = four_pairs();
    problem.phi = phi;
    problem.n_obs = problem.n_exp = 4;
    problem.obs_pair = problem.exp_pair = rows;
    problem.obs_y = obs_y, problem.exp_y = exp_y;
    problem.cv_folds = 2, problem.cv_fold = fold;
    for (int by_agent = 0; by_agent < 2; by_agent++) {
        problem.cv_by_agent = by_agent;
        struct reference_estimate e = fit("cvci", &problem);
        cr_assert_eq(e.lambda, by_agent ? 1.0 : 0.0, "by_agent %d: λ = %g", by_agent, e.lambda);
        /* θ = .3/(1 + ¼) on the four EXP rows, whose ρ_eff is ¼. */
        assert_near(e.prediction[1], by_agent ? 0.5 : 0.5 + 0.3 / 1.25, "prediction");
        drop(&e);
    }
}

/* Where f_O is flat and Y noiseless, causal CV finds the shape of Y. */
Test(reference, basis_of_grounded)
{
    enum { PAIRS = 40 };
    uint32_t agent[PAIRS], rows[PAIRS], fold[PAIRS];
    unsigned char train[PAIRS];
    double phi[PAIRS] = {0}, z[2 * PAIRS], half[PAIRS], y[3][PAIRS], z1[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        agent[i] = (uint32_t)i % 10, rows[i] = (uint32_t)i, fold[i] = agent[i] % 5, train[i] = 1;
        z[2 * i] = z1[i] = (i * 7 % 20) / 10.0 - 0.95;
        z[2 * i + 1] = (i * 13 % 40) / 20.0 - 0.975;
        half[i] = 0.5;
        y[0][i] = 0.5 + 0.3 * z1[i];
        y[1][i] = 0.4 + 0.3 * z1[i] * z1[i];
        y[2][i] = 0.5 + 0.3 * z1[i] * z[2 * i + 1] + 0.1 * z1[i] * z1[i];
    }
    struct reference_problem problem = {.pairs = PAIRS,
                                        .n_agents = 10,
                                        .agent = agent,
                                        .train = train,
                                        .phi_dim = 1,
                                        .phi = phi,
                                        .n_obs = PAIRS,
                                        .n_exp = PAIRS,
                                        .obs_pair = rows,
                                        .exp_pair = rows,
                                        .obs_y = half,
                                        .cv_folds = 5,
                                        .cv_by_agent = 1,
                                        .cv_fold = fold};
    for (int shape = 0; shape < 3; shape++) {
        /* With one proxy, quadratic and interactions are the same basis: the simpler must win. */
        problem.z_dim = shape == 2 ? 2 : 1, problem.z = shape == 2 ? z : z1;
        problem.exp_y = y[shape];
        struct reference_estimate e = fit("grounded", &problem);
        cr_assert_eq(e.basis, shape, "shape %d: basis %d", shape, e.basis);
        cr_assert_eq(e.rho, 0.1, "no noise: the weakest penalty");
        for (int i = 0; i < PAIRS; i++) {
            cr_assert_lt(fabs(e.prediction[i] - y[shape][i]), 0.01);
        }
        drop(&e);
    }
}

/* ψ = ((z − 1)/√(2/3)) over the training pairs z = 0, 1, 2; EXP rows at z = 0 and 2. */
Test(reference, basis_is_standardised_over_training_pairs)
{
    const double z[4] = {0.0, 1.0, 2.0, 4.0};
    const unsigned char train[4] = {1, 1, 1, 0};
    const uint32_t obs_rows[1] = {1}, exp_rows[2] = {0, 2};
    const double obs_y[1] = {0.5}, exp_y[2] = {0.4, 0.8};
    struct reference_problem problem = four_pairs();
    problem.z = z, problem.train = train;
    problem.n_obs = 1, problem.obs_pair = obs_rows, problem.obs_y = obs_y;
    problem.n_exp = 2, problem.exp_pair = exp_rows, problem.exp_y = exp_y;
    struct reference_estimate e = fit("grounded", &problem); /* no folds: linear, ρ = 10^4 */
    cr_assert_eq(e.basis, 0);
    cr_assert_eq(e.rho, 1e4);
    /* ψ = ±√1.5: variance 1.5; excess .1 and −.3: covariance −.2√1.5; ρ_eff = 5000. */
    double theta = -0.2 * sqrt(1.5) / (1.5 + 5000.0);
    assert_near(e.prediction[1], 0.5 - -0.1, "z at its mean");
    assert_near(e.prediction[3], 0.5 - (-0.1 + theta * 3.0 * sqrt(1.5)), "outside training");
    drop(&e);
}

Test(reference, values_by_hand)
{
    double f[4] = {0.1, 0.3, 0.5, 0.9}, left_out[3] = {0.2, 0.4, 0.6};
    const uint32_t rows[3] = {0, 1, 2};
    const double y[3] = {0.5, 0.5, 0.3};
    const unsigned char eval[4] = {1, 1, 0, 1};
    struct reference_problem problem = four_pairs();
    problem.n_agents = 3; /* the third has neither pairs nor rows */
    problem.n_exp = 3, problem.exp_pair = rows, problem.exp_y = y;
    struct reference_estimate e = {.prediction = f, .cross_fit = left_out};
    double dm[3], dr[3], sndr[3];
    reference_values(dm, dr, sndr, &e, &problem, eval);
    assert_near(dm[0], 0.2, "DM of agent 0");
    assert_near(dm[1], 0.9, "DM of agent 1");
    cr_assert(isnan(dm[2]));
    assert_near(dr[0], 0.2 + 3.0 / 3.0 * (0.3 + 0.1), "DR of agent 0");
    assert_near(dr[1], 0.9 + 3.0 / 3.0 * -0.3, "DR of agent 1");
    assert_near(sndr[0], 0.2 + (0.3 + 0.1) / 2.0, "SNDR of agent 0");
    assert_near(sndr[1], 0.9 - 0.3, "SNDR of agent 1");
}
