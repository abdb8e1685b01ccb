#include "regret/quantile.h"

#include <stdlib.h>

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
