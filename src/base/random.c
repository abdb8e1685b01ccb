#include "base/random.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/status.h"
#include "regret/status.h"
#include "regret/task.h"

static const double PI = 3.14159265358979323846;

void regret_philox4x32(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53U * c0;
        uint64_t p1 = (uint64_t)0xCD9E8D57U * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

struct regret_rng regret_rng_at(uint64_t seed, uint32_t purpose, uint64_t index)
{
    return (struct regret_rng){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, purpose, (uint32_t)index, (uint32_t)(index >> 32)},
        .used = 4,
    };
}

uint32_t regret_rng_u32(struct regret_rng *r)
{
    if (r->used == 4) {
        regret_philox4x32(r->block, r->counter, r->key);
        r->counter[0]++;
        r->used = 0;
    }
    return r->block[r->used++];
}

uint64_t regret_rng_u64(struct regret_rng *r)
{
    uint64_t low = regret_rng_u32(r);
    return low | (uint64_t)regret_rng_u32(r) << 32;
}

double regret_rng_uniform(struct regret_rng *r)
{
    return ((double)(regret_rng_u64(r) >> 12) + 0.5) * 0x1p-52;
}

uint32_t regret_rng_below(struct regret_rng *r, uint32_t n)
{
    uint64_t m = (uint64_t)regret_rng_u32(r) * n;
    uint32_t low = (uint32_t)m;
    if (low < n) {
        uint32_t threshold = (uint32_t)(-n) % n;
        while (low < threshold) {
            m = (uint64_t)regret_rng_u32(r) * n;
            low = (uint32_t)m;
        }
    }
    return (uint32_t)(m >> 32);
}

double regret_rng_normal(struct regret_rng *r)
{
    double radius = sqrt(-2.0 * log(regret_rng_uniform(r)));
    return radius * cos(2.0 * PI * regret_rng_uniform(r));
}

double regret_rng_gamma(struct regret_rng *r, double shape)
{
    /* Below one: Gamma(a) = Gamma(a + 1) · U^(1/a). */
    double boost = 1.0;
    if (shape < 1.0) {
        boost = pow(regret_rng_uniform(r), 1.0 / shape);
        shape += 1.0;
    }
    double d = shape - 1.0 / 3.0;
    double c = 1.0 / sqrt(9.0 * d);
    for (;;) {
        double x = regret_rng_normal(r);
        double v = 1.0 + c * x;
        if (v <= 0.0) {
            continue;
        }
        v = v * v * v;
        double u = regret_rng_uniform(r);
        if (log(u) < 0.5 * x * x + d - d * v + d * log(v)) {
            return boost * d * v;
        }
    }
}

double regret_rng_beta(struct regret_rng *r, double a, double b)
{
    double x = regret_rng_gamma(r, a);
    double y = regret_rng_gamma(r, b);
    /* Both underflow only for shapes far below the ones in use; then one end has all the mass. */
    return x + y > 0.0 ? x / (x + y) : (regret_rng_uniform(r) * (a + b) < a ? 1.0 : 0.0);
}

void regret_rng_shuffle(struct regret_rng *r, size_t *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = regret_rng_below(r, (uint32_t)i);
        size_t swap = items[i - 1];
        items[i - 1] = items[j];
        items[j] = swap;
    }
}

int regret_rng_order(size_t **out, size_t n, uint64_t seed, uint32_t purpose, uint64_t index)
{
    size_t *order = NULL;
    TRY(REGRET_NEW(&order, n));
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
    }
    struct regret_rng rng = regret_rng_at(seed, purpose, index);
    regret_rng_shuffle(&rng, order, n);
    *out = order;
    return REGRET_OK;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void regret_sort_numbers(double *numbers, size_t n)
{
    if (n > 1) {
        qsort(numbers, n, sizeof *numbers, ascending);
    }
}

double regret_quantile(const double *sorted, size_t n, double p)
{
    double at = (double)(n - 1) * p;
    size_t below = (size_t)at;
    size_t above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

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
