/* Adjusted p-values by hand and by property; tests/outside/check_tables.py recomputes them. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/task.h"
#include "stats/multiplicity.h"

enum { MOST = 60 };

/* Random p-values with many small ones and ties. */
static size_t draw(double *p, uint64_t trial)
{
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, trial);
    size_t n = 1 + regret_rng_below(&rng, MOST);
    for (size_t i = 0; i < n; i++) {
        double u = regret_rng_uniform(&rng);
        p[i] = trial % 2 ? u * u * u : round(20.0 * u * u) / 20.0;
    }
    return n;
}

/* Values of the four p-values by hand: 4p, 3p, 2p, 1p. */
Test(multiplicity, by_hand)
{
    const double p[] = {0.04, 0.01, 0.03, 0.005};
    const double holm[] = {0.06, 0.03, 0.06, 0.02};
    double a[4];
    cr_assert_eq(regret_holm(a, p, 4), 0);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_float_eq(a[i], holm[i], 1e-15);
    }
}

Test(multiplicity, raw_below_adjusted_and_monotone)
{
    double p[MOST], holm[MOST];
    for (uint64_t trial = 0; trial < 200; trial++) {
        size_t n = draw(p, trial);
        cr_assert_eq(regret_holm(holm, p, n), 0);
        for (size_t i = 0; i < n; i++) {
            cr_expect(p[i] <= holm[i] + 1e-15 && holm[i] <= 1.0);
            for (size_t k = 0; k < n; k++) {
                cr_expect_not(p[i] < p[k] && holm[i] > holm[k]);
                cr_expect_not(p[i] == p[k] && holm[i] != holm[k]);
            }
        }
    }
}

Test(multiplicity, order_and_missing_numbers_do_not_matter)
{
    double p[MOST], back[2 * MOST], a[MOST], b[2 * MOST];
    for (uint64_t trial = 0; trial < 100; trial++) {
        size_t n = draw(p, trial);
        cr_assert_eq(regret_holm(a, p, n), 0);
        for (size_t i = 0; i < n; i++) {
            back[2 * i] = p[n - 1 - i];
            back[2 * i + 1] = NAN;
        }
        cr_assert_eq(regret_holm(b, back, 2 * n), 0);
        for (size_t i = 0; i < n; i++) {
            cr_expect_eq(b[2 * i], a[n - 1 - i]);
            cr_expect(isnan(b[2 * i + 1]));
        }
        memcpy(b, p, n * sizeof *p); /* in place */
        cr_assert_eq(regret_holm(b, b, n), 0);
        cr_expect_eq(memcmp(a, b, n * sizeof *a), 0);
    }
}

Test(multiplicity, degenerate)
{
    double one[] = {0.3}, none[] = {NAN, NAN}, out[2];
    const double bad[] = {0.5, 1.5}, negative[] = {-1e-9};
    cr_assert_eq(regret_holm(out, one, 0), 0);
    cr_assert_eq(regret_holm(out, one, 1), 0);
    cr_expect_eq(out[0], 0.3);
    cr_assert_eq(regret_holm(out, none, 2), 0);
    cr_expect(isnan(out[0]) && isnan(out[1]));
    out[0] = 7.0;
    cr_expect_eq(regret_holm(out, bad, 2), REGRET_E_INPUT);
    cr_expect_eq(regret_holm(out, negative, 1), REGRET_E_INPUT);
    cr_expect_eq(out[0], 7.0);
}
