/* Dense matrices: products, symmetric systems, least squares, the simplex. */
#ifndef LINALG_DENSE_H
#define LINALG_DENSE_H

#include <stddef.h>

/* Least squares. */

/* b (d + 1, the intercept last) of the least-squares fit of y [n] on the columns of x (n × d,
 * column-major) over the rows with use[i] != 0; that of minimum norm where there are many. */
int least_squares(double *b, const double *x, size_t d, const double *y, size_t n,
                  const unsigned char *use);

/* Products of tall dense matrices with a few columns. Column-major. */

/* out (k × m) ← Aᵀ x of A (n × k) and x (n × m). */
void products_by_columns(double *out, const double *a, size_t n, size_t k, const double *x,
                         size_t m);
/* out (n × m) ← out + A c of A (n × k) and c (k × m). */
void products_add(double *out, const double *a, size_t n, size_t k, const double *c, size_t m);

/* Symmetric dense factorisations on column-major lower triangles, without LAPACKE's own copying and
 * NaN scans (inputs are checked where they enter the library). */

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

/* The min(k, n) largest eigenvalues of the symmetric n x n matrix a (lower triangle read, contents
 * destroyed), descending, and their eigenvectors (n x min(k, n)). LAPACK dsyevr. */
int eigen_top(double *values, double *vectors, double *a, size_t n, size_t k);

/* Least squares over the simplex. */

enum { SIMPLEX_MOST = 32 };

/* w (n) of min w'Qw − 2 c'w over w ≥ 0, Σ w = 1, with Q (n × n, full, positive definite): an active set, which ends
 * at the one minimum. 1 ≤ n ≤ SIMPLEX_MOST. */
int simplex_least_squares(double *w, const double *q, const double *c, size_t n);

/* What every fit asks of its input first. Row weights: multiplicities of a sample, or any other
 * non-negative weights. */

/* REGRET_E_INPUT unless all are finite and >= 0 with a positive sum. NULL stands for all ones, fine
 * when there is a row. */
int weights_check(const double *row_weight, size_t rows);

/* REGRET_E_INPUT when a side does not fit the integers of BLAS and LAPACK. */
int sides_check(size_t rows, size_t cols);

#endif
