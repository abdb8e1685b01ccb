/* The anytime interval against its formula, tuned by brute force, and looked at continuously. */
#include <criterion/criterion.h>
#include <math.h>

#include "made_log.h"
#include "regret/trial_plan.h"

static double by_formula(double n, double level, double rho2)
{
    double alpha = 1.0 - level;
    return sqrt((n * rho2 + 1.0) / (n * n * rho2) * log((n * rho2 + 1.0) / (alpha * alpha)));
}

Test(anytime, is_the_narrowest_of_its_kind_where_it_is_tuned)
{
    for (double level = 0.5; level < 0.9999; level += 0.0701) {
        for (double best = 1.0; best < 1e7; best *= 9.0) {
            double least = INFINITY, rho2 = 0.0;
            for (double log_rho = -30.0; log_rho < 10.0; log_rho += 0.001) {
                double width = by_formula(best, level, exp(log_rho));
                rho2 = width < least ? exp(log_rho) : rho2;
                least = fmin(least, width);
            }
            double ours = regret_anytime_half_width(1.0, best, level, best);
            cr_assert_leq(ours, least * (1.0 + 1e-12));
            cr_assert_float_eq(ours / least, 1.0, 1e-6);
            double later = regret_anytime_half_width(1.0, 7.0 * best, level, best);
            cr_assert_float_eq(later / by_formula(7.0 * best, level, rho2), 1.0, 1e-3);
        }
    }
}

Test(anytime, scales_and_bounds)
{
    double one = regret_anytime_half_width(1.0, 400.0, 0.95, 300.0);
    cr_assert_float_eq(regret_anytime_half_width(0.3, 400.0, 0.95, 300.0), 0.3 * one, 1e-15);
    cr_assert_float_eq(regret_anytime_half_width(1.0, 1600.0, 0.95, 1200.0), 0.5 * one, 1e-15);
    cr_assert_eq(regret_anytime_half_width(0.0, 400.0, 0.95, 300.0), 0.0);
    /* 1.55 times the fixed interval where it is best, more elsewhere. */
    double best = regret_anytime_half_width(1.0, 300.0, 0.95, 300.0) * sqrt(300.0) / 1.959964;
    cr_assert_float_eq(best, 1.549, 0.001);
    for (double n = 3.0; n < 1e5; n *= 1.7) {
        cr_assert_geq(regret_anytime_half_width(1.0, n, 0.95, 300.0) * sqrt(n) / 1.959964,
                      best - 1e-6);
    }
    cr_assert(isnan(regret_anytime_half_width(-1.0, 4.0, 0.95, 3.0)));
    cr_assert(isnan(regret_anytime_half_width(1.0, 0.0, 0.95, 3.0)));
    cr_assert(isnan(regret_anytime_half_width(1.0, 4.0, 1.0, 3.0)));
    cr_assert(isnan(regret_anytime_half_width(1.0, 4.0, 0.0, 3.0)));
    cr_assert(isnan(regret_anytime_half_width(1.0, 4.0, 0.95, 0.0)));
    cr_assert(isnan(regret_anytime_half_width(NAN, 4.0, 0.95, 3.0)));
}

/* The share of trials whose mean is inside at every single row from `first` on, the deviation being that of the rows so far;
 * and of the fixed interval of 95 %. */
static void looked_at(double *anytime, double *fixed, double mean, double variance, size_t trials)
{
    enum { FIRST = 50, LAST = 2000 };
    size_t held = 0, held_fixed = 0;
    for (size_t t = 0; t < trials; t++) {
        struct regret_rng rng = regret_rng_at(11, REGRET_RNG_TEST, t);
        double sum = 0.0, squares = 0.0;
        int inside = 1, inside_fixed = 1;
        for (size_t n = 1; n <= LAST; n++) {
            double y = variance < 0.0 ? (double)(regret_rng_uniform(&rng) < mean)
                                      : made_outcome(&rng, mean, variance);
            sum += y;
            squares += y * y;
            double m = (double)n, at = sum / m, sd = sqrt(fmax(0.0, squares / m - at * at));
            if (n >= FIRST) {
                inside &= fabs(at - mean) <= regret_anytime_half_width(sd, m, 0.95, 1000.0);
                inside_fixed &= fabs(at - mean) <= 1.96 * sd / sqrt(m);
            }
        }
        held += (size_t)inside;
        held_fixed += (size_t)inside_fixed;
    }
    *anytime = (double)held / (double)trials;
    *fixed = (double)held_fixed / (double)trials;
}

Test(anytime, holds_at_every_row_where_the_fixed_one_does_not)
{
#ifdef REGRET_FEW_REPLICATES
    enum { TRIALS = 100 };
#else
    enum { TRIALS = 600 };
#endif
    static const struct {
        double mean, variance;
    } law[] = {{0.3, -1.0}, {0.5, -1.0}, {0.6, 0.05}, {0.8, 0.02}};
    for (size_t i = 0; i < sizeof law / sizeof *law; i++) {
        double anytime, fixed;
        looked_at(&anytime, &fixed, law[i].mean, law[i].variance, TRIALS);
        cr_assert_geq(anytime, 0.94, "%zu: %g", i, anytime);
        cr_assert_lt(fixed, 0.85, "%zu: %g", i, fixed);
    }
}
