/* Sparse matrices in compressed rows. */
#ifndef LINALG_SPARSE_H
#define LINALG_SPARSE_H

#include <stddef.h>

#include "regret/design.h"

/* Columns of a panel; element (i, c) of panel v is v[i * LANES + c]. */
enum { LANES = 4, SQUARE = LANES * LANES };

/* v ↦ A Aᵀ v for a sparse A of `rows` rows. */
struct gram_operator {
    size_t rows;
    struct regret_csr *column; /* row j: column j of A; those of one entry are left out; owned */
    double *diagonal;          /* what the columns of one entry add up to; owned */
};

/* From Aᵀ. O(entries). */
int gram_operator_make(struct gram_operator *out, const struct regret_csr *transpose);
void gram_operator_clear(struct gram_operator *op);
/* y = A Aᵀ v for panels v and y. Each entry of A is read once. */
void gram_operator_apply(double *y, const struct gram_operator *op, const double *v);

/* c += aᵀ b, a LANES x LANES matrix by rows, of two panels of n rows. */
void panel_dot(double *c, const double *a, const double *b, size_t n);
/* w -= v c. */
void panel_subtract(double *w, const double *v, const double *c, size_t n);

/* Replaces the columns of w by orthonormal ones: w = q r with r upper triangular (by rows). Columns whose
 * part outside those before them is not longer than `tiny` become zero, as does their row of r; returns
 * how many. */
int panel_orthonormalise(double *w, double *r, size_t n, double tiny);

#endif
