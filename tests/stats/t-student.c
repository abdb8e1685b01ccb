/* Student's t against closed forms and published quantiles. */
#include <criterion/criterion.h>
#include <math.h>

#include "stats/distributions.h"

/* df 1 and 2 have closed forms. */
Test(student, closed_forms)
{
    for (double t = -60.0; t <= 60.0; t += 0.37) {
        cr_assert_float_eq(regret_student_cdf(t, 1.0), 0.5 + atan(t) / acos(-1.0), 1e-14);
        cr_assert_float_eq(regret_student_cdf(t, 2.0), 0.5 + t / (2.0 * sqrt(2.0 + t * t)), 1e-14);
    }
}

/* By numerical integration of the density, whose constant it also finds. */
Test(student, the_integral_of_its_density)
{
    static const double dfs[] = {0.7, 1.5, 3.0, 7.3, 25.0, 400.0};
    enum { STEPS = 400000 };
    for (size_t i = 0; i < sizeof dfs / sizeof *dfs; i++) {
        /* t = tan(u): the whole line on a bounded interval; the midpoint rule. */
        const double df = dfs[i], reach = acos(0.0), width = 2.0 * reach / STEPS;
        double all = 0.0, below = 0.0;
        for (size_t k = 0; k < STEPS; k++) {
            double u = -reach + ((double)k + 0.5) * width, t = tan(u);
            double density = pow(1.0 + t * t / df, -0.5 * (df + 1.0)) / (cos(u) * cos(u));
            all += density;
            below += t <= -1.3 ? density : 0.0;
        }
        cr_assert_float_eq(regret_student_cdf(-1.3, df), below / all, 1e-4, "df %g", df);
        cr_assert_float_eq(regret_student_cdf(1.3, df), 1.0 - below / all, 1e-4, "df %g", df);
    }
}

/* Quantiles that tables print. */
Test(student, published_quantiles)
{
    static const struct {
        double p, df, t;
    } known[] = {{0.975, 1, 12.706204736174},      {0.975, 2, 4.302652729749},
                 {0.975, 5, 2.570581835636},       {0.975, 10, 2.228138851986},
                 {0.95, 30, 1.697260886593},       {0.995, 120, 2.617421145106},
                 {0.975, INFINITY, 1.959963984540}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        cr_assert_float_eq(regret_student_quantile(known[i].p, known[i].df), known[i].t, 1e-10,
                           "%g of %g degrees", known[i].p, known[i].df);
    }
}

Test(student, quantile_inverts_the_distribution)
{
    for (double df = 0.3; df < 1e14; df *= 3.1) {
        double before = -INFINITY;
        for (double p = 1e-6; p < 1.0; p += 0.0431) {
            double t = regret_student_quantile(p, df);
            cr_assert_gt(t, before);
            cr_assert_float_eq(regret_student_cdf(t, df), p, 1e-12, "p %g, df %g", p, df);
            cr_assert_float_eq(regret_student_quantile(1.0 - p, df), -t, 1e-6 * (1.0 + fabs(t)));
            before = t;
        }
    }
}

Test(student, out_of_range)
{
    cr_assert(isnan(regret_student_quantile(0.0, 3.0)));
    cr_assert(isnan(regret_student_quantile(1.0, 3.0)));
    cr_assert(isnan(regret_student_quantile(NAN, 3.0)));
    cr_assert(isnan(regret_student_quantile(0.5, 0.0)));
    cr_assert(isnan(regret_student_quantile(0.9, NAN)));
    cr_assert(isnan(regret_student_cdf(NAN, 3.0)));
    cr_assert(isnan(regret_student_cdf(1.0, -1.0)));
    cr_assert_eq(regret_student_cdf(INFINITY, 3.0), 1.0);
    cr_assert_eq(regret_student_cdf(-INFINITY, 3.0), 0.0);
    cr_assert_eq(regret_student_cdf(0.0, 3.0), 0.5);
    cr_assert_eq(regret_student_quantile(0.5, 3.0), 0.0);
}
