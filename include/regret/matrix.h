/* Sparse matrices in compressed rows, and the few products the suite needs.
 *
 * Dense matrices everywhere are column-major arrays of double without padding: element (i, j) of an
 * m x n matrix is a[i + j * m]. No function here keeps state or calls threads. */
#ifndef REGRET_MATRIX_H
#define REGRET_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/status.h"

struct regret_csr {
    size_t rows, cols;
    size_t *row_start; /* rows + 1 offsets into column and value, ascending from 0; owned */
    uint32_t *column;  /* strictly ascending within a row, below cols; owned */
    double *value;     /* owned */
};

/* A matrix with room for `entries` stored elements: row_start is zero, the rest to be filled in by
 * the caller. cols <= 2^32 - 1. Free with regret_csr_free(). */
REGRET_API int regret_csr_new(struct regret_csr **out, size_t rows, size_t cols, size_t entries);
REGRET_API void regret_csr_free(struct regret_csr *m); /* NULL is fine */

/* Stored elements. */
REGRET_API size_t regret_csr_entries(const struct regret_csr *m);

/* The matrix of `n` triplets in any order; those of one place are summed in the order given.
 * REGRET_E_INPUT when a place lies outside rows x cols. O(n log n). */
REGRET_API int regret_csr_from_triplets(struct regret_csr **out, size_t rows, size_t cols, size_t n,
                                        const size_t *row, const size_t *column,
                                        const double *value);

/* The transpose, a fresh matrix. O(entries + rows + cols). */
REGRET_API int regret_csr_transpose(struct regret_csr **out, const struct regret_csr *m);

/* Rows with a non-zero factor, each multiplied by it, in their order: diag(factor) m without its
 * zero rows. factor has m->rows elements. */
REGRET_API int regret_csr_scale_rows(struct regret_csr **out, const struct regret_csr *m,
                                     const double *factor);

/* Dense Gram K = A Bᵀ (a->rows x b->rows, column-major, overwritten; needs a->cols == b->cols).
 * With b NULL or b == a, K = A Aᵀ: one triangle is computed and mirrored, so K is exactly
 * symmetric. Every element is summed in ascending column order. Cost: Σ over columns of (entries of
 * A there) x (entries of B there), halved for the symmetric case; never forms a dense A. */
REGRET_API int regret_csr_gram(double *k, const struct regret_csr *a, const struct regret_csr *b);

/* out = A X, with X a->cols x n and out a->rows x n. O(entries · n). */
REGRET_API int regret_csr_times_dense(double *out, const struct regret_csr *a, const double *x,
                                      size_t n);

/* Appends the matrix as a Matrix Market file, "coordinate real general", one-based, row by row, 17
 * significant digits (every double reads back exactly). Ask regret_buffer_status() for errors. */
REGRET_API void regret_csr_matrix_market(struct regret_buffer *out, const struct regret_csr *m);

#endif
