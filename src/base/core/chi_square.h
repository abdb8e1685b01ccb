/* The χ² distribution. */
#ifndef REGRET_BASE_CHI_SQUARE_H
#define REGRET_BASE_CHI_SQUARE_H

/* P(X <= x) of χ² with df > 0 degrees of freedom, not necessarily whole. To about 1e-14. By the series and the continued
 * fraction of the incomplete gamma function (Abramowitz and Stegun 6.5.29, 6.5.31). */
double chi_square_cdf(double x, double df);

#endif
