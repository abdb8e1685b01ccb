#include "base/core/chi_square.h"

#include <float.h>
#include <math.h>

/* ln Γ(a) by Stirling's series from a = 20 on; lgamma() would write to a global variable. */
static double log_gamma(double a)
{
    const double half_log_two_pi = 0.91893853320467274178;
    double below = 0.0;
    while (a < 20.0) {
        below += log(a);
        a += 1.0;
    }
    double r = 1.0 / a, r2 = r * r;
    double series =
        r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 / 1188))));
    return (a - 0.5) * log(a) - a + half_log_two_pi + series - below;
}

/* P(a, x) over its front, x^a e^−x/Γ(a); fast for x < a + 1. */
static double gamma_series(double a, double x)
{
    double term = 1.0 / a, sum = term;
    for (int n = 1; n < 10000 && fabs(term) > DBL_EPSILON * fabs(sum); n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum;
}

/* 1 − P(a, x) over the same, by Lentz's method; fast for x > a + 1. */
static double gamma_fraction(double a, double x)
{
    const double tiny = DBL_MIN / DBL_EPSILON;
    double b = x + 1.0 - a, c = 1.0 / tiny, d = 1.0 / b, f = d, change = 0.0;
    for (int n = 1; n < 10000 && fabs(change - 1.0) > DBL_EPSILON; n++) {
        double an = -n * (n - a);
        b += 2.0;
        d = an * d + b;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = b + an / c;
        c = fabs(c) < tiny ? tiny : c;
        change = c * d;
        f *= change;
    }
    return f;
}

double chi_square_cdf(double x, double df)
{
    double a = 0.5 * df, y = 0.5 * x;
    if (isnan(x) || !(df > 0.0)) {
        return NAN;
    }
    if (y <= 0.0 || isinf(y)) {
        return y <= 0.0 ? 0.0 : 1.0;
    }
    double front = exp(a * log(y) - y - log_gamma(a));
    return y < a + 1.0 ? front * gamma_series(a, y) : 1.0 - front * gamma_fraction(a, y);
}
