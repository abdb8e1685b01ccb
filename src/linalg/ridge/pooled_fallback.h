/* Fits of an iterative design solved directly after all: in coordinates of the pairs that the samples have. */
#ifndef REGRET_LINALG_POOLED_FALLBACK_H
#define REGRET_LINALG_POOLED_FALLBACK_H

#include "linalg/ridge/pooled.h"

/* (θ, b) of every fit in the columns of the design, dim + 1 a fit. Neighbours of one penalty and one OBS share a
 * factorisation. O(n³) time and O(n²) memory in the n different pairs of both samples. */
int pooled_fallback_solve(double *solution, const struct regret_pooled *pooled,
                          const struct regret_pooled_fit *fit, size_t n);

#endif
