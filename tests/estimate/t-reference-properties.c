/* Properties of the reference on random problems: optimality, end points, invariances, degenerate
 * inputs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/reference.h"
#include "regret/rng.h"

enum { AGENTS = 6, CONTEXTS = 8, PAIRS = AGENTS * CONTEXTS, PHI = 5, Z = 3, OBS = 60, EXP = 30 };

/* A problem and its memory. Pairs are context-major; the last two contexts are held out. Outcomes
 * stay well inside (0,1). Rows may be doubled, hence the room for twice as many. */
struct world {
    struct reference_problem problem;
    uint32_t agent[PAIRS], obs_pair[2 * OBS], exp_pair[2 * EXP];
    uint32_t cv_fold[2 * EXP], dr_fold[2 * EXP], obs_fold[2 * OBS];
    unsigned char train[PAIRS], holdout[2 * EXP];
    double phi[PAIRS * PHI], z[PAIRS * Z], obs_y[2 * OBS], exp_y[2 * EXP];
};

static void draw_rows(struct world *w, struct regret_rng *r)
{
    const uint32_t training = PAIRS - 2 * AGENTS;
    for (size_t i = 0; i < OBS; i++) {
        uint32_t p = regret_rng_below(r, training);
        w->obs_pair[i] = p;
        w->obs_y[i] = 0.55 + 0.08 * w->phi[p * PHI] - 0.04 * w->z[p * Z] +
                      0.2 * (regret_rng_uniform(r) - 0.5);
        w->obs_fold[i] = (uint32_t)(i % 3);
    }
    for (size_t i = 0; i < EXP; i++) {
        uint32_t p = regret_rng_below(r, training);
        w->exp_pair[i] = p;
        w->exp_y[i] = 0.45 + 0.05 * w->phi[p * PHI] + 0.05 * w->z[p * Z + 1] +
                      0.2 * (regret_rng_uniform(r) - 0.5);
        w->cv_fold[i] = w->agent[p] % 3;
        w->dr_fold[i] = (uint32_t)(i % 5);
        w->holdout[i] = i % 4 == 0;
    }
}

static void draw_world(struct world *w, uint64_t index)
{
    struct regret_rng r = regret_rng_at(20, REGRET_RNG_TEST, index);
    for (size_t p = 0; p < PAIRS; p++) {
        w->agent[p] = (uint32_t)(p % AGENTS);
        w->train[p] = p < PAIRS - 2 * AGENTS;
        for (size_t j = 0; j < PHI; j++) {
            w->phi[p * PHI + j] = 2.0 * regret_rng_uniform(&r) - 1.0;
        }
        for (size_t j = 0; j < Z; j++) {
            w->z[p * Z + j] = w->phi[p * PHI + j] + regret_rng_uniform(&r) - 0.5;
        }
    }
    draw_rows(w, &r);
    w->problem = (struct reference_problem){.pairs = PAIRS,
                                            .n_agents = AGENTS,
                                            .agent = w->agent,
                                            .train = w->train,
                                            .phi_dim = PHI,
                                            .phi = w->phi,
                                            .z_dim = Z,
                                            .z = w->z,
                                            .n_obs = OBS,
                                            .n_exp = EXP,
                                            .obs_pair = w->obs_pair,
                                            .exp_pair = w->exp_pair,
                                            .obs_y = w->obs_y,
                                            .exp_y = w->exp_y,
                                            .cv_folds = 3,
                                            .cv_by_agent = 1,
                                            .cv_fold = w->cv_fold,
                                            .dr_folds = 5,
                                            .dr_fold = w->dr_fold,
                                            .obs_folds = 3,
                                            .obs_fold = w->obs_fold};
}

static struct reference_estimate fit(const char *family, const struct world *w)
{
    struct reference_estimate e;
    cr_assert_eq(reference_fit(&e, family, &w->problem), 0, "%s", family);
    return e;
}

static void drop(struct reference_estimate *e)
{
    free(e->prediction);
    free(e->cross_fit);
}

static void assert_same(const double *a, const double *b, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++) {
        cr_assert(fabs(a[i] - b[i]) < 1e-10, "%s: entry %zu is %.17g, expected %.17g", what, i,
                  a[i], b[i]);
    }
}

static int same_or_both_nan(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void assert_same_choice(const struct reference_estimate *a,
                               const struct reference_estimate *b, const char *what)
{
    cr_assert(same_or_both_nan(a->lambda, b->lambda), "%s: λ", what);
    cr_assert(same_or_both_nan(a->alpha, b->alpha), "%s: α", what);
    cr_assert(same_or_both_nan(a->rho, b->rho), "%s: ρ", what);
    cr_assert(same_or_both_nan(a->tau, b->tau), "%s: τ", what);
    cr_assert_eq(a->basis, b->basis, "%s: basis", what);
}

/* Held-out pair j is made to show θ: φ = e_j and z = 0 for j < PHI, then φ = 0 and z = e_j, then
 * φ = z = 0. */
enum { SHOW = PAIRS - 2 * AGENTS, SHOW_ZERO = SHOW + PHI + Z };

static void show_coefficients(struct world *w)
{
    memset(w->phi + SHOW * PHI, 0, (PAIRS - SHOW) * PHI * sizeof *w->phi);
    memset(w->z + SHOW * Z, 0, (PAIRS - SHOW) * Z * sizeof *w->z);
    for (size_t j = 0; j < PHI; j++) {
        w->phi[(SHOW + j) * PHI + j] = 1.0;
    }
    for (size_t j = 0; j < Z; j++) {
        w->z[(SHOW + PHI + j) * Z + j] = 1.0;
    }
}

/* The gradient of (1−λ)·mean EXP + λ·mean OBS + ρ_eff‖θ‖² vanishes at f = base + b + θ·x; x is φ,
 * or z when `proxy`. */
static void assert_stationary(const struct world *w, int proxy, const double *f, const double *base,
                              double lambda, double rho)
{
    size_t dim = proxy ? Z : PHI, first = SHOW + (proxy ? PHI : 0);
    const double *x = proxy ? w->z : w->phi;
    double rho_eff = (1.0 - lambda) * rho / EXP + lambda * rho / OBS;
    for (size_t j = 0; j <= dim; j++) {
        size_t one = first + j;
        double gradient =
            j < dim ? rho_eff * (f[one] - base[one] - f[SHOW_ZERO] + base[SHOW_ZERO]) : 0.0;
        for (size_t i = 0; i < EXP; i++) {
            size_t p = w->exp_pair[i];
            gradient +=
                (1.0 - lambda) / EXP * (j < dim ? x[p * dim + j] : 1.0) * (f[p] - w->exp_y[i]);
        }
        for (size_t i = 0; i < OBS; i++) {
            size_t p = w->obs_pair[i];
            gradient += lambda / OBS * (j < dim ? x[p * dim + j] : 1.0) * (f[p] - w->obs_y[i]);
        }
        cr_assert(fabs(gradient) < 1e-12, "λ = %g, coordinate %zu: %g", lambda, j, gradient);
    }
}

Test(reference_properties, pooled_fits_are_stationary)
{
    const double zero[PAIRS] = {0};
    int pooled_inside = 0, residual_inside = 0;
    for (uint64_t index = 0; index < 12; index++) {
        struct world w;
        draw_world(&w, index);
        show_coefficients(&w);
        struct reference_estimate obs = fit("obs-only", &w), exp = fit("exp-only", &w);
        struct reference_estimate pooled = fit("cvci", &w), proxy = fit("representation-exp", &w);
        struct reference_estimate residual = fit("cvci-residual", &w);
        assert_stationary(&w, 0, obs.prediction, zero, 1.0, 1.0);
        assert_stationary(&w, 0, exp.prediction, zero, 0.0, 1.0);
        assert_stationary(&w, 0, pooled.prediction, zero, pooled.lambda, 1.0);
        assert_stationary(&w, 1, proxy.prediction, zero, 0.0, 1.0);
        assert_stationary(&w, 1, residual.prediction, obs.prediction, residual.lambda,
                          residual.rho);
        pooled_inside += pooled.lambda > 0.0 && pooled.lambda < 1.0;
        residual_inside += residual.lambda < 1.0 && residual.rho != 1.0;
        drop(&obs), drop(&exp), drop(&pooled), drop(&proxy), drop(&residual);
    }
    cr_assert(pooled_inside > 0 && residual_inside > 0, "the choices stay at the end points");
}

/* f_O of every OBS row by `obs-only` on the rows of the other OBS folds. */
static void obs_left_out(double *f, const struct world *w)
{
    for (uint32_t fold = 0; fold < 3; fold++) {
        struct world v = *w;
        v.problem.obs_pair = v.obs_pair, v.problem.obs_y = v.obs_y, v.problem.n_obs = 0;
        for (size_t i = 0; i < OBS; i++) {
            if (w->obs_fold[i] != fold) {
                v.obs_pair[v.problem.n_obs] = w->obs_pair[i];
                v.obs_y[v.problem.n_obs++] = w->obs_y[i];
            }
        }
        struct reference_estimate e = fit("obs-only", &v);
        for (size_t i = 0; i < OBS; i++) {
            if (w->obs_fold[i] == fold) {
                f[i] = e.prediction[w->obs_pair[i]];
            }
        }
        drop(&e);
    }
}

/* Two pairs give back (s, t) from f = s f_O − t c, where c = f_O − f of `grounded`; there the
 * gradient of the anchored objective must vanish. */
Test(reference_properties, anchored_fits_are_stationary)
{
    int inner = 0;
    for (uint64_t index = 0; index < 12; index++) {
        struct world w;
        double left[OBS], c[PAIRS];
        draw_world(&w, index);
        struct reference_estimate obs = fit("obs-only", &w), grounded = fit("grounded", &w);
        struct reference_estimate e = fit("grounded-anchored", &w);
        const double *f_obs = obs.prediction;
        obs_left_out(left, &w);
        size_t p = 0, q = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            c[i] = f_obs[i] - grounded.prediction[i];
            p = c[i] < c[p] ? i : p, q = c[i] > c[q] ? i : q;
        }
        double det = f_obs[p] * -c[q] + c[p] * f_obs[q];
        double s = (e.prediction[p] * -c[q] + c[p] * e.prediction[q]) / det;
        double t = (f_obs[p] * e.prediction[q] - f_obs[q] * e.prediction[p]) / det;
        double ds = e.tau * (s - 1.0), dt = e.tau * (t - 1.0);
        for (size_t i = 0; i < EXP; i++) {
            size_t k = w.exp_pair[i];
            double error = (1.0 - e.lambda) / EXP * (w.exp_y[i] - s * f_obs[k] + t * c[k]);
            ds -= error * f_obs[k], dt += error * c[k];
        }
        for (size_t i = 0; i < OBS; i++) {
            size_t k = w.obs_pair[i];
            double error = e.lambda / OBS * (w.obs_y[i] - s * left[i] + t * c[k]);
            ds -= error * left[i], dt += error * c[k];
        }
        cr_assert_lt(fabs(ds) + fabs(dt), 1e-10, "problem %d: (%g, %g)", (int)index, ds, dt);
        inner += e.lambda > 0.0 && e.lambda < 1.0;
        drop(&obs), drop(&grounded), drop(&e);
    }
    cr_assert_gt(inner, 0, "no problem chose a λ strictly between 0 and 1");
}

/* The target is what EXP follows without noise and OBS contradicts, then the reverse. */
Test(reference_properties, lambda_end_points_are_the_two_ridges)
{
    struct world w;
    draw_world(&w, 0);
    for (int trust_obs = 0; trust_obs < 2; trust_obs++) {
        for (size_t i = 0; i < OBS; i++) {
            w.obs_y[i] = 0.5 + (trust_obs ? 0.2 : -0.2) * w.phi[w.obs_pair[i] * PHI];
        }
        for (size_t i = 0; i < EXP; i++) {
            w.exp_y[i] = 0.5 + 0.2 * w.phi[w.exp_pair[i] * PHI];
        }
        struct reference_estimate pooled = fit("cvci", &w);
        struct reference_estimate alone = fit(trust_obs ? "obs-only" : "exp-only", &w);
        cr_assert_eq(pooled.lambda, trust_obs ? 1.0 : 0.0, "λ = %g", pooled.lambda);
        assert_same(pooled.prediction, alone.prediction, PAIRS, "predictions");
        assert_same(pooled.cross_fit, alone.cross_fit, EXP, "cross-fit");
        drop(&pooled);
        drop(&alone);
    }
}

/* Rows in reverse order, with their folds. */
Test(reference_properties, row_order_does_not_matter)
{
    for (size_t f = 0, last = 0; !last; f++) { /* the last: grounded-linear by holdout */
        last = reference_family(f) == NULL;
        const char *family = last ? "grounded-linear" : reference_family(f);
        struct world w, v;
        draw_world(&w, (uint64_t)f);
        draw_world(&v, (uint64_t)f);
        for (size_t i = 0; i < OBS; i++) {
            v.obs_pair[i] = w.obs_pair[OBS - 1 - i];
            v.obs_y[i] = w.obs_y[OBS - 1 - i];
            v.obs_fold[i] = w.obs_fold[OBS - 1 - i];
        }
        for (size_t i = 0; i < EXP; i++) {
            v.exp_pair[i] = w.exp_pair[EXP - 1 - i];
            v.exp_y[i] = w.exp_y[EXP - 1 - i];
            v.cv_fold[i] = w.cv_fold[EXP - 1 - i];
            v.dr_fold[i] = w.dr_fold[EXP - 1 - i];
            v.holdout[i] = w.holdout[EXP - 1 - i];
        }
        if (last) {
            w.problem.holdout = w.holdout, v.problem.holdout = v.holdout;
        }
        struct reference_estimate a = fit(family, &w), b = fit(family, &v);
        assert_same_choice(&a, &b, family);
        assert_same(a.prediction, b.prediction, PAIRS, family);
        for (size_t i = 0; i < EXP; i++) {
            assert_same(&a.cross_fit[i], &b.cross_fit[EXP - 1 - i], 1, family);
        }
        drop(&a);
        drop(&b);
    }
}

/* Every row twice halves ρ/n; doubling ρ, here by features smaller by √2, restores it. */
Test(reference_properties, doubled_rows_with_doubled_rho)
{
    const char *families[] = {"exp-only", "obs-only", "representation-exp", "cvci",
                              "cvci-residual"};
    for (int f = 0; f < 5; f++) {
        struct world w, v;
        draw_world(&w, (uint64_t)f);
        draw_world(&v, (uint64_t)f);
        for (size_t i = 0; i < OBS; i++) {
            v.obs_pair[OBS + i] = w.obs_pair[i], v.obs_y[OBS + i] = w.obs_y[i];
            v.obs_fold[OBS + i] = w.obs_fold[i];
        }
        for (size_t i = 0; i < EXP; i++) {
            v.exp_pair[EXP + i] = w.exp_pair[i], v.exp_y[EXP + i] = w.exp_y[i];
            v.cv_fold[EXP + i] = w.cv_fold[i], v.dr_fold[EXP + i] = w.dr_fold[i];
        }
        v.problem.n_obs = 2 * OBS, v.problem.n_exp = 2 * EXP;
        struct reference_estimate a = fit(families[f], &w), b = fit(families[f], &v);
        double change = 0.0;
        for (size_t p = 0; p < PAIRS; p++) {
            change = fmax(change, fabs(a.prediction[p] - b.prediction[p]));
        }
        cr_assert_gt(change, 1e-4, "%s: doubling alone must matter", families[f]);
        drop(&b);
        for (size_t k = 0; k < PAIRS * PHI; k++) {
            v.phi[k] /= sqrt(2.0);
        }
        for (size_t k = 0; k < PAIRS * Z; k++) {
            v.z[k] /= sqrt(2.0);
        }
        b = fit(families[f], &v);
        assert_same_choice(&a, &b, families[f]);
        assert_same(a.prediction, b.prediction, PAIRS, families[f]);
        assert_same(a.cross_fit, b.cross_fit, EXP, families[f]);
        drop(&a);
        drop(&b);
    }
}

/* A DR fold's predictions are those of the problem without its rows. */
Test(reference_properties, cross_fit_is_a_refit_without_the_fold)
{
    const char *families[] = {"exp-only", "representation-exp"};
    for (int f = 0; f < 2; f++) {
        struct world w, v;
        draw_world(&w, 3);
        draw_world(&v, 3);
        v.problem.n_exp = v.problem.dr_folds = 0;
        for (size_t i = 0; i < EXP; i++) {
            if (w.dr_fold[i] != 2) {
                v.exp_pair[v.problem.n_exp] = w.exp_pair[i];
                v.exp_y[v.problem.n_exp++] = w.exp_y[i];
            }
        }
        struct reference_estimate a = fit(families[f], &w), b = fit(families[f], &v);
        for (size_t i = 0; i < EXP; i++) {
            if (w.dr_fold[i] == 2) {
                assert_same(&a.cross_fit[i], &b.prediction[w.exp_pair[i]], 1, families[f]);
            }
        }
        drop(&a);
        drop(&b);
    }
}

/* One EXP row: no folds of any kind. Ridges on EXP are its outcome, the correction its excess. */
Test(reference_properties, one_exp_row)
{
    struct world w;
    draw_world(&w, 1);
    w.problem.n_exp = 1, w.problem.cv_folds = 0, w.problem.dr_folds = 0;
    double y = w.exp_y[0];
    uint32_t row = w.exp_pair[0];
    struct reference_estimate obs = fit("obs-only", &w);
    for (size_t f = 0; reference_family(f) != NULL; f++) {
        struct reference_estimate e = fit(reference_family(f), &w);
        /* f_O never saw EXP: it alone needs no folds. */
        cr_assert(f == 1 ? e.cross_fit[0] == e.prediction[row] : isnan(e.cross_fit[0]), "%s",
                  reference_family(f));
        for (size_t p = 0; p < PAIRS; p++) {
            cr_assert(e.prediction[p] >= 0.0 && e.prediction[p] <= 1.0, "%s", reference_family(f));
            double shifted = obs.prediction[p] - obs.prediction[row] + y;
            double expected = f == 0 || f == 2             ? y
                              : f == 3                     ? shifted
                              : f == 1 || f == 4 || f == 6 ? obs.prediction[p]
                                                           : e.prediction[p];
            cr_assert(fabs(e.prediction[p] - expected) < 1e-12, "%s, pair %zu", reference_family(f),
                      p);
        }
        drop(&e);
    }
    drop(&obs);
}

Test(reference_properties, constant_outcome)
{
    struct world w;
    draw_world(&w, 2);
    for (size_t i = 0; i < OBS; i++) {
        w.obs_y[i] = 0.3;
    }
    for (size_t i = 0; i < EXP; i++) {
        w.exp_y[i] = 0.3;
    }
    for (size_t f = 0; reference_family(f) != NULL; f++) {
        struct reference_estimate e = fit(reference_family(f), &w);
        for (size_t p = 0; p < PAIRS; p++) {
            cr_assert(fabs(e.prediction[p] - 0.3) < 1e-12, "%s", reference_family(f));
        }
        cr_assert(isnan(e.lambda) || e.lambda == 1.0, "%s: a tie takes λ = 1", reference_family(f));
        cr_assert(f != 3 || (e.rho == 1e4 && e.basis == 0), "a tie takes the simplest");
        cr_assert(f != 5 || e.rho == 1e4, "a tie takes the largest ρ");
        drop(&e);
    }
}

/* A feature seen on no row has no coefficient, whatever it is on the other pairs. */
Test(reference_properties, feature_that_never_occurs)
{
    struct world w, v;
    draw_world(&w, 4);
    for (size_t p = 0; p < PAIRS; p++) {
        w.phi[p * PHI + 1] = 0.0, w.z[p * Z + 2] = 0.0;
    }
    v = w;
    v.problem.phi = v.phi, v.problem.z = v.z;
    for (size_t p = PAIRS - 2 * AGENTS; p < PAIRS; p++) {
        v.phi[p * PHI + 1] = 5.0, v.z[p * Z + 2] = 7.0;
    }
    for (size_t f = 0; reference_family(f) != NULL; f++) {
        struct reference_estimate a = fit(reference_family(f), &w),
                                  b = fit(reference_family(f), &v);
        assert_same_choice(&a, &b, reference_family(f));
        assert_same(a.prediction, b.prediction, PAIRS, reference_family(f));
        drop(&a);
        drop(&b);
    }
}
