#include <math.h>

#include "evaluate/plan/information.h"
#include "regret/quantile.h"

/* Where agents' distributions begin and end, in deviations. */
static const double FAR = 8.0;
/* Gauss and Legendre's five nodes on [−1, 1]. */
static const double NODE[] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                              0.9061798459386640};
static const double WEIGHT[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                0.4786286704993665, 0.2369268850561891};
enum { NODES = sizeof NODE / sizeof *NODE };

static double below(double x, double mean, double sd)
{
    return sd > 0.0 ? 0.5 * erfc((mean - x) / (sd * sqrt(2.0))) : (double)(x >= mean);
}

static double density(double x, double mean, double sd)
{
    if (!(sd > 0.0)) {
        return 0.0;
    }
    double z = (x - mean) / sd;
    return exp(-0.5 * z * z) / (sd * sqrt(2.0 * acos(-1.0)));
}

/* The limits of the integral and the points between them, ascending. Returns how many. */
static size_t place_points(double *points, const double *mean, const double *sd, size_t n)
{
    static const double at[INFORMATION_POINTS] = {-4.0, -2.5, -1.0, 0.0, 1.0, 2.5, 4.0};
    double low = -INFINITY, high = -INFINITY;
    size_t k = 0;
    for (size_t a = 0; a < n; a++) {
        low = fmax(low, mean[a] - FAR * sd[a]);
        high = fmax(high, mean[a] + FAR * sd[a]);
    }
    points[k++] = low;
    points[k++] = high;
    for (size_t a = 0; a < n; a++) {
        for (size_t j = 0; j < INFORMATION_POINTS; j++) {
            double x = mean[a] + at[j] * sd[a];
            points[k] = x;
            k += x > low && x < high;
        }
    }
    regret_sort_numbers(points, k);
    return k;
}

/* ∂E max/∂σ_a² = ½ ∫ f_a(x) d/dx Π_{b≠a} F_b(x) dx, by parts from Price's theorem. */
static void add_slopes(double *slope, const double *mean, const double *sd, size_t n, double x,
                       double product, double weight)
{
    double hazards = 0.0;
    for (size_t a = 0; a < n; a++) {
        hazards += density(x, mean[a], sd[a]) / below(x, mean[a], sd[a]);
    }
    for (size_t a = 0; a < n; a++) {
        double f = density(x, mean[a], sd[a]), own = below(x, mean[a], sd[a]);
        slope[a] += 0.5 * weight * f * (product / own) * (hazards - f / own);
    }
}

double information_expected_max(double *slope, double *points, const double *mean, const double *sd,
                                size_t n)
{
    size_t count = place_points(points, mean, sd, n);
    double least = (points[count - 1] - points[0]) / 4096.0, sum = points[0], from = points[0];
    for (size_t a = 0; slope != NULL && a < n; a++) {
        slope[a] = 0.0;
    }
    for (size_t k = 1; k < count; k++) {
        double half = 0.5 * (points[k] - from);
        if (2.0 * half <= least && k + 1 < count &&
            n > 64) { /* so many agents fill the range anyway */
            continue;
        }
        for (size_t j = 0; j < NODES; j++) {
            double x = from + half * (1.0 + NODE[j]), product = 1.0;
            for (size_t a = 0; a < n; a++) {
                product *= below(x, mean[a], sd[a]);
            }
            sum += half * WEIGHT[j] * (1.0 - product);
            if (slope != NULL && product > 0.0) {
                add_slopes(slope, mean, sd, n, x, product, half * WEIGHT[j]);
            }
        }
        from = points[k];
    }
    return sum;
}
