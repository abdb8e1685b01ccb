/* Theorem 5 of the OBS/EXP/SIM paper: with a baseline linear in the proxy, the grounded correction is ridge centred at
 * the OBS coefficient, which the families are held to. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "estimate/reference_ridge.h"
#include "regret/estimate.h"
#include "regret/task.h"

static const double EXACT = 1e-10;

enum { PAIRS = 24, AGENTS = 4, Z = 2, OBS = 60, EXP = 20 };

struct linear_case {
    double z[PAIRS * Z]; /* column-major, standardised over the pairs */
    uint32_t agent[PAIRS];
    unsigned char train[PAIRS];
    uint32_t obs_pair[OBS], obs_segment[OBS], exp_pair[EXP], exp_segment[EXP];
    double obs_y[OBS], exp_y[EXP];
    struct regret_rows obs, exp;
};

static void draw_case(struct linear_case *c, uint64_t index)
{
    struct regret_rng r = regret_rng_at(51, REGRET_RNG_TEST, index);
    memset(c, 0, sizeof *c);
    for (size_t j = 0; j < Z; j++) {
        double mean = 0.0, square = 0.0, *z = c->z + j * PAIRS;
        for (size_t p = 0; p < PAIRS; p++) {
            z[p] = regret_rng_normal(&r);
            mean += z[p] / PAIRS;
        }
        for (size_t p = 0; p < PAIRS; p++) {
            square += (z[p] - mean) * (z[p] - mean) / PAIRS;
        }
        for (size_t p = 0; p < PAIRS; p++) {
            z[p] = (z[p] - mean) / sqrt(square);
        }
    }
    for (size_t p = 0; p < PAIRS; p++) {
        c->agent[p] = (uint32_t)(p % AGENTS);
        c->train[p] = 1;
    }
    for (size_t i = 0; i < OBS; i++) {
        uint32_t p = c->obs_pair[i] = regret_rng_below(&r, PAIRS);
        c->obs_y[i] = 0.55 + 0.06 * c->z[p] + 0.1 * (regret_rng_uniform(&r) - 0.5);
    }
    for (size_t i = 0; i < EXP; i++) {
        uint32_t p = c->exp_pair[i] = regret_rng_below(&r, PAIRS);
        c->exp_y[i] = 0.45 + 0.04 * c->z[PAIRS + p] + 0.1 * (regret_rng_uniform(&r) - 0.5);
    }
    c->obs = (struct regret_rows){
        .n = OBS, .pair = c->obs_pair, .segment = c->obs_segment, .y = c->obs_y};
    c->exp = (struct regret_rows){
        .n = EXP, .pair = c->exp_pair, .segment = c->exp_segment, .y = c->exp_y};
}

/* (b, θ) minimising mean (y − b − θ·z)² + (ρ/n)‖θ − centre‖², as values of every pair. */
static void centred_fit(double *f, double *theta, const struct linear_case *c,
                        const struct regret_rows *rows, double rho, const double *centre)
{
    enum { Q = Z + 1 };
    long double m[Q * (Q + 1)] = {0}, x[Q];
    for (size_t i = 0; i < rows->n; i++) {
        double v[Q] = {c->z[rows->pair[i]], c->z[PAIRS + rows->pair[i]], 1.0};
        for (size_t j = 0; j < Q; j++) {
            for (size_t k = 0; k < Q; k++) {
                m[j * (Q + 1) + k] += (long double)v[j] * v[k];
            }
            m[j * (Q + 1) + Q] += (long double)v[j] * rows->y[i];
        }
    }
    for (size_t j = 0; j < Z; j++) {
        m[j * (Q + 1) + j] += rho;
        m[j * (Q + 1) + Q] += (long double)rho * centre[j];
    }
    reference_solve(x, m, Q);
    for (size_t p = 0; p < PAIRS; p++) {
        f[p] = (double)(x[0] * c->z[p] + x[1] * c->z[PAIRS + p] + x[2]);
    }
    theta[0] = (double)x[0];
    theta[1] = (double)x[1];
}

static void fit_family(double *f, const char *name, struct regret_session *session)
{
    struct regret_estimate *e = NULL;
    cr_assert_eq(regret_family_fit(&e, regret_family_find(name), session), REGRET_OK, "%s",
                 regret_error_message());
    memcpy(f, e->prediction, PAIRS * sizeof *f);
    regret_estimate_free(e);
}

/* The family grounded-linear, its proxy and raw features being the same z, is the ridge of EXP
 * outcomes centred at the OBS ridge's θ (the intercept is penalised by neither), and with α a
 * weighted mean of the two; representation-exp is the same ridge centred at zero. */
Test(theorem_5, the_family_grounded_linear_is_centred_ridge)
{
    const double alphas[] = {1.0, 0.5};
    for (uint64_t index = 0; index < 20; index++) {
        struct linear_case c;
        struct regret_folds *cv = NULL, *dr = NULL;
        struct regret_session *session = NULL;
        struct regret_estimate_options o;
        double f_obs[PAIRS], full[PAIRS], zero[PAIRS], found[PAIRS], theta[Z], ignored[Z];
        const double nothing[Z] = {0};
        draw_case(&c, index);
        regret_estimate_options_default(&o);
        regret_hyper_of(&o, "grounded_linear.rho")->number = 3.0;
        regret_hyper_of(&o, "representation_exp.rho")->number = 3.0;
        regret_hyper_of(&o, "grounded_linear.alpha")->grid =
            (struct regret_grid_values){1, {alphas[index % 2]}};
        cr_assert_eq(regret_folds_by_agent(&cv, &c.exp, PAIRS, c.agent, AGENTS, 2, 1), REGRET_OK);
        cr_assert_eq(regret_folds_by_row(&dr, &c.exp, PAIRS, 2, 1, REGRET_RNG_DR_FOLDS), REGRET_OK);
        struct regret_problem problem = {.pairs = PAIRS,
                                         .agent = c.agent,
                                         .n_agents = AGENTS,
                                         .train = c.train,
                                         .phi = regret_design_dense(PAIRS, Z, c.z),
                                         .z = regret_design_dense(PAIRS, Z, c.z),
                                         .obs = &c.obs,
                                         .exp = &c.exp,
                                         .cv = cv,
                                         .dr = dr};
        cr_assert_eq(regret_session_open(&session, &problem, &o), REGRET_OK);
        centred_fit(f_obs, theta, &c, &c.obs, regret_hyper_of(&o, "obs_only.rho")->grid.value[0],
                    nothing);
        centred_fit(full, ignored, &c, &c.exp, 3.0, theta);
        centred_fit(zero, ignored, &c, &c.exp, 3.0, nothing);
        fit_family(found, "grounded-linear", session);
        for (size_t p = 0; p < PAIRS; p++) {
            double alpha = alphas[index % 2];
            cr_assert_lt(fabs(found[p] - ((1.0 - alpha) * f_obs[p] + alpha * full[p])), EXACT);
        }
        fit_family(found, "representation-exp", session);
        for (size_t p = 0; p < PAIRS; p++) {
            cr_assert_lt(fabs(found[p] - zero[p]), EXACT);
        }
        regret_session_close(session);
        regret_folds_free(cv);
        regret_folds_free(dr);
    }
}
