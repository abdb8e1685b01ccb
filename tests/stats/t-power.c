/* The least detectable difference against the noncentral t distribution. */
#include <criterion/criterion.h>
#include <math.h>

#include "stats/multiplicity.h"

/* The noncentrality that gives a two-sided test of size .05 the power .8, solved from SciPy's nct. */
Test(power, near_the_noncentral_t)
{
    static const struct {
        double df, exact, within;
    } known[] = {{4, 3.761059553825026, 0.012},
                 {9, 3.1496328863898526, 0.002},
                 {29, 2.8987428463248626, 0.0005},
                 {100, 2.8288472102714786, 0.0005}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double se = 0.37, detectable = regret_detectable_difference(se, known[i].df, 0.05, 0.8);
        cr_assert_float_eq(detectable / (se * known[i].exact), 1.0, known[i].within, "df %g",
                           known[i].df);
    }
    cr_assert(isnan(regret_detectable_difference(1.0, 0.0, 0.05, 0.8)));
    cr_assert(isnan(regret_detectable_difference(1.0, 9.0, 0.05, 1.0)));
    cr_assert_eq(regret_detectable_difference(0.0, 9.0, 0.05, 0.8), 0.0);
}

/* By counting upwards. */
static size_t naive_needed(double sd, double difference, size_t most)
{
    for (size_t n = 2; n <= most; n++) {
        if (regret_detectable_difference(sd / sqrt((double)n), (double)n - 1.0, 0.05, 0.8) <=
            difference) {
            return n;
        }
    }
    return 0;
}

Test(power, as_many_observations_as_counting_finds)
{
    for (size_t i = 0; i < 60; i++) {
        double sd = 0.01 * (double)(1 + i % 7), difference = 0.0017 * (double)(1 + i);
        for (size_t most = 2; most <= 1000; most = most * 3 + 1) {
            cr_assert_eq(regret_observations_needed(sd, difference, 0.05, 0.8, most),
                         naive_needed(sd, difference, most), "%g %g %zu", sd, difference, most);
        }
        /* Only the ratio counts. */
        cr_assert_eq(regret_observations_needed(sd, difference, 0.05, 0.8, 1000),
                     regret_observations_needed(8 * sd, 8 * difference, 0.05, 0.8, 1000));
    }
    cr_assert_eq(regret_observations_needed(0.0, 0.01, 0.05, 0.8, 100), 2);
    cr_assert_eq(regret_observations_needed(0.1, 0.0, 0.05, 0.8, 100), 0);
    cr_assert_eq(regret_observations_needed(0.1, -0.01, 0.05, 0.8, 100), 0);
    cr_assert_eq(regret_observations_needed(0.1, NAN, 0.05, 0.8, 100), 0);
    cr_assert_eq(regret_observations_needed(NAN, 0.01, 0.05, 0.8, 100), 0);
    cr_assert_eq(regret_observations_needed(0.1, 0.01, 0.05, 0.8, 1), 0);
}

/* sqrt(df / chi2.ppf(.2, df)) of SciPy. */
Test(power, bound_of_a_deviation)
{
    static const struct {
        double df, exact, within;
    } known[] = {{2, 2.1169364935501847, 0.005},
                 {4, 1.55757542255663, 0.004},
                 {9, 1.2933854444729525, 0.0013},
                 {29, 1.1359223549817201, 0.0003}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        cr_assert_float_eq(regret_deviation_bound(2.5, known[i].df, 0.8) / (2.5 * known[i].exact),
                           1.0, known[i].within, "df %g", known[i].df);
    }
    cr_assert(isnan(regret_deviation_bound(1.0, 0.0, 0.8)));
    cr_assert(isnan(regret_deviation_bound(NAN, 4.0, 0.8)));
}
