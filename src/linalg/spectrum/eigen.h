/* Leading eigenpairs of symmetric matrices, and the sign rule of singular vectors. */
#ifndef REGRET_LINALG_EIGEN_H
#define REGRET_LINALG_EIGEN_H

#include <stddef.h>

/* The min(k, n) largest eigenvalues of the symmetric n x n matrix a (lower triangle read, contents
 * destroyed), descending, and their eigenvectors (n x min(k, n)). LAPACK dsyevr. */
int eigen_top(double *values, double *vectors, double *a, size_t n, size_t k);

/* How many of the k descending Gram eigenvalues σ² count as rank (REGRET_RANK_TOLERANCE). */
size_t eigen_rank(const double *values, size_t k);

/* Applies the sign rule of regret/svd.h to every column of v (n x k). */
void eigen_fix_signs(double *v, size_t n, size_t k);

#endif
