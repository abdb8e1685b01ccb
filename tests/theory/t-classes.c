/* Theorems 2 to 4 of the OBS/EXP/SIM paper: what a correction class can represent, when residuals
 * beat pooling, and what an oracle correction buys. All identities of L²(P_E), on random laws. */
#include <criterion/criterion.h>
#include <math.h>

#include "theory/finite_law.h"

enum { PROBLEMS = 200 };
static const double EXACT = 1e-10;
static const double ZERO[LAW_ATOMS] = {0};

static struct regret_rng problem_stream(uint64_t theorem, uint64_t i)
{
    return regret_rng_at(40 + theorem, REGRET_RNG_TEST, i);
}

static void minus(double *out, const double *a, const double *b)
{
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        out[i] = a[i] - b[i];
    }
}

static double distance2(const struct finite_law *law, const struct linear_class *c, const double *g)
{
    double nearest[LAW_ATOMS], gap[LAW_ATOMS];
    project(nearest, NULL, law, c, g);
    minus(gap, g, nearest);
    return norm2(law, gap);
}

static void assert_equal(double a, double b, const char *what, size_t i)
{
    cr_assert_lt(fabs(a - b), EXACT, "%s, problem %zu: %.17g and %.17g", what, i, a, b);
}

/* Theorem 2(a). f* = f_O − θ·z: EXP need only find θ, and least squares of f_O − Y on z over the
 * law finds exactly it; the corrected baseline then has the risk of f* itself. */
Test(theorem_2, a_linear_residual_is_recovered)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct regret_rng r = problem_stream(2, i);
        struct finite_law law = random_law(&r);
        struct linear_class z = random_class(&r, 1 + i % 5);
        double theta[LAW_MAX_DIM] = {0}, found[LAW_MAX_DIM], f_obs[LAW_ATOMS], c[LAW_ATOMS];
        double fit[LAW_ATOMS];
        for (size_t j = 0; j < z.dim; j++) {
            theta[j] = regret_rng_normal(&r);
        }
        random_function(f_obs, &r);
        linear_function(c, &z, theta);
        minus(law.target, f_obs, c);
        minus(c, f_obs, law.target);
        project(fit, found, &law, &z, c);
        for (size_t j = 0; j < z.dim; j++) {
            assert_equal(found[j], theta[j], "θ", i);
        }
        least_risk(fit, &law, &z, f_obs);
        assert_equal(risk(&law, fit), risk(&law, law.target), "R(grounded) = R(f*)", i);
    }
}

/* Theorem 2(b). Every member f_O + θ·z is as far from the z-linear class as f_O: a baseline outside
 * the class keeps the whole grounded class outside, and a target f* = f_O + θ·z leaves a pure z fit
 * the excess risk dist²(f_O, H_z) where the grounded class has none. */
Test(theorem_2, b_grounded_reaches_what_the_proxy_cannot)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct regret_rng r = problem_stream(22, i);
        struct finite_law law = random_law(&r);
        struct linear_class z = random_class(&r, 1 + i % 5);
        double theta[LAW_MAX_DIM] = {0}, f_obs[LAW_ATOMS], member[LAW_ATOMS], fit[LAW_ATOMS];
        for (size_t j = 0; j < z.dim; j++) {
            theta[j] = regret_rng_normal(&r);
        }
        random_function(f_obs, &r);
        linear_function(member, &z, theta);
        for (size_t k = 0; k < LAW_ATOMS; k++) {
            member[k] += f_obs[k];
            law.target[k] = member[k];
        }
        double distance = distance2(&law, &z, f_obs);
        cr_assert_gt(distance, 1e-3, "the baseline is not linear in z");
        assert_equal(distance2(&law, &z, member), distance, "distance of a member", i);
        least_risk(fit, &law, &z, ZERO);
        assert_equal(risk(&law, fit) - risk(&law, member), distance, "excess risk of z alone", i);
        least_risk(fit, &law, &z, f_obs);
        assert_equal(risk(&law, fit), risk(&law, member), "risk of grounded", i);
    }
}

/* Theorem 2(c). A baseline linear in z adds nothing: both classes have the same least-risk member.
 */
Test(theorem_2, c_a_linear_baseline_changes_no_class)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct regret_rng r = problem_stream(23, i);
        struct finite_law law = random_law(&r);
        struct linear_class z = random_class(&r, 1 + i % 5);
        double theta[LAW_MAX_DIM] = {0}, f_obs[LAW_ATOMS], pure[LAW_ATOMS], grounded[LAW_ATOMS];
        for (size_t j = 0; j < z.dim; j++) {
            theta[j] = regret_rng_normal(&r);
        }
        linear_function(f_obs, &z, theta);
        least_risk(pure, &law, &z, ZERO);
        least_risk(grounded, &law, &z, f_obs);
        for (size_t k = 0; k < LAW_ATOMS; k++) {
            assert_equal(pure[k], grounded[k], "least-risk member", i);
        }
    }
}

/* Theorem 3. With r = f* − f_O, pooling directly in φ leaves dist²(f*, H_φ) and the residual fit in
 * z leaves dist²(r, H_z) beyond the noise: whichever distance is smaller wins. The left sides come
 * from least squares on outcomes, the right sides from projections. Every third problem has a
 * residual linear in z, every third a target linear in φ. */
Test(theorem_3, residual_beats_direct_exactly_when_its_gap_is_smaller)
{
    size_t residual_wins = 0, direct_wins = 0;
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct regret_rng r = problem_stream(3, i);
        struct finite_law law = random_law(&r);
        struct linear_class phi = random_class(&r, 2 + i % 6), z = random_class(&r, 1 + i % 4);
        double f_obs[LAW_ATOMS], gap[LAW_ATOMS], direct[LAW_ATOMS], residual[LAW_ATOMS];
        random_function(f_obs, &r);
        if (i % 3 == 0) {
            project(gap, NULL, &law, &z, law.target);
            minus(f_obs, law.target, gap);
        } else if (i % 3 == 1) {
            project(gap, NULL, &law, &phi, law.target);
            minus(law.target, gap, ZERO);
        }
        minus(gap, law.target, f_obs);
        double noise = risk(&law, law.target);
        double to_direct = distance2(&law, &phi, law.target),
               to_residual = distance2(&law, &z, gap);
        least_risk(direct, &law, &phi, ZERO);
        least_risk(residual, &law, &z, f_obs);
        assert_equal(risk(&law, direct), noise + to_direct, "R(direct)", i);
        assert_equal(risk(&law, residual), noise + to_residual, "R(residual)", i);
        if (i % 3 == 0) { /* the theorem's "in particular": a residual linear in z never loses */
            assert_equal(to_residual, 0.0, "a linear residual", i);
            cr_assert_leq(risk(&law, residual), risk(&law, direct) + EXACT);
        }
        residual_wins += to_residual < to_direct;
        direct_wins += to_direct < to_residual;
    }
    cr_assert_gt(residual_wins, PROBLEMS / 4);
    cr_assert_gt(direct_wins, PROBLEMS / 4);
}

/* Theorem 4. With b = f_O − f* and Πb its projection on the correction class,
 *   f_α − f* = b − αΠb = (b − Πb) + (1 − α)Πb,
 * two orthogonal parts, so R(f_α) = noise + ‖b − Πb‖² + (1 − α)²‖Πb‖², while R(f_O) = noise +
 * ‖b − Πb‖² + ‖Πb‖². The difference is α(2 − α)‖Πb‖². */
Test(theorem_4, oracle_correction)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct regret_rng r = problem_stream(4, i);
        struct finite_law law = random_law(&r);
        struct linear_class z = random_class(&r, 1 + i % 5);
        double f_obs[LAW_ATOMS], b[LAW_ATOMS], pb[LAW_ATOMS], f[LAW_ATOMS];
        random_function(f_obs, &r);
        minus(b, f_obs, law.target);
        project(pb, NULL, &law, &z, b);
        double alphas[] = {0.0, 0.25, 0.5, 0.75, 1.0, 2.0, 3.0 * regret_rng_uniform(&r) - 0.5};
        for (size_t k = 0; k < sizeof alphas / sizeof *alphas; k++) {
            double alpha = alphas[k], gain = alpha * (2.0 - alpha) * norm2(&law, pb);
            for (size_t j = 0; j < LAW_ATOMS; j++) {
                f[j] = f_obs[j] - alpha * pb[j];
            }
            assert_equal(risk(&law, f), risk(&law, f_obs) - gain, "R(f_α)", i);
            if (alpha > 0.0 && alpha <= 1.0) {
                cr_assert_lt(risk(&law, f), risk(&law, f_obs), "a correction must help");
            }
        }
    }
}

/* The noisy-correction identity (10). A correction Πb + ζ with ζ in the class, E ζ = 0, gives
 *   E R(f_O − α(Πb + ζ)) = R(f_O) − α(2 − α)‖Πb‖² + α² E‖ζ‖²,
 * for ζ is orthogonal to b − Πb and uncorrelated with Πb; its least value is at α = ‖Πb‖² / (‖Πb‖²
 * + E‖ζ‖²) < 1. ζ is Θ-valued noise of random signs, whose 2^dim values are enumerated. */
Test(theorem_4, noisy_correction)
{
    for (size_t i = 0; i < PROBLEMS; i++) {
        struct regret_rng r = problem_stream(42, i);
        struct finite_law law = random_law(&r);
        struct linear_class z = random_class(&r, 1 + i % 5);
        double f_obs[LAW_ATOMS], b[LAW_ATOMS], pb[LAW_ATOMS], zeta[LAW_ATOMS], f[LAW_ATOMS];
        double size[LAW_MAX_DIM] = {0}, theta[LAW_MAX_DIM] = {0};
        random_function(f_obs, &r);
        minus(b, f_obs, law.target);
        project(pb, NULL, &law, &z, b);
        for (size_t j = 0; j < z.dim; j++) {
            size[j] = 0.3 * regret_rng_normal(&r);
        }
        size_t states = (size_t)1 << z.dim;
        double expected[5] = {0}, noise = 0.0;
        for (size_t s = 0; s < states; s++) {
            for (size_t j = 0; j < z.dim; j++) {
                theta[j] = s >> j & 1 ? size[j] : -size[j];
            }
            linear_function(zeta, &z, theta);
            noise += norm2(&law, zeta) / (double)states;
            for (size_t k = 0; k < 5; k++) {
                for (size_t j = 0; j < LAW_ATOMS; j++) {
                    f[j] = f_obs[j] - 0.25 * (double)k * (pb[j] + zeta[j]);
                }
                expected[k] += risk(&law, f) / (double)states;
            }
        }
        for (size_t k = 0; k < 5; k++) {
            double alpha = 0.25 * (double)k;
            assert_equal(expected[k],
                         risk(&law, f_obs) - alpha * (2.0 - alpha) * norm2(&law, pb) +
                             alpha * alpha * noise,
                         "E R", i);
        }
    }
}
