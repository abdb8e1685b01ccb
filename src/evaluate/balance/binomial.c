#include "evaluate/balance/binomial.h"

#include <math.h>

/* ln P(X = k) */
static double log_density(size_t k, size_t n, double p)
{
    size_t m = k < n - k ? k : n - k;
    double sum = 0.0;
    for (size_t j = 1; j <= m; j++) {
        sum += log((double)(n - m + j) / (double)j);
    }
    return sum + (double)k * log(p) + (k < n ? (double)(n - k) * log1p(-p) : 0.0);
}

/* P(X >= k) over P(X = k), k at or above the mode: terms fall. */
static double sum_up(size_t k, size_t n, double odds)
{
    double term = 1.0, sum = 1.0;
    for (size_t j = k; j < n && term > 1e-17 * sum; j++) {
        term *= (double)(n - j) / (double)(j + 1) * odds;
        sum += term;
    }
    return sum;
}

/* P(X <= k) over P(X = k), k at or below the mode. */
static double sum_down(size_t k, size_t n, double odds)
{
    double term = 1.0, sum = 1.0;
    for (size_t j = k; j > 0 && term > 1e-17 * sum; j--) {
        term *= (double)j / ((double)(n - j + 1) * odds);
        sum += term;
    }
    return sum;
}

double binomial_two_sided(size_t k, size_t n, double p)
{
    if (p >= 1.0) {
        return k == n ? 1.0 : 0.0;
    }
    double odds = p / (1.0 - p), density = exp(log_density(k, n, p));
    double tail = (double)k >= (double)n * p ? sum_up(k, n, odds) : sum_down(k, n, odds);
    return fmin(1.0, 2.0 * density * tail);
}
