#include "rate/estimate/summation.h"

#include <math.h>

#include "regret/student.h"

enum { BLOCK = 128 };

/* Eight running sums, so that the additions need not wait for one another. */
static double short_sum(const double *x, size_t n)
{
    double s[8] = {0.0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            s[k] += x[i + (size_t)k];
        }
    }
    for (; i < n; i++) {
        s[i % 8] += x[i];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

/* Pairwise summation: the error grows with log n instead of n (Higham 1993,
 * doi:10.1137/0914050). */
static double sum_of(const double *x, size_t n)
{
    if (n <= BLOCK) {
        return short_sum(x, n);
    }
    size_t half = n / 2 / BLOCK * BLOCK;
    half = half == 0 ? BLOCK : half;
    return sum_of(x, half) + sum_of(x + half, n - half);
}

double mean_of(const double *x, size_t n)
{
    return n == 0 ? (double)NAN : sum_of(x, n) / (double)n;
}

static double short_squares(const double *x, size_t n, double mean)
{
    double s[8] = {0.0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            double e = x[i + (size_t)k] - mean;
            s[k] += e * e;
        }
    }
    for (; i < n; i++) {
        s[i % 8] += (x[i] - mean) * (x[i] - mean);
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

static double squares_about(const double *x, size_t n, double mean)
{
    if (n <= BLOCK) {
        return short_squares(x, n, mean);
    }
    size_t half = n / 2 / BLOCK * BLOCK;
    half = half == 0 ? BLOCK : half;
    return squares_about(x, half, mean) + squares_about(x + half, n - half, mean);
}

double variance_of(const double *x, size_t n)
{
    return n < 2 ? (double)NAN : squares_about(x, n, mean_of(x, n)) / (double)(n - 1);
}

double dot_of(const double *x, const double *y, size_t n)
{
    double s[8] = {0.0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int k = 0; k < 8; k++) {
            s[k] += x[i + (size_t)k] * y[i + (size_t)k];
        }
    }
    for (; i < n; i++) {
        s[i % 8] += x[i] * y[i];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

double p_of_zero(double estimate, double se, double df)
{
    return se > 0.0 ? 2.0 * regret_student_cdf(-fabs(estimate) / se, df)
                    : (double)(estimate == 0.0);
}
