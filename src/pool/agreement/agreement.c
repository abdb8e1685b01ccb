#include "regret/agreement.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "regret/rng.h"

const char *regret_agreement_name(size_t measure)
{
    static const char *const NAMES[REGRET_AGREEMENTS] = {[REGRET_ALPHA_NOMINAL] = "alpha nominal",
                                                         [REGRET_ALPHA_ORDINAL] = "alpha ordinal",
                                                         [REGRET_ALPHA_INTERVAL] = "alpha interval",
                                                         [REGRET_ICC_SINGLE] = "ICC(2,1)",
                                                         [REGRET_ICC_MEAN] = "ICC(2,k)"};
    return measure < REGRET_AGREEMENTS ? NAMES[measure] : NULL;
}

/* ---------------------------------------------------------------- alpha */

/* α of what units disagree, over n pairable ratings, and what all of these would by chance. */
static double alpha(double within, double among, double n)
{
    return among > 0.0 ? 1.0 - (within / n) / (among / (n * (n - 1.0))) : NAN;
}

double regret_krippendorff_alpha(const double *value, size_t n, size_t m)
{
    double within = 0.0, sum = 0.0, squares = 0.0, pairable = 0.0, shift = NAN;
    for (size_t i = 0; i < n; i++) {
        double s = 0.0, q = 0.0, k = 0.0;
        for (size_t j = 0; j < m; j++) {
            double v = value[i * m + j];
            if (isfinite(v)) {
                shift = isnan(shift) ? v : shift; /* for the digits of squares */
                s += v - shift;
                q += (v - shift) * (v - shift);
                k += 1.0;
            }
        }
        if (k >= 2.0) { /* Σ over pairs of (v − w)² is 2 (k Σv² − (Σv)²) */
            within += 2.0 * (k * q - s * s) / (k - 1.0);
            sum += s;
            squares += q;
            pairable += k;
        }
    }
    return alpha(within, 2.0 * (pairable * squares - sum * sum), pairable);
}

static size_t count_ratings(const double *unit, size_t m)
{
    size_t k = 0;
    for (size_t j = 0; j < m; j++) {
        k += isfinite(unit[j]);
    }
    return k;
}

/* The ratings of units that have two, sorted; their number. */
static size_t sort_pairable(double *out, const double *rating, size_t n, size_t m)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        size_t first = to;
        for (size_t j = 0; j < m; j++) {
            if (isfinite(rating[i * m + j])) {
                out[to++] = rating[i * m + j];
            }
        }
        to = to - first >= 2 ? to : first;
    }
    regret_sort_numbers(out, to);
    return to;
}

static double alpha_nominal(const double *rating, size_t n, size_t m, const double *sorted,
                            size_t pairable)
{
    double within = 0.0, among = (double)pairable * (double)pairable;
    for (size_t i = 0; i < n; i++) {
        const double *unit = rating + i * m;
        size_t k = count_ratings(unit, m), differ = 0;
        for (size_t j = 0; j < m * m; j++) {
            double v = unit[j / m], w = unit[j % m];
            differ += isfinite(v) && isfinite(w) && v != w;
        }
        within += k >= 2 ? (double)differ / ((double)k - 1.0) : 0.0;
    }
    for (size_t i = 0, end; i < pairable; i = end) {
        for (end = i + 1; end < pairable && sorted[end] == sorted[i]; end++) {
        }
        among -= (double)(end - i) * (double)(end - i);
    }
    return alpha(within, among, (double)pairable);
}

/* How many of the sorted numbers are below x or, with `or_equal`, at most x. */
static size_t count_below(const double *sorted, size_t n, double x, int or_equal)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (sorted[middle] < x || (or_equal && sorted[middle] == x)) {
            low = middle + 1;
        } else {
            n = middle;
        }
    }
    return low;
}

/* Krippendorff's ordinal difference of two ratings is that of their mid-ranks among all that are pairable. */
static double alpha_ordinal(const double *rating, size_t n, size_t m, const double *sorted,
                            size_t pairable, double *rank)
{
    for (size_t i = 0; i < n * m; i++) {
        double x = rating[i];
        rank[i] = isfinite(x) ? 0.5 * (double)(count_below(sorted, pairable, x, 0) +
                                               count_below(sorted, pairable, x, 1))
                              : NAN;
    }
    return regret_krippendorff_alpha(rank, n, m);
}

/* ---------------------------------------------------------------- intraclass correlation */

/* Sums over the units that every rater has rated: of units, and of raters into sum[m]; their number. */
static size_t sum_complete(double *sum, double *total, const double *rating, size_t n, size_t m)
{
    size_t complete = 0;
    *total = 0.0;
    memset(sum, 0, m * sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        int is_complete = count_ratings(rating + i * m, m) == m;
        complete += (size_t)is_complete;
        for (size_t j = 0; j < m && is_complete; j++) {
            sum[j] += rating[i * m + j];
            *total += rating[i * m + j];
        }
    }
    return complete;
}

/* The mean squares of Shrout and Fleiss's two-way table: between targets, between judges, and the residual. */
static void icc(double out[2], const double *rating, size_t n, size_t m, double *sum)
{
    double total = 0.0, targets = 0.0, judges = 0.0, residual = 0.0, k = (double)m;
    size_t complete = sum_complete(sum, &total, rating, n, m);
    double rows = (double)complete, mean = total / (rows * k);
    out[0] = out[1] = NAN;
    if (complete < 2) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double *unit = rating + i * m;
        double own = 0.0;
        for (size_t j = 0; j < m; j++) {
            own += unit[j] / k;
        }
        for (size_t j = 0; j < m && isfinite(own); j++) {
            double rest = unit[j] - own - sum[j] / rows + mean;
            residual += rest * rest;
        }
        targets += isfinite(own) ? k * (own - mean) * (own - mean) : 0.0;
    }
    for (size_t j = 0; j < m; j++) {
        judges += rows * (sum[j] / rows - mean) * (sum[j] / rows - mean);
    }
    double bms = targets / (rows - 1.0), jms = judges / (k - 1.0);
    double ems = residual / ((rows - 1.0) * (k - 1.0));
    double one = bms + (k - 1.0) * ems + k * (jms - ems) / rows, all = bms + (jms - ems) / rows;
    out[0] = one > 0.0 ? (bms - ems) / one : NAN;
    out[1] = all > 0.0 ? (bms - ems) / all : NAN;
}

/* ---------------------------------------------------------------- all of them, and their intervals */

/* `scratch` holds 2 n m + m numbers. */
static void measure(double out[REGRET_AGREEMENTS], const double *rating, size_t n, size_t m,
                    double *scratch)
{
    double *sorted = scratch, *rank = scratch + n * m;
    size_t pairable = sort_pairable(sorted, rating, n, m);
    out[REGRET_ALPHA_NOMINAL] = alpha_nominal(rating, n, m, sorted, pairable);
    out[REGRET_ALPHA_ORDINAL] = alpha_ordinal(rating, n, m, sorted, pairable, rank);
    out[REGRET_ALPHA_INTERVAL] = regret_krippendorff_alpha(rating, n, m);
    icc(&out[REGRET_ICC_SINGLE], rating, n, m, scratch + 2 * n * m);
}

/* Ratings of one draw of the clusters, and room to measure them. */
struct drawn {
    double *rating, *scratch; /* of `capacity` units; owned */
    size_t n, capacity;
};

FREED_FIELDS(drawn, of->rating, of->scratch)

static int reserve(struct drawn *d, size_t units, size_t m)
{
    if (units <= d->capacity) {
        return REGRET_OK;
    }
    d->capacity = 2 * units;
    TRY(regret_realloc((void **)&d->rating, d->capacity * m, sizeof *d->rating, "ratings"));
    return regret_realloc((void **)&d->scratch, (2 * d->capacity + 1) * m, sizeof *d->scratch,
                          "room for ratings");
}

static int draw(struct drawn *d, const struct regret_ratings *r, uint64_t seed, size_t replicate)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, replicate);
    size_t m = r->n_raters;
    d->n = 0;
    for (size_t c = 0; c < r->n_clusters; c++) {
        size_t which = regret_rng_below(&rng, (uint32_t)r->n_clusters);
        size_t first = r->cluster[which], n = r->cluster[which + 1] - first;
        TRY(reserve(d, d->n + n, m));
        memcpy(d->rating + d->n * m, r->rating + first * m, n * m * sizeof *d->rating);
        d->n += n;
    }
    return REGRET_OK;
}

static void find_interval(struct regret_agreement *out, double *replicate, size_t n, double level)
{
    size_t defined = 0;
    for (size_t b = 0; b < n; b++) {
        if (isfinite(replicate[b])) {
            replicate[defined++] = replicate[b];
        }
    }
    regret_sort_numbers(replicate, defined);
    out->low = defined > 1 ? regret_quantile(replicate, defined, (1.0 - level) / 2.0) : NAN;
    out->high = defined > 1 ? regret_quantile(replicate, defined, (1.0 + level) / 2.0) : NAN;
}

int regret_agreement_measure(struct regret_agreement out[REGRET_AGREEMENTS],
                             const struct regret_ratings *r, size_t resamples, uint64_t seed,
                             double level)
{
    FREED_BY(drawn_fields) struct drawn d = {0};
    double found[REGRET_AGREEMENTS];
    FREED double *replicate = NULL;
    if (r->n_raters < 2) {
        return regret_fail(REGRET_E_INPUT, "one rater agrees with nobody; give two or more");
    }
    TRY(reserve(&d, r->n_units, r->n_raters));
    TRY(REGRET_NEW(&replicate, resamples * REGRET_AGREEMENTS));
    measure(found, r->rating, r->n_units, r->n_raters, d.scratch);
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
        out[k].value = found[k];
    }
    for (size_t b = 0; b < resamples; b++) {
        TRY(draw(&d, r, seed, b));
        measure(found, d.rating, d.n, r->n_raters, d.scratch);
        for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
            replicate[k * resamples + b] = found[k];
        }
    }
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
        find_interval(&out[k], replicate + k * resamples, resamples, level);
    }
    return REGRET_OK;
}
