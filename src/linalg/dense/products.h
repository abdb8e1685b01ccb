/* Products of tall dense matrices with a few columns. Column-major. */
#ifndef REGRET_LINALG_PRODUCTS_H
#define REGRET_LINALG_PRODUCTS_H

#include <stddef.h>

/* out (k × m) ← Aᵀ x of A (n × k) and x (n × m). */
void products_by_columns(double *out, const double *a, size_t n, size_t k, const double *x,
                         size_t m);
/* out (n × m) ← out + A c of A (n × k) and c (k × m). */
void products_add(double *out, const double *a, size_t n, size_t k, const double *c, size_t m);

#endif
