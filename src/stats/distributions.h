/* The beta distribution, beside Student's (regret/student.h). */
#ifndef REGRET_STATS_DISTRIBUTIONS_H
#define REGRET_STATS_DISTRIBUTIONS_H

/* I_x(a, b), y = 1 − x given apart so that neither loses digits; a, b > 0. */
double beta_cdf(double a, double b, double x, double y);
/* The x with I_x(a, b) = p; 0 of a < 1e-300. Where both exceed 1e6 by Cornish and Fisher's first term. */
double beta_quantile(double a, double b, double p);

#endif
