/* Fits of an iterative design solved directly after all: in coordinates of the pairs that the samples have. */
#ifndef REGRET_LINALG_POOLED_FALLBACK_H
#define REGRET_LINALG_POOLED_FALLBACK_H

#include "linalg/ridge/pooled.h"

struct pooled_fallback;

/* Solves every fit. O(n³) time and O(n²) memory in the n different pairs of both samples. */
int pooled_fallback_create(struct pooled_fallback **out, const struct regret_pooled *pooled,
                           const struct regret_pooled_fit *fit, size_t n);
void pooled_fallback_free(struct pooled_fallback *fallback);
int pooled_fallback_predict(double *prediction, const struct pooled_fallback *fallback, size_t i);
void pooled_fallback_predict_part(double *prediction, const struct pooled_fallback *fallback,
                                  size_t i);
/* (θ, b) of fit i in the columns of the iterative design. */
int pooled_fallback_solution(double *solution, const struct pooled_fallback *fallback, size_t i);

#endif
