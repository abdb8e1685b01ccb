/* Truncated singular value decompositions with one definition of the projection and fixed signs.
 *
 * X ≈ U Σ Vᵀ. A document is always projected as x·V, whether it was fitted on or not, so there is
 * no second "fit and transform" that differs from "transform". Signs: in every right singular
 * vector the entry of largest absolute value is positive; entries within a relative 1e-8 of that
 * size count as tied, and the lowest index among them decides.
 *
 * Rank: a component is kept when its singular value exceeds REGRET_RANK_TOLERANCE times the largest
 * one. (Singular values come from the eigenvalues of a Gram matrix, whose rounding errors are about
 * ε σ₁²: singular values below √ε σ₁ are noise there; the tolerance keeps well above.) */
#ifndef REGRET_SVD_H
#define REGRET_SVD_H

#include <stddef.h>
#include <stdint.h>

#include "regret/matrix.h"
#include "regret/status.h"

/* Singular values below this share of the largest count as zero. */
#define REGRET_RANK_TOLERANCE 1e-5

enum regret_svd_method {
    REGRET_SVD_AUTO,   /* whichever of these is faster; both are exact to rounding */
    REGRET_SVD_EXACT,  /* eigenvectors of the dense Gram matrix of the smaller side */
    REGRET_SVD_LANCZOS /* block Lanczos on the smaller side, nowhere dense */
};

struct regret_svd_options {
    size_t rank; /* components wanted, >= 1; fewer come back when the matrix has fewer */
    enum regret_svd_method method;
    uint64_t seed; /* of the start of Lanczos, streams (seed, REGRET_RNG_SVD, 0 and from 2 on) */
};
#define REGRET_SVD_OPTIONS_INIT                                                                    \
    {                                                                                              \
        50, REGRET_SVD_AUTO, 0                                                                     \
    }

struct regret_svd {
    size_t n_columns; /* columns of X */
    size_t rank;      /* components found, at most the rank wanted */
    double *singular; /* rank values, descending; owned */
    double *v;        /* n_columns x rank, orthonormal columns; owned */
};

/* The leading right singular vectors of diag(√w) X. `row_weight` has x->rows elements, finite and
 * >= 0; NULL means all one. Rows of weight zero take no part. A weight of 2 equals the row twice.
 * The exact method (Gram of the smaller side s, tridiagonal eigenproblem) costs O(s³). Lanczos (src/
 * linalg/spectrum/lanczos.h) costs O(m (entries + s m)) with m vectors, 3 to 6 times the rank on texts, and keeps
 * m s doubles; every pair (σ, u) it returns has ‖A Aᵀ u − σ² u‖ of about 1e-15 σ₁², which is what rounding
 * leaves the exact one. Singular values therefore agree to 1e-12 σ₁ at every size, and singular vectors
 * to 1e-12 over the relative gap to the next value. AUTO takes the exact method where the smaller side is
 * below twelve times the rank, and where Lanczos would need the whole space.
 * Errors: REGRET_E_INPUT for rank 0, a bad weight, no row of positive weight; REGRET_E_NUMERIC when
 * LAPACK fails or X holds a value that is not finite. A zero matrix gives rank 0, not an error. */
REGRET_API int regret_svd_fit(struct regret_svd **out, const struct regret_csr *x,
                              const double *row_weight, const struct regret_svd_options *options);
/* out (x->rows x svd->rank) = X V for any X with n_columns columns. */
REGRET_API int regret_svd_project(double *out, const struct regret_svd *svd,
                                  const struct regret_csr *x);
REGRET_API void regret_svd_free(struct regret_svd *svd); /* NULL is fine */

/* Weighted principal components (or, without centring, the weighted SVD) of a dense matrix. */
struct regret_pca {
    size_t n_columns;
    size_t rank;      /* components found, at most the number wanted */
    double *mean;     /* n_columns weighted means; zeros when not centred; owned */
    double *singular; /* singular values of diag(√w)(X − 1 meanᵀ), descending; owned */
    double *v;        /* n_columns x rank, orthonormal columns; owned */
};

/* Fits on the rows x cols matrix x (column-major) with weights w >= 0 (NULL: all one), keeping at
 * most `rank` components; `centre` nonzero subtracts the weighted means. Same errors as
 * regret_svd_fit(). O(s² · l + s³) with s and l the smaller and larger side. */
REGRET_API int regret_pca_fit(struct regret_pca **out, const double *x, size_t rows, size_t cols,
                              const double *row_weight, size_t rank, int centre);
/* out (rows x pca->rank) = (X − 1 meanᵀ) V. */
REGRET_API int regret_pca_project(double *out, const struct regret_pca *pca, const double *x,
                                  size_t rows);
REGRET_API void regret_pca_free(struct regret_pca *pca); /* NULL is fine */

/* Replaces every column of x (rows x cols) by (x − m)/s, m and s its weighted mean and deviation
 * (divisor Σw; NULL weights: all one). All rows are transformed, those of weight zero too. A column
 * is constant, and becomes zero everywhere, when s is not above 1e-10 times its largest weighted
 * absolute value; *n_constant (may be NULL) counts them. REGRET_E_INPUT when Σw = 0 and
 * REGRET_E_NUMERIC for a value that is not finite (columns before it are then already replaced). */
REGRET_API int regret_standardise(double *x, size_t rows, size_t cols, const double *row_weight,
                                  size_t *n_constant);

#endif
