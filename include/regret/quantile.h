/* Order statistics. */
#ifndef REGRET_QUANTILE_H
#define REGRET_QUANTILE_H

#include <stddef.h>

#include "regret/status.h"

/* Sorts `n` numbers, none of them NaN, in ascending order. O(n log n). */
REGRET_API void regret_sort_numbers(double *numbers, size_t n);

/* The p-quantile of n >= 1 sorted numbers, 0 <= p <= 1, linear between the order statistics at
 * (n - 1)·p: definition 7 of Hyndman and Fan 1996, doi:10.1080/00031305.1996.10473566. */
REGRET_API double regret_quantile(const double *sorted, size_t n, double p);

#endif
