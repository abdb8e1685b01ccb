/* Looking early, and as often as one likes. */
#include <math.h>

#include "regret/trial_plan.h"

/* u = nρ² where (1 + 1/u)·(ln(1 + u) − ln α²) is least: its derivative is zero at u = ln(1 + u) − ln α². The right
 * side's slope is below 1, and from above its fixed point the steps go down to it. */
static double best_u(double alpha)
{
    const double a = -2.0 * log(alpha);
    double u = 2.0 * a + 4.0, before = INFINITY;
    while (before - u > 1e-14 * u) {
        before = u;
        u = log1p(u) + a;
    }
    return u;
}

double regret_anytime_half_width(double sd, double n, double level, double best)
{
    if (!(n > 0.0) || !(best > 0.0) || !(sd >= 0.0) || !(level > 0.0 && level < 1.0)) {
        return NAN;
    }
    double alpha = 1.0 - level, u = best_u(alpha) * (n / best);
    return sd * sqrt((1.0 + 1.0 / u) / n * (log1p(u) - 2.0 * log(alpha)));
}
