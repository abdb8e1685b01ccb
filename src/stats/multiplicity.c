#include "stats/multiplicity.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

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

struct place {
    double p;
    size_t at;
};

static int ascending(const void *a, const void *b)
{
    double x = ((const struct place *)a)->p, y = ((const struct place *)b)->p;
    return (x > y) - (x < y);
}

int regret_holm(double *adjusted, const double *p, size_t n)
{
    FREED struct place *places = NULL;
    size_t m = 0;
    double highest = 0.0;
    TRY(REGRET_NEW(&places, n));
    for (size_t i = 0; i < n; i++) {
        if (p[i] < 0.0 || p[i] > 1.0) {
            return regret_fail(REGRET_E_INPUT, "p-value %zu is %g, not in [0, 1]", i, p[i]);
        }
        if (!isnan(p[i])) {
            places[m++] = (struct place){p[i], i};
        }
    }
    if (m > 0) {
        qsort(places, m, sizeof *places, ascending);
    }
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
    }
    for (size_t i = 0; i < m; i++) {
        highest = fmax(highest, fmin(1.0, (double)(m - i) * places[i].p));
        adjusted[places[i].at] = highest;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- draws of a covariance */

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

/* ---------------------------------------------------------------- multipliers of clusters */

struct multiplying {
    const double *influence, *length; /* [n × n_clusters], [n] √Σ ψ² */
    size_t n, n_clusters;
    uint64_t seed;
    double *largest;    /* [resamples] */
    double *multiplier; /* [threads × n_clusters] */
};

static int multiply(void *self, size_t b, size_t worker)
{
    const struct multiplying *d = self;
    struct regret_rng rng = regret_rng_at(d->seed, REGRET_RNG_BOOTSTRAP, b);
    double *g = d->multiplier + worker * d->n_clusters, largest = 0.0;
    for (size_t c = 0; c < d->n_clusters; c++) {
        g[c] = regret_rng_normal(&rng);
    }
    for (size_t a = 0; a < d->n; a++) {
        double sum = 0.0;
        for (size_t c = 0; c < d->n_clusters && d->length[a] > 0.0; c++) {
            sum += g[c] * d->influence[a * d->n_clusters + c];
        }
        largest = d->length[a] > 0.0 ? fmax(largest, fabs(sum) / d->length[a]) : largest;
    }
    d->largest[b] = largest;
    return REGRET_OK;
}

static size_t measure(double *length, const double *influence, size_t n, size_t n_clusters)
{
    size_t counted = 0;
    for (size_t a = 0; a < n; a++) {
        double squares = 0.0;
        for (size_t c = 0; c < n_clusters; c++) {
            squares += influence[a * n_clusters + c] * influence[a * n_clusters + c];
        }
        length[a] = sqrt(squares);
        counted += length[a] > 0.0;
    }
    return counted;
}

/* Of many clusters what they add is added up by groups, dealt out in turn [C]: sums of independent clusters are independent, too. */
static int group(double **out, const double *influence, size_t n, size_t n_clusters, size_t groups)
{
    TRY(REGRET_NEW(out, n * groups));
    for (size_t a = 0; a < n; a++) {
        for (size_t c = 0; c < n_clusters; c++) {
            (*out)[a * groups + c % groups] += influence[a * n_clusters + c];
        }
    }
    return REGRET_OK;
}

int simultaneous_level(double *each, double *critical, const double *influence, size_t n,
                       size_t n_clusters, double level, size_t resamples, uint64_t seed,
                       size_t threads)
{
    enum { MOST_CLUSTERS = 20000 };
    FREED double *length = NULL, *largest = NULL, *multiplier = NULL, *grouped = NULL;
    if (n_clusters > MOST_CLUSTERS) {
        TRY(group(&grouped, influence, n, n_clusters, MOST_CLUSTERS));
        influence = grouped;
        n_clusters = MOST_CLUSTERS;
    }
    *each = level;
    *critical = NAN;
    TRY(REGRET_NEW(&length, n));
    TRY(REGRET_NEW(&largest, resamples));
    TRY(REGRET_NEW(&multiplier, threads * n_clusters));
    if (measure(length, influence, n, n_clusters) > 0) {
        struct multiplying d = {influence, length, n, n_clusters, seed, largest, multiplier};
        TRY(regret_parallel_for(resamples, threads, multiply, &d));
        regret_sort_numbers(largest, resamples);
        *critical = regret_quantile(largest, resamples, level);
        *each = fmax(level, erf(*critical / sqrt(2.0)));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- power */

double regret_detectable_difference(double se, double df, double size, double power)
{
    return (regret_student_quantile(1.0 - 0.5 * size, df) + regret_student_quantile(power, df)) *
           se;
}

size_t least_enough(enough *is_enough, const void *context, size_t most)
{
    size_t low = 1, high = 2; /* low is too few */
    while (high < most && !is_enough(context, high)) {
        low = high;
        high = high < most / 2 ? 2 * high : most;
    }
    if (high > most || !is_enough(context, high)) {
        return 0;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (is_enough(context, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

struct wanted {
    double sd, difference, size, power;
};

static int sees(const void *context, size_t n)
{
    const struct wanted *w = context;
    double se = w->sd / sqrt((double)n);
    return regret_detectable_difference(se, (double)(n - 1), w->size, w->power) <= w->difference;
}

size_t regret_observations_needed(double sd, double difference, double size, double power,
                                  size_t most)
{
    const struct wanted w = {sd, difference, size, power};
    return difference > 0.0 ? least_enough(sees, &w, most) : 0;
}

double regret_deviation_bound(double sd, double df, double confidence)
{
    if (!(df >= 1.0)) {
        return NAN;
    }
    double z = regret_student_quantile(1.0 - confidence, INFINITY);
    double root = 1.0 - 2.0 / (9.0 * df) + z * sqrt(2.0 / (9.0 * df));
    return sd / sqrt(root * root * root);
}
