/* Small dense matrices, and the library that multiplies them: which BLAS runs on how many threads, factors of
 * symmetric matrices, products of tall ones, weights, least squares, also over the simplex.
 *
 * Offers: regret_blas_* (threads and kernel of BLAS), regret_sym_* (Cholesky, tridiagonal form and its solves),
 * products_*, weights_check(), least_squares(), simplex_least_squares().
 * Way: callers hand column-major arrays to symmetric.c, weights.c, least_squares.c or simplex.c, which call LAPACK → the same
 * arrays come back; blas.c is asked once, when the program starts.
 * Uses: base/core.
 */
#ifndef REGRET_LINALG_DENSE_ROOM_H
#define REGRET_LINALG_DENSE_ROOM_H

#include "linalg/dense/least_squares.h"
#include "linalg/dense/products.h"
#include "linalg/dense/simplex.h"
#include "linalg/dense/symmetric.h"
#include "linalg/dense/weights.h"
#include "regret/blas.h"

#endif
