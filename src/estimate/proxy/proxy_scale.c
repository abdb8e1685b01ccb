#include <math.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/proxy.h"

/* Of a hundred OBS rows, those that winsorising may move at either end. */
static const double tail = 0.01;

/* A value of a column and how often OBS has it. */
struct weighted {
    double value, count;
    size_t row;
};

static int by_value(const void *left, const void *right)
{
    const struct weighted *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* The least value that a share `p` of the rows, each of which OBS has, does not exceed. */
static double weighted_quantile(const struct weighted *sorted, size_t n, double total, double p)
{
    double below = 0.0;
    for (size_t i = 0; i < n; i++) {
        below += sorted[i].count;
        if (below >= p * total) {
            return sorted[i].value;
        }
    }
    return sorted[n - 1].value; /* rounding of the sum alone leads here */
}

static void winsorise(double *column, size_t rows, const struct weighted *sorted, size_t n,
                      double total)
{
    if (n == 0) {
        return; /* OBS has no tail */
    }
    double low = weighted_quantile(sorted, n, total, tail);
    double high = weighted_quantile(sorted, n, total, 1.0 - tail);
    for (size_t i = 0; i < rows; i++) {
        column[i] = fmin(fmax(column[i], low), high);
    }
}

/* Mid-ranks: equal values share theirs, and a value that OBS lacks stands between its neighbours. */
static void rank(double *column, const struct weighted *sorted, size_t n, double total)
{
    double below = 0.0;
    for (size_t i = 0, next = 0; i < n; i = next) {
        double equal = 0.0;
        for (next = i; next < n && sorted[next].value == sorted[i].value; next++) {
            equal += sorted[next].count;
        }
        for (size_t t = i; t < next; t++) {
            column[sorted[t].row] = (below + 0.5 * equal) / total;
        }
        below += equal;
    }
}

/* Of all rows, or of those that OBS has; returns how many there are. */
static size_t sort_column(struct weighted *sorted, double *total, const double *column, size_t n,
                          const double *count, int all)
{
    size_t used = 0;
    *total = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (all || count[i] > 0.0) {
            sorted[used++] = (struct weighted){column[i], count[i], i};
            *total += count[i];
        }
    }
    qsort(sorted, used, sizeof *sorted, by_value);
    return used;
}

static int check_finite(const double *x, size_t rows, size_t cols)
{
    for (size_t i = 0; i < rows * cols; i++) {
        if (!isfinite(x[i])) {
            return regret_fail(REGRET_E_NUMERIC,
                               "column %zu of a proxy holds %g for pair %zu, which has no place on "
                               "a scale; check the labels",
                               i / rows, x[i], i % rows);
        }
    }
    return REGRET_OK;
}

int regret_proxy_rescale(double *x, size_t rows, size_t cols, const double *count,
                         enum regret_proxy_scale scale)
{
    struct weighted *sorted = NULL;
    TRY(check_finite(x, rows, cols));
    for (size_t i = 0; scale == REGRET_SCALE_LOG && i < rows * cols; i++) {
        x[i] = copysign(log1p(fabs(x[i])), x[i]);
    }
    if (scale != REGRET_SCALE_WINSOR && scale != REGRET_SCALE_RANK) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&sorted, rows));
    for (size_t j = 0; j < cols; j++) {
        double *column = x + j * rows, total;
        size_t n = sort_column(sorted, &total, column, rows, count, scale == REGRET_SCALE_RANK);
        if (scale == REGRET_SCALE_WINSOR) {
            winsorise(column, rows, sorted, n, total);
        } else {
            rank(column, sorted, n, total);
        }
    }
    regret_free(sorted);
    return REGRET_OK;
}
