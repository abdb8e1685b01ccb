/* Theorem 5 and Corollary 6 of the OBS/EXP/SIM paper: with a baseline linear in the proxy, the
 * grounded correction is ridge centred at the OBS coefficient, and beats ridge centred at zero
 * exactly when that centre is the better one. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "estimate/reference_ridge.h"
#include "regret/estimate.h"
#include "regret/families.h"
#include "regret/rng.h"

enum { ROWS = 8, DIM = 3, PROBLEMS = 150 };
static const double EXACT = 1e-10;

struct sample {
    double z[ROWS * DIM]; /* row-major; the first column is one */
    double y[ROWS];
    double rho; /* of ‖θ‖², the loss being a mean */
};

static void random_sample(struct sample *s, struct regret_rng *r)
{
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < DIM; j++) {
            s->z[i * DIM + j] = j == 0 ? 1.0 : regret_rng_normal(r);
        }
        s->y[i] = regret_rng_normal(r);
    }
    s->rho = exp(2.0 * regret_rng_normal(r) - 1.0);
}

/* θ minimising mean (y − θ·z)² + ρ‖θ − centre‖²: (ZᵀZ/n + ρI) θ = Zᵀy/n + ρ centre. */
static void ridge(double *theta, const struct sample *s, const double *y, const double *centre)
{
    long double m[DIM * (DIM + 1)] = {0}, x[DIM];
    for (size_t j = 0; j < DIM; j++) {
        for (size_t i = 0; i < ROWS; i++) {
            for (size_t k = 0; k < DIM; k++) {
                m[j * (DIM + 1) + k] += (long double)s->z[i * DIM + j] * s->z[i * DIM + k] / ROWS;
            }
            m[j * (DIM + 1) + DIM] += (long double)s->z[i * DIM + j] * y[i] / ROWS;
        }
        m[j * (DIM + 1) + j] += s->rho;
        m[j * (DIM + 1) + DIM] += (long double)s->rho * centre[j];
    }
    reference_solve(x, m, DIM);
    for (size_t j = 0; j < DIM; j++) {
        theta[j] = (double)x[j];
    }
}

static const double NO_CENTRE[DIM] = {0};

/* θ of f_O − α c: c = Δ·z the plain ridge of f_O − Y, f_O = θ_O·z. */
static void grounded(double *theta, const struct sample *s, const double *obs, double alpha)
{
    double target[ROWS], delta[DIM];
    for (size_t i = 0; i < ROWS; i++) {
        target[i] = -s->y[i];
        for (size_t j = 0; j < DIM; j++) {
            target[i] += obs[j] * s->z[i * DIM + j];
        }
    }
    ridge(delta, s, target, NO_CENTRE);
    for (size_t j = 0; j < DIM; j++) {
        theta[j] = obs[j] - alpha * delta[j];
    }
}

/* Put θ = θ_O − Δ: (θ_O·z − Y) − Δ·z = −(Y − θ·z) and ‖Δ‖ = ‖θ − θ_O‖, so the correction's
 * objective in Δ is the centred ridge's in θ. With shrinkage, θ_α = θ_O − αΔ = (1 − α)θ_O + αθ_1.
 */
Test(theorem_5, grounded_is_centred_ridge)
{
    for (uint64_t p = 0; p < PROBLEMS; p++) {
        struct regret_rng r = regret_rng_at(50, REGRET_RNG_TEST, p);
        struct sample s;
        double obs[DIM], centred[DIM], full[DIM], shrunk[DIM], alpha = regret_rng_uniform(&r);
        random_sample(&s, &r);
        for (size_t j = 0; j < DIM; j++) {
            obs[j] = regret_rng_normal(&r);
        }
        ridge(centred, &s, s.y, obs);
        grounded(full, &s, obs, 1.0);
        grounded(shrunk, &s, obs, alpha);
        for (size_t j = 0; j < DIM; j++) {
            cr_assert_lt(fabs(full[j] - centred[j]), EXACT);
            cr_assert_lt(fabs(shrunk[j] - ((1.0 - alpha) * obs[j] + alpha * centred[j])), EXACT);
        }
    }
}

/* S = E[z zᵀ] of a law of z's, row-major. */
static void random_moment(double *moment, struct regret_rng *r)
{
    memset(moment, 0, DIM * DIM * sizeof *moment);
    for (size_t atom = 0; atom < 6; atom++) {
        double z[DIM] = {1.0, regret_rng_normal(r), regret_rng_normal(r)};
        for (size_t i = 0; i < DIM; i++) {
            for (size_t j = 0; j < DIM; j++) {
                moment[i * DIM + j] += z[i] * z[j] / 6.0;
            }
        }
    }
}

static double moment_norm2(const double *moment, const double *v)
{
    double sum = 0.0;
    for (size_t i = 0; i < DIM; i++) {
        for (size_t j = 0; j < DIM; j++) {
            sum += v[i] * moment[i * DIM + j] * v[j];
        }
    }
    return sum;
}

/* E‖θ̂ − θ*‖²_S over noise of random signs: all 2^ROWS of them. */
static double expected_risk(const struct sample *s, const double *truth, const double *centre,
                            double noise, const double *moment)
{
    double total = 0.0, y[ROWS], theta[DIM];
    for (size_t state = 0; state < (size_t)1 << ROWS; state++) {
        for (size_t i = 0; i < ROWS; i++) {
            y[i] = state >> i & 1 ? noise : -noise;
            for (size_t j = 0; j < DIM; j++) {
                y[i] += truth[j] * s->z[i * DIM + j];
            }
        }
        ridge(theta, s, y, centre);
        for (size_t j = 0; j < DIM; j++) {
            theta[j] -= truth[j];
        }
        total += moment_norm2(moment, theta);
    }
    return total / (double)((size_t)1 << ROWS);
}

/* ρ² ‖A⁻¹ v‖²_S, A = ZᵀZ/n + ρI: A⁻¹ρv is the ridge of zero outcomes centred at v. */
static double centre_cost(const struct sample *s, const double *v, const double *moment)
{
    const double silence[ROWS] = {0};
    double x[DIM];
    ridge(x, s, silence, v);
    return moment_norm2(moment, x);
}

/* σ² tr(A⁻¹ (ZᵀZ/n²) A⁻¹ S): the response of θ̂ to each outcome in turn. */
static double noise_cost(const struct sample *s, double noise, const double *moment)
{
    double total = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        double y[ROWS] = {0}, x[DIM];
        y[i] = noise;
        ridge(x, s, y, NO_CENTRE);
        total += moment_norm2(moment, x);
    }
    return total;
}

/* Corollary 6. With Y = θ*·z + ε, A = G + ρI and G = ZᵀZ/n,
 *   θ̂(centre) − θ* = A⁻¹(Gθ* + Zᵀε/n + ρ·centre) − θ* = A⁻¹Zᵀε/n − ρA⁻¹(θ* − centre),
 * so both estimators have the same noise and the grounded one wins exactly when
 *   ‖A⁻¹(θ* − θ_O)‖_S < ‖A⁻¹θ*‖_S. */
Test(corollary_6, the_better_centre_wins)
{
    size_t grounded_wins = 0;
    for (uint64_t p = 0; p < PROBLEMS; p++) {
        struct regret_rng r = regret_rng_at(60, REGRET_RNG_TEST, p);
        struct sample s;
        double obs[DIM], truth[DIM], gap[DIM], moment[DIM * DIM];
        double noise = 0.2 + regret_rng_uniform(&r);
        random_sample(&s, &r);
        random_moment(moment, &r);
        for (size_t j = 0; j < DIM; j++) {
            truth[j] = regret_rng_normal(&r);
            obs[j] = 0.5 * truth[j] + regret_rng_normal(&r);
            gap[j] = truth[j] - obs[j];
        }
        double at_obs = expected_risk(&s, truth, obs, noise, moment);
        double at_zero = expected_risk(&s, truth, NO_CENTRE, noise, moment);
        double spread = noise_cost(&s, noise, moment);
        double obs_cost = centre_cost(&s, gap, moment), zero_cost = centre_cost(&s, truth, moment);
        cr_assert_lt(fabs(at_obs - obs_cost - spread), EXACT * (1.0 + at_obs));
        cr_assert_lt(fabs(at_zero - zero_cost - spread), EXACT * (1.0 + at_zero));
        cr_assert_eq(at_obs < at_zero, obs_cost < zero_cost, "problem %zu", (size_t)p);
        grounded_wins += at_obs < at_zero;
    }
    cr_assert_gt(grounded_wins, PROBLEMS / 5);
    cr_assert_lt(grounded_wins, PROBLEMS - PROBLEMS / 5);
}

/* ---- The library's families ------------------------------------------------------------------ */

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
