/* Intervals that hold for all contrasts at once, and p-values adjusted for them. */
#include <math.h>

#include "base/core/try.h"
#include "rate/inference/contrast.h"
#include "rate/rows/streams.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "regret/quantile.h"
#include "regret/rng.h"
#include "regret/student.h"

static const double SIZE = 0.05;

/* The correlations of the contrasts that have an error, n of them, `which` by number. */
static void correlate(double *r, const struct regret_rate_contrasts *c, const size_t *which,
                      size_t n, const size_t *sides, const double *products, size_t n_sides)
{
    for (size_t i = 0; i < n; i++) {
        const size_t *a = &sides[2 * which[i]];
        for (size_t j = 0; j <= i; j++) {
            const size_t *b = &sides[2 * which[j]];
            double covariance = products[a[0] * n_sides + b[0]] - products[a[0] * n_sides + b[1]] -
                                products[a[1] * n_sides + b[0]] + products[a[1] * n_sides + b[1]];
            double scale = c->contrasts[which[i]].se * c->contrasts[which[j]].se;
            r[i * n + j] = i == j ? 1.0 : fmax(-1.0, fmin(1.0, covariance / scale));
        }
    }
}

/* Cholesky's factor of a positive semidefinite matrix over its lower triangle: a column without a
 * pivot is zero, as what it stands for is made of those before. */
static void factor(double *r, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double pivot = r[j * n + j];
        for (size_t k = 0; k < j; k++) {
            pivot -= r[j * n + k] * r[j * n + k];
        }
        double root = pivot > 1e-10 ? sqrt(pivot) : 0.0;
        r[j * n + j] = root;
        for (size_t i = j + 1; i < n; i++) {
            double sum = r[i * n + j];
            for (size_t k = 0; k < j; k++) {
                sum -= r[i * n + k] * r[j * n + k];
            }
            r[i * n + j] = root > 0.0 ? sum / root : 0.0;
        }
    }
}

/* What the greatest |z| of normal numbers with these correlations stays below in 95 % of the cases. */
static int simulate_greatest(double *out, double *r, size_t n, uint64_t seed)
{
    FREED double *greatest = NULL, *z = NULL;
    struct regret_rng rng =
        regret_rng_at(seed, REGRET_RNG_RATE, stream_index(STREAM_CONTRAST, 0, 0));
    TRY(REGRET_NEW(&greatest, REGRET_RATE_MAX_T_DRAWS));
    TRY(REGRET_NEW(&z, n));
    factor(r, n);
    for (size_t b = 0; b < REGRET_RATE_MAX_T_DRAWS; b++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            z[i] = regret_rng_normal(&rng);
            for (size_t k = 0; k <= i; k++) {
                sum += r[i * n + k] * z[k];
            }
            greatest[b] = fmax(greatest[b], fabs(sum));
        }
    }
    regret_sort_numbers(greatest, REGRET_RATE_MAX_T_DRAWS);
    *out = regret_quantile(greatest, REGRET_RATE_MAX_T_DRAWS, 1.0 - SIZE);
    return REGRET_OK;
}

/* The critical |z|. One contrast has that of one, whatever the draws say; none less than that. */
static int find_critical(struct regret_rate_contrasts *c, const size_t *which, size_t n,
                         const size_t *sides, const double *products, size_t n_sides, uint64_t seed)
{
    double least = regret_student_quantile(1.0 - 0.5 * SIZE, INFINITY);
    FREED double *r = NULL;
    c->by_max_t = n <= REGRET_RATE_MAX_T;
    c->critical = least;
    if (n > 1 && c->by_max_t) {
        TRY(REGRET_NEW(&r, n * n));
        correlate(r, c, which, n, sides, products, n_sides);
        TRY(simulate_greatest(&c->critical, r, n, seed));
        c->critical = fmax(c->critical, least);
    } else if (n > 1) {
        double own = -expm1(log1p(-SIZE) / (double)n); /* 1 − (1 − .05)^(1/n) */
        c->critical = -regret_student_quantile(0.5 * own, INFINITY);
    }
    return REGRET_OK;
}

int contrasts_together(struct regret_rate_contrasts *c, const size_t *sides, const double *products,
                       size_t n_sides, uint64_t seed)
{
    size_t n = 0;
    FREED size_t *which = NULL;
    FREED double *p = NULL;
    TRY(REGRET_NEW(&which, c->n));
    TRY(REGRET_NEW(&p, c->n));
    for (size_t k = 0; k < c->n; k++) {
        p[k] = c->contrasts[k].p;
        if (c->contrasts[k].se > 0.0) {
            which[n++] = k;
        }
    }
    TRY(find_critical(c, which, n, sides, products, n_sides, seed));
    TRY(regret_holm(p, p, c->n));
    double size = erfc(c->critical / sqrt(2.0));
    for (size_t k = 0; k < c->n; k++) {
        struct regret_rate_contrast *one = &c->contrasts[k];
        double t = regret_student_quantile(1.0 - 0.5 * size, one->df);
        one->all_low = one->difference - t * one->se;
        one->all_high = one->difference + t * one->se;
        one->p_holm = p[k];
    }
    return REGRET_OK;
}
