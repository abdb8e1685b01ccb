/* Leading eigenpairs of A Aᵀ by block Lanczos. */
#ifndef REGRET_LINALG_LANCZOS_H
#define REGRET_LINALG_LANCZOS_H

#include <stdint.h>

#include "regret/matrix.h"

/* Below so many rows a component the dense method is the faster one: at rank 50 both took as long with about
 * 600 texts of newswire (bench-peer) and with 680 of random words (bench-text). */
enum { LANCZOS_LEAST_ROWS = 12 };

/* The k largest eigenvalues of A Aᵀ (n x n), descending, and their eigenvectors u (n x k), from Aᵀ, a
 * matrix of n columns; n >= 2 (k + LANES).
 *
 * Blocks of LANES vectors from a random start (stream (seed, REGRET_RNG_SVD, 0)), each orthogonalised
 * against all before it (Golub and Underwood 1977), until every wanted Ritz pair has a residual
 * ‖A Aᵀ u - λ u‖ of at most 1e-15 λ_1. A block finds no more than LANES copies of one eigenvalue, so
 * the search is repeated among vectors orthogonal to what was found, until nothing above λ_k
 * turns up. *complete is 0 where the whole space was searched before that: the caller then has to take a
 * dense method. REGRET_E_NUMERIC when A holds what is not finite.
 * O(m (entries + n m)) with m, the vectors needed, 160 to 300 for 50 pairs of TF-IDF; n m doubles. */
int lanczos_top(double *lambda, double *u, int *complete, const struct regret_csr *transpose,
                size_t k, uint64_t seed);

#endif
