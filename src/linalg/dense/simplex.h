/* Least squares over the simplex. */
#ifndef REGRET_LINALG_SIMPLEX_H
#define REGRET_LINALG_SIMPLEX_H

#include <stddef.h>

enum { SIMPLEX_MOST = 32 };

/* w (n) of min w'Qw − 2 c'w over w ≥ 0, Σ w = 1, with Q (n × n, full, positive definite): an active set, which ends
 * at the one minimum. 1 ≤ n ≤ SIMPLEX_MOST. */
int simplex_least_squares(double *w, const double *q, const double *c, size_t n);

#endif
