#include "stats/limits.h"

#include <math.h>
#include <stddef.h>

#include "stats/distributions.h"

static double square(double x)
{
    return x * x;
}

struct tails tails_of(double level)
{
    return (struct tails){0.5 * (1.0 - level), 0.5 * (1.0 - level)};
}

/* ---------------------------------------------------------------- what is known of a mean */

struct bounded bounded_moments(double mean, double sd, double n)
{
    return (struct bounded){mean, n > 1.0 ? square(sd) / n : 0.0, n, n - 1.0, 0.0};
}

double clusters_worth(double rows, double squares)
{
    const double correlation = 0.3; /* [C] */
    return rows / (1.0 + (squares / rows - 1.0) * correlation);
}

struct bounded bounded_clusters(const double *sum, const double *rows, size_t n)
{
    double all = 0.0, squares = 0.0, total = 0.0, by_cluster = 0.0;
    for (size_t c = 0; c < n; c++) {
        total += sum[c];
        all += rows[c];
        squares += square(rows[c]);
    }
    double mean = total / all;
    for (size_t c = 0; c < n; c++) {
        by_cluster += square((sum[c] - mean * rows[c]) / all);
    }
    double scale = n > 1 ? (double)n / (double)(n - 1) : 0.0;
    return (struct bounded){mean, scale * by_cluster, clusters_worth(all, squares),
                            fmax(1.0, all * all / squares - 1.0), 0.0};
}

struct bounded bounded_weighted(double value, double variance, const struct own_rows *own)
{
    int alike = !(own->variance > 0.0) && !isnan(variance);
    return (struct bounded){fmin(fmax(alike ? own->mean : value, 0.0), 1.0), alike ? 0.0 : variance,
                            fmax(2.0, own->worth), fmax(1.0, own->clusters - 1.0), own->lean};
}

/* ---------------------------------------------------------------- limits of a mean */

/* By the inverse of Hall's transformation (JRSS B 54, 1992). */
double long_reach(double error, double t, double r)
{
    return error * (fabs(r) < 1e-9 ? t : 3.0 / r * (1.0 - cbrt(1.0 - r * (t + r / 6.0))));
}

/* The beta distribution that an upper limit of the mean m is taken from. */
struct matched {
    double mean, size; /* μ and k: Beta(μk, (1 − μ)k) */
};

/* How many rows decide on one side: those of 0/1 outcomes that are 1 (or 0). */
static double events(double n, double distance, double s)
{
    return distance > 0.0 ? n * square(distance) / (n * s + square(distance)) : 0.0;
}

static struct matched match_upper(const struct bounded *x, double m, double tail)
{
    const double unseen = 0.75, few = 10.0; /* [C] */
    double n = fmax(x->rows, 2.0), df = fmax(x->df, 1.0), s = x->variance * (n - 1.0) / n;
    double e = fmin(events(n, m, s), events(n, 1.0 - m, s)), enough = fmin(few, n / 4.0);
    double c = e <= enough ? unseen : unseen * enough / e;
    double mean = (n * m + c) / (n + c);
    double w =
        (square(n) * s + n * square(m - mean) + c * square(1.0 - mean)) / ((n + c) * (n + c + 1.0));
    double ratio = regret_student_quantile(tail, INFINITY) / regret_student_quantile(tail, df);
    double size = w > 0.0 ? fmax(mean * (1.0 - mean) / w - 1.0, 1e-9) : 1e300;
    return (struct matched){mean, size * square(ratio)};
}

/* Within the range; what rounding leaves of 0 or 1 is that. */
static double mean_of(const struct bounded *x)
{
    const double rounding = 1e-12;
    return x->value < rounding ? 0.0 : x->value > 1.0 - rounding ? 1.0 : x->value;
}

static double upper_limit(const struct bounded *x, double tail)
{
    double m = mean_of(x);
    struct matched b = match_upper(x, m, tail);
    return m >= 1.0 ? 1.0
                    : fmax(m, beta_quantile(b.mean * b.size, (1.0 - b.mean) * b.size, 1.0 - tail));
}

/* 1 less the upper limit of 1 − m, with its digits kept. */
static double lower_limit(const struct bounded *x, double tail)
{
    double m = mean_of(x);
    struct matched b = match_upper(x, 1.0 - m, tail);
    return m <= 0.0 ? 0.0 : fmin(m, beta_quantile((1.0 - b.mean) * b.size, b.mean * b.size, tail));
}

struct limits bounded_limits(const struct bounded *x, struct tails tails)
{
    if (isnan(x->value) || isnan(x->variance) || isnan(x->rows) || isnan(x->df)) {
        return (struct limits){NAN, NAN};
    }
    struct limits l = {lower_limit(x, tails.below), upper_limit(x, tails.above)};
    double error = sqrt(x->variance), df = fmax(1.0, x->df);
    if (x->lean > 0.0) {
        double t = -regret_student_quantile(tails.above, df);
        l.high = fmax(l.high, x->value + long_reach(error, t, x->lean));
    } else if (x->lean < 0.0) {
        double t = -regret_student_quantile(tails.below, df);
        l.low = fmin(l.low, x->value - long_reach(error, t, -x->lean));
    }
    return l;
}

/* ---------------------------------------------------------------- differences */

/* How far a difference reaches whose sides reach as far as that, by Zou and Donner's MOVER. */
static double reach_of_two(double x, double y, double rho)
{
    double squares = x * x + y * y - 2.0 * rho * x * y;
    return squares < 0.0 ? 0.0 : sqrt(squares);
}

struct limits limits_of_gap(double x, struct limits of_x, double y, struct limits of_y, double rho)
{
    rho = fmin(fmax(rho, -1.0), 1.0);
    return (struct limits){x - y - reach_of_two(x - of_x.low, of_y.high - y, rho),
                           x - y + reach_of_two(of_x.high - x, y - of_y.low, rho)};
}

struct limits bounded_difference(const struct bounded *x, const struct bounded *y, double rho,
                                 struct tails tails)
{
    double p = mean_of(x), q = mean_of(y);
    struct bounded one = *x, two = *y;
    if (fmax(x->rows, y->rows) <= 2.0 * fmin(x->rows, y->rows)) {
        one.lean = two.lean = 0.0;
    }
    struct limits of_x = bounded_limits(&one, tails),
                  of_y = bounded_limits(&two, (struct tails){tails.above, tails.below});
    return limits_of_gap(p, of_x, q, of_y, x->variance > 0.0 && y->variance > 0.0 ? rho : 0.0);
}

/* Sums over clusters of differences. */
struct pair_sums {
    double rows, squares; /* of rows */
    double size[3],
        sizes
            [3]; /* of Σ|D|, Σ(1 − D) and Σ(1 + D), and their squares: few rows may decide at any end */
    double both; /* what V of the difference is of */
};

static struct pair_sums sum_pairs(const struct pairs *p, double difference)
{
    struct pair_sums s = {0};
    double n = (double)p->n;
    for (size_t c = 0; c < p->n; c++) {
        double d = p->above[c] - p->below[c];
        const double size[3] = {p->above[c] + p->below[c], p->rows[c] - d, p->rows[c] + d};
        s.rows += p->rows[c];
        s.squares += square(p->rows[c]);
        for (int k = 0; k < 3; k++) {
            s.size[k] += size[k];
            s.sizes[k] += square(size[k]);
        }
        s.both += square(d - difference * p->rows[c]);
    }
    s.both *= p->n > 1 ? n / (n - 1.0) / square(s.rows) : 0.0;
    return s;
}

struct paired_limits paired_limits_of(const struct pairs *pairs, struct tails tails)
{
    struct bounded a = bounded_clusters(pairs->above, pairs->rows, pairs->n),
                   b = bounded_clusters(pairs->below, pairs->rows, pairs->n);
    struct paired_limits out = {.value = a.value - b.value};
    struct pair_sums s = sum_pairs(pairs, out.value);
    double clusters = square(s.rows) / s.squares;
    double e = INFINITY;
    for (int k = 0; k < 3; k++) {
        e = fmin(e, s.sizes[k] > 0.0 ? square(s.size[k]) / s.sizes[k] : 0.0);
    }
    double product = a.variance * b.variance;
    out.rho = product > 0.0 ? 0.5 * (a.variance + b.variance - s.both) / sqrt(product) : 0.0;
    out.share = fmin(fmax(2.0 * e / fmin(20.0, clusters / 2.0) - 1.0, 0.0), 1.0);
    struct limits split = bounded_difference(&a, &b, out.rho, tails);
    double error = sqrt(s.both);
    out.low = out.share * (out.value + regret_student_quantile(tails.below, a.df) * error) +
              (1.0 - out.share) * split.low;
    out.high = out.share * (out.value - regret_student_quantile(tails.above, a.df) * error) +
               (1.0 - out.share) * split.high;
    return out;
}

/* ---------------------------------------------------------------- p-values */

double paired_p_of_zero(const struct pairs *pairs)
{
    double low = log(1e-16), high = log(0.4999);
    for (int i = 0; i < 60 && high - low > 1e-11; i++) {
        double middle = 0.5 * (low + high);
        struct paired_limits l = paired_limits_of(pairs, (struct tails){exp(middle), exp(middle)});
        if (isnan(l.low) || isnan(l.high)) {
            return NAN;
        }
        if (l.low > 0.0 || l.high < 0.0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return 2.0 * exp(0.5 * (low + high));
}
