#include "stats/distributions.h"

#include <float.h>
#include <math.h>

/* ---------------------------------------------------------------- beta */

/* The continued fraction of the incomplete beta function, by Lentz's method; converges fast for
 * x < (a + 1)/(a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    enum { STEPS = 10000 };
    const double tiny = DBL_MIN / DBL_EPSILON;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double f = d;
    for (int m = 1; m <= STEPS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double step[] = {even, odd};
        double change = 1.0;
        for (int i = 0; i < 2; i++) {
            d = 1.0 + step[i] * d;
            c = 1.0 + step[i] / c;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            change = c * d;
            f *= change;
        }
        if (fabs(change - 1.0) < DBL_EPSILON) {
            break;
        }
    }
    return f;
}

/* ln Γ(a) less Stirling's formula. */
static double stirling_rest(double a)
{
    double below = 0.0;
    while (a < 20.0) {
        below += (a + 0.5) * (log1p(a) - log(a)) - 1.0;
        a += 1.0;
    }
    double r = 1.0 / a, r2 = r * r;
    return below + r * (1.0 / 12 + r2 * (-1.0 / 360 + r2 * (1.0 / 1260 - r2 / 1680)));
}

/* ln of x^a y^b/B(a, b), for which x and y are held against the mean: of large a and b neither power has digits left. */
static double log_front(double a, double b, double x, double y)
{
    const double half_log_2_pi = 0.91893853320467274178;
    double n = a + b;
    return a * log(x / (a / n)) + b * log(y / (b / n)) - half_log_2_pi +
           0.5 * (log(a) + log(b / n)) - stirling_rest(a) - stirling_rest(b) + stirling_rest(n);
}

/* I_x(a, b), and x^a y^b/B(a, b). */
static double cdf_with_front(double *front, double a, double b, double x, double y)
{
    *front = exp(log_front(a, b, x, y));
    return x < (a + 1.0) / (a + b + 2.0) ? *front * beta_fraction(a, b, x) / a
                                         : 1.0 - *front * beta_fraction(b, a, y) / b;
}

double beta_cdf(double a, double b, double x, double y)
{
    double front;
    return x <= 0.0 ? 0.0 : y <= 0.0 ? 1.0 : cdf_with_front(&front, a, b, x, y);
}

/* The x with I_x(a, b) = p of those up to 1/2: Newton's steps of ln I in ln x, halving the bracket where one leads out of it. */
static double lower_half(double a, double b, double p)
{
    const double enough = 1e-13;
    double low = log(DBL_MIN), high = log(0.5), u = log(a / (a + b)), step = 1.0;
    u = u > low && u < high ? u : 0.5 * (low + high);
    for (int i = 0; i < 200 && high - low > enough && fabs(step) > enough; i++) {
        double front, y = -expm1(u), f = cdf_with_front(&front, a, b, exp(u), y);
        if (f < p) {
            low = u;
        } else {
            high = u;
        }
        double next = u - log(f / p) * f * y / front; /* NaN where f is 0 */
        next = next > low && next < high ? next : 0.5 * (low + high);
        step = next - u;
        u = next;
    }
    return exp(u);
}

double beta_quantile(double a, double b, double p)
{
    const double many = 1e6, least = 1e-300;
    if (a < least || b < least) {
        return a < least ? 0.0 : 1.0;
    }
    if (fmin(a, b) > many) {
        double m = a / (a + b), z = regret_student_quantile(p, INFINITY);
        double sd = sqrt(m * (b / (a + b)) / (a + b + 1.0));
        double x = m + sd * (z + (z * z - 1.0) * (b - a) / (3.0 * sqrt(a * b * (a + b))));
        return fmin(fmax(x, 0.0), 1.0);
    }
    return beta_cdf(a, b, 0.5, 0.5) >= p ? lower_half(a, b, p) : 1.0 - lower_half(b, a, 1.0 - p);
}

/* ---------------------------------------------------------------- Student's t */

/* ln Γ(a + 1/2) − ln Γ(a), by its asymptotic series from a = 20 on. lgamma() would write to a global
 * variable. */
static double log_gamma_step(double a)
{
    double below = 0.0;
    while (a < 20.0) {
        below += log1p(0.5 / a);
        a += 1.0;
    }
    double r = 1.0 / a, r2 = r * r;
    double series = r * (-1.0 / 8 + r2 * (1.0 / 192 + r2 * (-1.0 / 640 + r2 * 17.0 / 14336)));
    return 0.5 * log(a) + series - below;
}

/* I_x(a, 1/2); y = 1 − x, given apart so that neither loses digits. */
static double beta_ratio(double a, double x, double y)
{
    const double b = 0.5, log_pi = 1.1447298858494001741;
    if (x <= 0.0 || y <= 0.0) {
        return x <= 0.0 ? 0.0 : 1.0;
    }
    double front =
        exp(log_gamma_step(a) - 0.5 * log_pi + a * (y < 0.5 ? log1p(-y) : log(x)) + b * log(y));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                         : 1.0 - front * beta_fraction(b, a, y) / b;
}

/* Fisher's expansion in 1/df, where the continued fraction needs √df steps. */
static double nearly_normal_cdf(double t, double df)
{
    double t2 = t * t, density = exp(-0.5 * t2) / sqrt(2.0 * acos(-1.0));
    double first = t * (t2 + 1.0) / 4.0;
    double second = t * (((3.0 * t2 - 7.0) * t2 - 5.0) * t2 - 3.0) / 96.0;
    double correction = density > 0.0 ? density * (first / df + second / (df * df)) : 0.0;
    return 0.5 * erfc(-t / sqrt(2.0)) - correction;
}

double regret_student_cdf(double t, double df)
{
    if (isnan(t) || !(df > 0.0)) {
        return NAN;
    }
    if (df > 1e6) {
        return nearly_normal_cdf(t, df);
    }
    double square = t * t;
    double x = isinf(square) ? 0.0 : df / (df + square);
    double tail = 0.5 * beta_ratio(0.5 * df, x, isinf(square) ? 1.0 : square / (df + square));
    return t > 0.0 ? 1.0 - tail : tail;
}

/* The derivative of the distribution; of the normal where that is told from it by rounding alone. */
static double density(double t, double df)
{
    const double log_pi = 1.1447298858494001741;
    return df > 1e6 ? exp(-0.5 * (t * t + log_pi + log(2.0)))
                    : exp(log_gamma_step(0.5 * df) - 0.5 * (log_pi + log(df)) -
                          0.5 * (df + 1.0) * log1p(t * t / df));
}

/* The quantile in (low, high] by Newton's steps, halving the bracket where one leads out of it. */
static double search_quantile(double p, double df, double low, double high)
{
    const double enough = 1e-9; /* a step so small, relatively, leaves an error of its square */
    double t = 0.5 * (low + high), before = high;
    while (t > low && t < high && fabs(t - before) > enough * fabs(t)) {
        double above = regret_student_cdf(t, df) - p;
        if (above < 0.0) {
            low = t;
        } else {
            high = t;
        }
        before = t;
        t -= above / density(t, df);
        t = t >= low && t <= high ? t : low + 0.5 * (high - low);
    }
    return t;
}

double regret_student_quantile(double p, double df)
{
    if (!(p > 0.0 && p < 1.0) || !(df > 0.0)) {
        return NAN;
    }
    if (p >= 0.5) {
        return p == 0.5 ? 0.0 : -regret_student_quantile(1.0 - p, df);
    }
    double low = -1.0, high = 0.0;
    while (regret_student_cdf(low, df) > p && low > -DBL_MAX) {
        high = low;
        low *= 2.0;
    }
    return search_quantile(p, df, low, high);
}

/* ---------------------------------------------------------------- others */

double binomial_two_sided(size_t k, size_t n, double p)
{
    double of_k = (double)k, rest = (double)(n - k);
    if (p >= 1.0) {
        return k == n ? 1.0 : 0.0;
    }
    double tail = of_k >= (double)n * p ? k > 0 ? beta_cdf(of_k, rest + 1.0, p, 1.0 - p) : 1.0
                                        : beta_cdf(rest, of_k + 1.0, 1.0 - p, p);
    return fmin(1.0, 2.0 * tail);
}

double mean_above_zero(double m, double s)
{
    const double far = 8.0;
    double z = s > 0.0 ? m / s : INFINITY;
    if (z > far) {
        return m;
    }
    if (z < -far) {
        return -s / z; /* Mills' ratio, but for a relative 3/z² */
    }
    double density = exp(-0.5 * z * z) / sqrt(2.0 * acos(-1.0));
    return m + s * density / (0.5 * erfc(-z / sqrt(2.0)));
}
