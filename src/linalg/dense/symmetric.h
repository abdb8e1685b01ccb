/* Symmetric dense factorisations on column-major lower triangles, without LAPACKE's own copying and
 * NaN scans (inputs are checked where they enter the library). */
#ifndef REGRET_LINALG_SYMMETRIC_H
#define REGRET_LINALG_SYMMETRIC_H

#include <stddef.h>

/* A = L Lᵀ in place (lower triangle; the strict upper one is left as it was). */
int regret_sym_cholesky(double *a, size_t n);
/* x (n × outputs, column-major) ← A⁻¹ x by that factor. */
void regret_sym_cholesky_solve(double *x, size_t outputs, const double *factor, size_t n);

/* Diagonal entries below this share of the largest are rounding errors of duplicate rows. */
#define SYM_RANK_TOLERANCE 1e-13

/* P K Pᵀ ≈ L Lᵀ with complete pivoting, K positive semi-definite (lower triangle, n × n, ld n).
 * L stands in the first *rank columns of the lower triangle, `pivot` (zero-based) says which line
 * of K each row of L is. Stops when the largest remaining diagonal is at most tolerance·max
 * diagonal. */
int regret_sym_pivoted_cholesky(double *k, size_t *pivot, size_t *rank, size_t n, double tolerance);

/* A = Q T Qᵀ with T tridiagonal: its diagonal [n] and off-diagonal [n - 1]. `a` and tau [n - 1]
 * hold Q as LAPACK's reflectors, for regret_sym_rotate(). A third of the time of an
 * eigen-decomposition.
 */
int regret_sym_tridiagonal(double *a, double *tau, double *diagonal, double *off, size_t n);

/* T = L D Lᵀ in place of its diagonal and off-diagonal, and x ← T⁻¹ x by it. */
int regret_sym_tridiagonal_factor(double *diagonal, double *off, size_t n);
void regret_sym_tridiagonal_solve(double *x, const double *diagonal, const double *off, size_t n);

/* c (rows × cols, column-major) ← Q c or, transposed, Qᵀ c (rows = n); on the right c ← c Q or c Qᵀ
 * (cols = n). */
enum sym_side { SYM_LEFT = 'L', SYM_RIGHT = 'R' };
enum sym_transpose { SYM_PLAIN = 'N', SYM_TRANSPOSED = 'T' };
int regret_sym_rotate(double *c, size_t rows, size_t cols, enum sym_side side,
                      enum sym_transpose transpose, const double *a, const double *tau);

#endif
