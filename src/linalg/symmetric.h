/* Symmetric dense factorisations on column-major lower triangles, without LAPACKE's own copying and
 * NaN scans (inputs are checked where they enter the library). */
#ifndef REGRET_LINALG_SYMMETRIC_H
#define REGRET_LINALG_SYMMETRIC_H

#include <stddef.h>

/* A = L Lᵀ in place (lower triangle; the strict upper one is left as it was). */
int regret_sym_cholesky(double *a, size_t n);

/* P K Pᵀ ≈ L Lᵀ with complete pivoting, K positive semi-definite (lower triangle, n × n, ld n).
 * L stands in the first *rank columns of the lower triangle, `pivot` (zero-based) says which line
 * of K each row of L is. Stops when the largest remaining diagonal is at most tolerance·max
 * diagonal. */
int regret_sym_pivoted_cholesky(double *k, size_t *pivot, size_t *rank, size_t n, double tolerance);

/* Ascending eigenvalues w[n] and, in `a` (full matrix), orthonormal eigenvectors as columns. */
int regret_sym_eigen(double *a, double *w, size_t n);

#endif
