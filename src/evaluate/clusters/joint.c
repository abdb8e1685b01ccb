#include "evaluate/clusters/joint.h"

#include <math.h>
#include <stdint.h>

#include "base/core/chi_square.h"
#include "base/core/sorted.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "regret/rng.h"
#include "regret/student.h"

enum { FEW = 10 /* draws beyond, below which they say little */ };

double normal_two_sided(double z)
{
    return erfc(fabs(z) / sqrt(2.0));
}

double normal_of_two_sided(double p)
{
    return p >= 1.0 ? 0.0 : p <= 0.0 ? INFINITY : -regret_student_quantile(0.5 * p, INFINITY);
}

double normal_of_student(double t, double df)
{
    if (isnan(t) || !(df > 0.0)) {
        return NAN;
    }
    double p = 2.0 * regret_student_cdf(-fabs(t), df);
    double z =
        p > 1e-300 ? normal_of_two_sided(fmin(p, 1.0)) : 37.0; /* where p leaves the numbers */
    return t < 0.0 ? -z : z;
}

/* Šidák's 1 − (1 − p)^n, without loss where p is small. */
static double sidak(double p, size_t n)
{
    return -expm1((double)n * log1p(-p));
}

/* The statistics that there are, and the factor L of their correlations. */
struct present {
    size_t *at; /* [m] */
    size_t m;
    double *factor; /* [m × m], row by row; NULL without a covariance */
};

FREED_FIELDS(present, of->at, of->factor)

static double correlation(const struct joint *j, size_t a, size_t b)
{
    size_t low = a < b ? a : b, high = a < b ? b : a;
    double v = j->covariance[a * j->n + a] * j->covariance[b * j->n + b];
    return a == b ? 1.0 : v > 0.0 ? j->covariance[low * j->n + high] / sqrt(v) : 0.0;
}

/* L Lᵀ = R, row by row; a row that earlier ones determine gets no part of its own. */
static void factorise(struct present *p, const struct joint *j)
{
    for (size_t a = 0; a < p->m; a++) {
        double *row = p->factor + a * p->m, rest = 1.0;
        for (size_t b = 0; b < a; b++) {
            const double *other = p->factor + b * p->m;
            double dot = correlation(j, p->at[a], p->at[b]);
            for (size_t k = 0; k < b; k++) {
                dot -= row[k] * other[k];
            }
            row[b] = other[b] > 0.0 ? dot / other[b] : 0.0;
            rest -= row[b] * row[b];
        }
        row[a] = rest > 1e-10 ? sqrt(rest) : 0.0;
    }
}

/* Draw b: its largest |z| and Σ z². */
static void draw(double *largest, double *squares, const struct present *p, double *normal,
                 struct regret_rng *r)
{
    *largest = *squares = 0.0;
    for (size_t k = 0; k < p->m; k++) {
        normal[k] = regret_rng_normal(r);
    }
    for (size_t a = 0; a < p->m; a++) {
        const double *row = p->factor + a * p->m;
        double z = 0.0;
        for (size_t k = 0; k <= a; k++) {
            z += row[k] * normal[k];
        }
        *largest = fmax(*largest, fabs(z));
        *squares += z * z;
    }
}

/* tr R² of what is there. */
static double squared_correlations(const struct joint *j, const struct present *p)
{
    double sum = 0.0;
    for (size_t a = 0; a < p->m; a++) {
        for (size_t b = 0; b < p->m; b++) {
            double r = correlation(j, p->at[a], p->at[b]);
            sum += r * r;
        }
    }
    return sum;
}

/* The share of sorted numbers that are not below x, the drawn among the possible ones. */
static double tail(const double *sorted, size_t n, double x, size_t *beyond)
{
    size_t low = sorted_below(sorted, n, x);
    *beyond = n - low;
    return (double)(1 + n - low) / (double)(n + 1);
}

/* Of the largest: the draws' probability, or Šidák's where they are too few to say. */
static double tail_of_largest(const double *sorted, size_t draws, double z, size_t m)
{
    double bound = sidak(normal_two_sided(z), m);
    size_t beyond = 0;
    double drawn = sorted ? tail(sorted, draws, fabs(z), &beyond) : 1.0;
    return beyond < FEW ? fmin(bound, drawn) : drawn;
}

static double tail_of_squares(const struct joint *j, const struct present *p, const double *sorted)
{
    double sum = 0.0, r2 = squared_correlations(j, p), m = (double)p->m;
    size_t beyond;
    for (size_t k = 0; k < p->m; k++) {
        sum += j->z[p->at[k]] * j->z[p->at[k]];
    }
    double drawn = tail(sorted, j->draws, sum, &beyond);
    double approximate = 1.0 - chi_square_cdf(sum * m / r2, m * m / r2);
    return beyond < FEW ? fmin(fmax(approximate, 0.0), drawn) : drawn;
}

static void answer(struct joint_answer *out, double *adjusted, const struct joint *j,
                   const struct present *p, double *largest, double *squares)
{
    double top = -1.0;
    if (largest) {
        regret_sort_numbers(largest, j->draws);
        regret_sort_numbers(squares, j->draws);
    }
    for (size_t k = 0; k < p->m; k++) {
        double z = fabs(j->z[p->at[k]]);
        if (z > top) {
            top = z;
            out->largest = p->at[k];
        }
        if (adjusted) {
            adjusted[p->at[k]] = tail_of_largest(largest, j->draws, z, p->m);
        }
    }
    out->critical = normal_of_two_sided(-expm1(log(j->level) / (double)p->m));
    out->p = tail_of_largest(largest, j->draws, top, p->m);
    if (largest) {
        out->critical = regret_quantile(largest, j->draws, j->level);
        out->p = fmin(1.0, 2.0 * fmin(out->p, tail_of_squares(j, p, squares)));
    }
}

int joint_test(struct joint_answer *out, double *adjusted, const struct joint *j)
{
    FREED_BY(present_fields) struct present p = {0};
    FREED double *largest = NULL, *squares = NULL, *normal = NULL;
    struct regret_rng r = regret_rng_at(j->seed, REGRET_RNG_DIAGNOSE, j->stream);
    struct joint_answer found = {NAN, NAN, j->n};
    TRY(REGRET_NEW(&p.at, j->n));
    for (size_t k = 0; k < j->n; k++) {
        if (adjusted) {
            adjusted[k] = NAN;
        }
        if (!isnan(j->z[k])) {
            p.at[p.m++] = k;
        }
    }
    if (j->covariance && p.m > 1) {
        TRY(REGRET_NEW(&p.factor, p.m * p.m));
        TRY(REGRET_NEW(&normal, p.m));
        TRY(REGRET_NEW(&largest, j->draws));
        TRY(REGRET_NEW(&squares, j->draws));
        factorise(&p, j);
        for (size_t b = 0; b < j->draws; b++) {
            draw(&largest[b], &squares[b], &p, normal, &r);
        }
    }
    if (p.m > 0) {
        answer(&found, adjusted, j, &p, largest, squares);
    }
    *out = found;
    return REGRET_OK;
}
