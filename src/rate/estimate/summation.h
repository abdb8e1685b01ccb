/* Sums that lose nothing worth mentioning, and what is made of them. */
#ifndef REGRET_RATE_SUMMATION_H
#define REGRET_RATE_SUMMATION_H

#include <stddef.h>

double mean_of(const double *x, size_t n);                 /* NaN for n = 0 */
double variance_of(const double *x, size_t n);             /* n − 1 below; NaN for n < 2 */
double dot_of(const double *x, const double *y, size_t n); /* Σ x·y, in eight running sums */

/* Student's two-sided p of 0, for an estimate with its error; where that is 0, 1 of nothing and else 0. */
double p_of_zero(double estimate, double se, double df);

#endif
