#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "regret/student.h"
#include "report/rows/slice.h"
#include "value/resample.h"

size_t keep_finite(double *x, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(x[i])) {
            x[kept++] = x[i];
        }
    }
    return kept;
}

size_t sort_finite(double *x, size_t n)
{
    size_t kept = keep_finite(x, n);
    regret_sort_numbers(x, kept);
    return kept;
}

void percentile_interval(double *low, double *high, double *x, size_t n)
{
    size_t k = sort_finite(x, n);
    *low = k > 1 ? regret_quantile(x, k, 0.025) : NAN;
    *high = k > 1 ? regret_quantile(x, k, 0.975) : NAN;
}

static int bootstrap(struct paired *p, const double *d, size_t n)
{
    double means[PAIRED_RESAMPLES];
    uint32_t *drawn = NULL;
    TRY(REGRET_NEW(&drawn, n));
    for (size_t b = 0; b < PAIRED_RESAMPLES; b++) {
        double sum = 0.0;
        resample_draw(drawn, n, 0, b);
        for (size_t i = 0; i < n; i++) {
            sum += d[drawn[i]];
        }
        means[b] = sum / (double)n;
    }
    regret_free(drawn);
    percentile_interval(&p->low, &p->high, means, PAIRED_RESAMPLES);
    return REGRET_OK;
}

struct paired paired_moments(const double *d, size_t n)
{
    struct paired p = {NAN, NAN, NAN, NAN, n};
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += d[i];
    }
    if (n > 0) {
        p.mean = sum / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (d[i] - p.mean) * (d[i] - p.mean);
    }
    if (n > 1) {
        p.se = sqrt(squares / (double)(n - 1) / (double)n);
    }
    return p;
}

int paired_from(struct paired *out, const double *d, size_t n)
{
    if (n > UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT, "%zu pairs are more than the bootstrap takes", n);
    }
    *out = paired_moments(d, n);
    return n > 1 ? bootstrap(out, d, n) : REGRET_OK;
}

void slice_differences(double *out, size_t *n, const struct slice *s, enum regret_measure measure_a,
                       size_t a, enum regret_measure measure_b, size_t b)
{
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        out[seed] = seed_mean(s, measure_a, a, seed) - seed_mean(s, measure_b, b, seed);
    }
    *n = keep_finite(out, s->r->n_seeds);
}

int slice_paired(struct paired *out, const struct slice *s, enum regret_measure measure_a, size_t a,
                 enum regret_measure measure_b, size_t b)
{
    FREED double *d = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&d, s->r->n_seeds));
    slice_differences(d, &n, s, measure_a, a, measure_b, b);
    return paired_from(out, d, n);
}

int paired_separable(const struct paired *p)
{
    return p->low > 0.0 || p->high < 0.0;
}

double half_width(double se, size_t n)
{
    return n > 1 ? regret_student_quantile(0.975, (double)(n - 1)) * se : NAN;
}

double paired_p(const struct paired *p, double value)
{
    double distance = fabs(p->mean - value);
    if (p->se > 0.0) {
        return 2.0 * regret_student_cdf(-distance / p->se, (double)p->n - 1.0);
    }
    return !(p->se >= 0.0) ? NAN : distance > 0.0 ? 0.0 : 1.0;
}
