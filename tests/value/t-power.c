/* The least detectable difference against the noncentral t distribution. */
#include <criterion/criterion.h>
#include <math.h>

#include "regret/power.h"

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
