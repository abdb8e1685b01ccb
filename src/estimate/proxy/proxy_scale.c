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

/* The least value that a share `p` of the rows does not exceed. */
static double weighted_quantile(const struct weighted *sorted, size_t n, double total, double p)
{
    double below = 0.0;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        below += sorted[i].count;
        last = sorted[i].count > 0.0 ? i : last;
        if (sorted[i].count > 0.0 && below >= p * total) {
            return sorted[i].value;
        }
    }
    return sorted[last].value; /* rounding of the sum alone leads here */
}

static void winsorise(double *column, const struct weighted *sorted, size_t n, double total)
{
    double low = weighted_quantile(sorted, n, total, tail);
    double high = weighted_quantile(sorted, n, total, 1.0 - tail);
    for (size_t i = 0; i < n; i++) {
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

static double sort_column(struct weighted *sorted, const double *column, size_t n,
                          const double *count)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) {
        sorted[i] = (struct weighted){column[i], count[i], i};
        total += count[i];
    }
    qsort(sorted, n, sizeof *sorted, by_value);
    return total;
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
        double *column = x + j * rows, total = sort_column(sorted, column, rows, count);
        if (scale == REGRET_SCALE_WINSOR) {
            winsorise(column, sorted, rows, total);
        } else {
            rank(column, sorted, rows, total);
        }
    }
    regret_free(sorted);
    return REGRET_OK;
}
