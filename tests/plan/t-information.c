/* Expected maxima against dense integration, closed forms and simulation; allocations against all others. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "evaluate/plan/information.h"
#include "regret/rng.h"

enum { MOST = 7, POINTS = 7 * MOST + 2, SCRATCH = 9 * MOST + 2 };

static double below(double x, double mean, double sd)
{
    return sd > 0.0 ? 0.5 * erfc((mean - x) / (sd * sqrt(2.0))) : (double)(x >= mean);
}

/* ∫ (1 − ΠF) by two hundred thousand midpoints. */
static double dense_max(const double *mean, const double *sd, size_t n)
{
    enum { STEPS = 200000 };
    double low = INFINITY, high = -INFINITY, sum = 0.0;
    for (size_t a = 0; a < n; a++) {
        low = fmin(low, mean[a] - 10.0 * sd[a]);
        high = fmax(high, mean[a] + 10.0 * sd[a]);
    }
    double h = (high - low) / STEPS;
    for (size_t i = 0; i < STEPS; i++) {
        double product = 1.0;
        for (size_t a = 0; a < n; a++) {
            product *= below(low + ((double)i + 0.5) * h, mean[a], sd[a]);
        }
        sum += h * (1.0 - product);
    }
    return low + sum;
}

static void random_agents(double *mean, double *sd, size_t n, struct regret_rng *rng)
{
    for (size_t a = 0; a < n; a++) {
        mean[a] = 0.5 + 0.1 * regret_rng_normal(rng);
        sd[a] = exp(-3.0 + 1.5 * regret_rng_normal(rng));
    }
}

Test(information, expected_maximum_is_that_of_dense_integration)
{
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 0);
    double mean[MOST], sd[MOST], points[POINTS];
    for (size_t t = 0; t < 60; t++) {
        size_t n = 1 + t % MOST;
        random_agents(mean, sd, n, &rng);
        if (t % 5 == 0) {
            sd[0] = 0.0;
        }
        double widest = 0.0, ours = information_expected_max(NULL, points, mean, sd, n);
        for (size_t a = 0; a < n; a++) {
            widest = fmax(widest, sd[a]);
        }
        double grid = t % 5 == 0 ? 2e-4 : 2e-5; /* the dense sum misses where a step is */
        cr_assert_float_eq(ours, dense_max(mean, sd, n), grid * widest + 1e-12, "%zu", t);
        /* Moves and stretches with its agents. */
        for (size_t a = 0; a < n; a++) {
            mean[a] = 3.0 + 5.0 * mean[a];
            sd[a] *= 5.0;
        }
        cr_assert_float_eq(information_expected_max(NULL, points, mean, sd, n), 3.0 + 5.0 * ours,
                           1e-12);
    }
}

/* E max of two: Clark, "The greatest of a finite set of random variables", 1961. */
Test(information, expected_maximum_of_two_is_clark_s)
{
    struct regret_rng rng = regret_rng_at(4, REGRET_RNG_TEST, 0);
    double mean[2], sd[2], points[POINTS], slope[2];
    for (size_t t = 0; t < 200; t++) {
        random_agents(mean, sd, 2, &rng);
        double s = hypot(sd[0], sd[1]), d = (mean[0] - mean[1]) / s;
        double phi = exp(-0.5 * d * d) / sqrt(2.0 * acos(-1.0));
        double exact = mean[0] * below(d, 0.0, 1.0) + mean[1] * below(-d, 0.0, 1.0) + s * phi;
        cr_assert_float_eq(information_expected_max(slope, points, mean, sd, 2), exact, 3e-6 * s);
        cr_assert_float_eq(slope[0], 0.5 * phi / s, 1e-3 / s);
        cr_assert_float_eq(slope[1], 0.5 * phi / s, 1e-3 / s);
    }
}

Test(information, slopes_are_differences)
{
    struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, 0);
    double mean[MOST], sd[MOST], points[POINTS], slope[MOST];
    for (size_t t = 0; t < 12; t++) {
        size_t n = 2 + t % (MOST - 1);
        random_agents(mean, sd, n, &rng);
        information_expected_max(slope, points, mean, sd, n);
        for (size_t a = 0; a < n; a++) {
            double was = sd[a], v = was * was, h = 1e-3 * v;
            sd[a] = sqrt(v + h);
            double above = dense_max(mean, sd, n);
            sd[a] = sqrt(v - h);
            double under = dense_max(mean, sd, n);
            sd[a] = was;
            double numeric = (above - under) / (2.0 * h);
            cr_assert_float_eq(slope[a], numeric, 2e-2 / was, "%zu %zu", t, a);
        }
    }
}

/* ---------------------------------------------------------------- regret */

struct problem {
    double mean[MOST], variance[MOST], noise[MOST], common[MOST], scratch[SCRATCH];
    struct information i;
};

static const double WHOLE = 1.0;

static void random_problem(struct problem *p, size_t n, struct regret_rng *rng)
{
    for (size_t a = 0; a < n; a++) {
        p->mean[a] = 0.5 + 0.05 * regret_rng_normal(rng);
        p->variance[a] = pow(0.02 + 0.05 * regret_rng_uniform(rng), 2.0);
        p->noise[a] = pow(0.1 + 0.4 * regret_rng_uniform(rng), 2.0);
        p->common[a] = 0.02 * regret_rng_uniform(rng);
    }
    p->i =
        (struct information){n, 1, &WHOLE, p->mean, p->variance, p->noise, p->common, p->scratch};
}

/* Truths, trials and posteriors drawn one by one. */
static double simulated_regret(double *error, const struct problem *p, const double *share,
                               double n, size_t trials)
{
    struct regret_rng rng = regret_rng_at(6, REGRET_RNG_TEST, 0);
    double sum = 0.0, squares = 0.0;
    for (size_t t = 0; t < trials; t++) {
        double best = -INFINITY, seems = -INFINITY, chosen = 0.0;
        for (size_t a = 0; a < p->i.n_agents; a++) {
            double noise = (p->noise[a] / share[a] + p->common[a]) / n;
            double truth = p->mean[a] + sqrt(p->variance[a]) * regret_rng_normal(&rng);
            double seen = truth + sqrt(noise) * regret_rng_normal(&rng);
            double posterior =
                (p->mean[a] / p->variance[a] + seen / noise) / (1.0 / p->variance[a] + 1.0 / noise);
            best = fmax(best, truth);
            chosen = posterior > seems ? truth : chosen;
            seems = fmax(seems, posterior);
        }
        sum += best - chosen;
        squares += (best - chosen) * (best - chosen);
    }
    double m = (double)trials;
    *error = sqrt((squares / m - sum * sum / m / m) / m);
    return sum / m;
}

Test(information, regret_is_that_of_simulated_trials)
{
    struct regret_rng rng = regret_rng_at(7, REGRET_RNG_TEST, 0);
    static const double rows[] = {20.0, 200.0, 2000.0};
    for (size_t t = 0; t < 9; t++) {
        struct problem p;
        double share[MOST], all = 0.0, error;
        size_t n = 2 + t % (MOST - 1);
        random_problem(&p, n, &rng);
        for (size_t a = 0; a < n; a++) {
            all += share[a] = 0.2 + regret_rng_uniform(&rng);
        }
        for (size_t a = 0; a < n; a++) {
            share[a] /= all;
        }
        double ours = information_regret(&p.i, share, rows[t % 3]);
        double seen = simulated_regret(&error, &p, share, rows[t % 3], 20000);
        cr_assert_float_eq(ours, seen, 4.0 * error, "%zu: %g, simulated %g +- %g", t, ours, seen,
                           error);
        cr_assert_leq(ours, information_regret_now(&p.i));
        cr_assert_leq(information_regret(&p.i, share, 1e9), 1e-4);
        cr_assert_float_eq(information_regret(&p.i, share, 1e-9), information_regret_now(&p.i),
                           1e-6);
    }
}

Test(information, allocation_is_not_beaten)
{
    struct regret_rng rng = regret_rng_at(8, REGRET_RNG_TEST, 0);
    for (size_t t = 0; t < 20; t++) {
        struct problem p;
        double share[MOST], other[MOST], uniform[MOST], next[MOST], slope[MOST], sum = 0.0;
        size_t n = 2 + t % (MOST - 1);
        random_problem(&p, n, &rng);
        for (size_t a = 0; a < n; a++) {
            share[a] = uniform[a] = 1.0 / (double)n;
        }
        double rows = 50.0 * pow(4.0, (double)(t % 4)),
               best = information_regret(&p.i, uniform, rows);
        information_allocate(share, &p.i, uniform, rows, 0, next, slope);
        double ours = information_regret(&p.i, share, rows);
        cr_assert_leq(ours, best + 1e-12, "uniform was better");
        for (size_t a = 0; a < n; a++) {
            cr_assert_geq(share[a], 0.1 * uniform[a] - 1e-12);
            sum += share[a];
        }
        cr_assert_float_eq(sum, 1.0, 1e-9);
        for (size_t k = 0; k < 400; k++) { /* any other, as far from nothing */
            double all = 0.0;
            for (size_t a = 0; a < n; a++) {
                all += other[a] = -log(regret_rng_uniform(&rng));
            }
            for (size_t a = 0; a < n; a++) {
                other[a] = 0.9 * other[a] / all + 0.1 * uniform[a];
            }
            cr_assert_geq(information_regret(&p.i, other, rows), ours * 0.995 - 1e-7, "%zu", t);
        }
    }
}

Test(information, groups_keep_their_rows_and_add_up)
{
    enum { AGENTS = 3, GROUPS = 2, CELLS = 6 };
    const double part[] = {0.3, 0.7};
    const double mean[] = {0.5, 0.52, 0.4, 0.6, 0.5, 0.59},
                 variance[] = {.001, .002, .001, .003, .001, .002};
    const double noise[] = {.2, .1, .2, .1, .2, .05}, nothing[CELLS] = {0};
    double scratch[SCRATCH], share[CELLS], uniform[CELLS], next[CELLS], slope[CELLS], sum = 0.0;
    const struct information both = {AGENTS, GROUPS, part, mean, variance, noise, nothing, scratch};
    for (size_t k = 0; k < CELLS; k++) {
        share[k] = uniform[k] = part[k / AGENTS] / AGENTS;
    }
    double regret = information_regret(&both, uniform, 500.0), apart = 0.0;
    for (size_t g = 0; g < GROUPS; g++) {
        const struct information one = {
            AGENTS, 1, &WHOLE, mean + 3 * g, variance + 3 * g, noise + 3 * g, nothing, scratch};
        apart += part[g] * information_regret(&one, uniform + 3 * g, 500.0);
    }
    cr_assert_float_eq(regret, apart, 1e-12);
    information_allocate(share, &both, uniform, 500.0, 1, next, slope);
    for (size_t a = 0; a < AGENTS; a++) {
        sum += share[a];
    }
    cr_assert_float_eq(sum, part[0], 1e-12);
    cr_assert_leq(information_regret(&both, share, 500.0), regret);
}

/* ---------------------------------------------------------------- the prior */

Test(information, prior_finds_how_much_agents_differ)
{
    enum { AGENTS = 200 };
    static const double planted[] = {0.02, 0.05, 0.15};
    double mean[AGENTS], se2[AGENTS];
    for (size_t t = 0; t < 3; t++) {
        struct regret_rng rng = regret_rng_at(9, REGRET_RNG_TEST, t);
        for (size_t a = 0; a < AGENTS; a++) {
            se2[a] = a % 10 == 0 ? INFINITY : pow(0.01 + 0.03 * regret_rng_uniform(&rng), 2.0);
            mean[a] = isfinite(se2[a]) ? 0.4 + planted[t] * regret_rng_normal(&rng) +
                                             sqrt(se2[a]) * regret_rng_normal(&rng)
                                       : NAN;
        }
        struct information_prior p = information_fit(mean, se2, AGENTS);
        cr_assert_float_eq(p.deviation / planted[t], 1.0, 0.25);
        cr_assert_float_eq(p.centre, 0.4, 4.0 * (planted[t] + 0.03) / sqrt(AGENTS));
    }
    se2[0] = INFINITY;
    struct information_prior none = information_fit(mean, se2, 1);
    cr_assert_eq(none.centre, 0.5);
    cr_assert(none.deviation > 0.0 && none.deviation <= 0.5);
}
