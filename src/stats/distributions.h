/* Distributions. */
#ifndef STATS_DISTRIBUTIONS_H
#define STATS_DISTRIBUTIONS_H

/* Student's t distribution. */

/* P(T <= t) with df > 0 degrees of freedom, not necessarily whole; infinite df is the normal
 * distribution. NaN of a NaN and of df <= 0. To about 1e-14. By the continued fraction of the
 * incomplete beta function (Abramowitz and Stegun 26.5.8, 26.7.1). */
double regret_student_cdf(double t, double df);
/* The t with P(T <= t) = p, 0 < p < 1; NaN otherwise. */
double regret_student_quantile(double p, double df);

/* The beta distribution, beside Student's (stats/distributions.h). */

/* I_x(a, b), y = 1 − x given apart so that neither loses digits; a, b > 0. */
double beta_cdf(double a, double b, double x, double y);
/* The x with I_x(a, b) = p; 0 of a < 1e-300. Where both exceed 1e6 by Cornish and Fisher's first term. */
double beta_quantile(double a, double b, double p);

#endif
