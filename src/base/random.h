/* Counter-based random numbers, quantiles, and the upper tail of chi-square. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>

/* Order statistics. */

/* Sorts `n` numbers, none of them NaN, in ascending order. O(n log n). */
void regret_sort_numbers(double *numbers, size_t n);

/* The p-quantile of n >= 1 sorted numbers, 0 <= p <= 1, linear between the order statistics at
 * (n - 1)·p: definition 7 of Hyndman and Fan 1996, doi:10.1080/00031305.1996.10473566. */
double regret_quantile(const double *sorted, size_t n, double p);

/* The χ² distribution. */

/* P(X <= x) of χ² with df > 0 degrees of freedom, not necessarily whole. To about 1e-14. By the series and the continued
 * fraction of the incomplete gamma function (Abramowitz and Stegun 6.5.29, 6.5.31). */
double chi_square_cdf(double x, double df);

#endif
