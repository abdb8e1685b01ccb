/* Least squares by sweeping (Goodnight, The American Statistician 33, 1979). */
#ifndef REGRET_EVALUATE_SENSITIVITY_SWEEP_H
#define REGRET_EVALUATE_SENSITIVITY_SWEEP_H

#include <stddef.h>

#define SWEEP_TOLERANCE 1e-10

/* Takes column k out of the others of the m × m symmetric a: what is left of them are sums of products of residuals. A column of
 * which less than the tolerance of its square in `first` (the sums before any) is left depends on those taken out: nothing is done.
 * Returns 1 or 0, the rank it adds. O(m²). */
size_t sweep(double *a, const double *first, size_t m, size_t k);

#endif
