/* Distributions. */
#ifndef STATS_DISTRIBUTIONS_H
#define STATS_DISTRIBUTIONS_H

#include <stddef.h>

/* Student's t distribution. */

/* P(T <= t) with df > 0 degrees of freedom, not necessarily whole; infinite df is the normal
 * distribution. NaN of a NaN and of df <= 0. To about 1e-14. By the continued fraction of the
 * incomplete beta function (Abramowitz and Stegun 26.5.8, 26.7.1). */
double regret_student_cdf(double t, double df);
/* The t with P(T <= t) = p, 0 < p < 1; NaN otherwise. */
double regret_student_quantile(double p, double df);

/* The beta distribution. */

/* I_x(a, b), y = 1 − x given apart so that neither loses digits; a, b > 0. */
double beta_cdf(double a, double b, double x, double y);
/* The x with I_x(a, b) = p; 0 of a < 1e-300. Where both exceed 1e6 by Cornish and Fisher's first term. */
double beta_quantile(double a, double b, double p);

/* Twice the smaller of P(X <= k) and P(X >= k), at most 1, of a binomial X of n trials; 0 < p <= 1. */
double binomial_two_sided(size_t k, size_t n, double p);

/* The mean of a mean square given an unbiased estimate m with standard error s, and that it is not negative (a flat
 * prior): that of a normal law cut at 0, m + s φ(m/s)/Φ(m/s). Armstrong, Kolesár and Plagborg-Møller, "Robust
 * empirical Bayes confidence intervals", Econometrica 90, 2022, do so for the second moment of what they estimate. */
double mean_above_zero(double m, double s);

#endif
