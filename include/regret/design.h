/* Matrices, designs of any storage, truncated SVD, ridge on two sources pooled. */
#ifndef REGRET_DESIGN_H
#define REGRET_DESIGN_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* Sparse matrices in compressed rows, and the few products the suite needs.
 *
 * Dense matrices everywhere are column-major arrays of double without padding: element (i, j) of an
 * m x n matrix is a[i + j * m]. No function here keeps state or calls threads. */

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

/* What a ridge is fitted on: samples of rows, and designs, the features of the pairs that they draw. */

/* Rows gathered by the pair they use. Entries have distinct pairs in ascending order. */
struct regret_sample {
    size_t rows;    /* Σ count */
    size_t entries; /* distinct pairs */
    size_t *pair;   /* [entries] */
    double *count;  /* [entries] rows with this pair, >= 1 */
    double *sum;    /* [entries] Σ y */
    double *square; /* [entries] Σ y² */
};

/* Gathers rows (pair[i], y[i]); with `take` not NULL only those with take[i] == wanted. Free with
 * regret_sample_free(). */
REGRET_API int regret_sample_gather(struct regret_sample **out, const uint32_t *pair,
                                    const double *y, size_t n, size_t n_pairs, const uint32_t *take,
                                    uint32_t wanted);
REGRET_API void regret_sample_free(struct regret_sample *sample);

/* What iterative fits took; counts add up. */
struct regret_solver_record {
    size_t fits;      /* solved to REGRET_POOLED_ERROR */
    size_t steps;     /* products of one vector with φφᵀ */
    size_t fallbacks; /* systems that were solved directly after all */
    double error;     /* the largest error proven of a final prediction */
};

/* The lines of P pairs, of one of three kinds. Borrowed.
 *   dense     value
 *   sparse    φ_p = own[p] + shared[group[p]], so that what all pairs of a context have in common is
 *             held once, and nothing P × dim is ever made dense
 *   reduced   a sparse φ seen from some pairs alone: Z with Z Zᵀ = φφᵀ on them. A ridge fitted on
 *             rows of these pairs has its coefficients in their span, so Z serves it exactly as φ
 *             does, in at most as many columns as there are pairs; predictions go back to φ. */
struct regret_design {
    size_t pairs;                    /* P */
    size_t dim;                      /* columns, without the intercept */
    const double *value;             /* dense: P × dim; reduced: lines × dim; column-major */
    const struct regret_csr *own;    /* P × D; NULL for a dense design */
    const struct regret_csr *shared; /* groups × D; may be NULL */
    const uint32_t *group;           /* [P] rows of `shared`; may be NULL when that is */
    size_t lines;                    /* reduced: pairs that are seen */
    const uint32_t *line; /* reduced: [P] row of `value`, UINT32_MAX where there is none */
    const size_t *basis;  /* reduced: [dim] the pairs of the first lines, where `value` is
                                        lower triangular */
    int iterative;      /* sparse: 1 solves by conjugate gradients in the pairs, not in D columns */
    size_t most_direct; /* iterative: with more pairs drawn than these no fit is solved directly
                                       after all (REGRET_LOOSEST_ERROR) */
    struct regret_solver_record *record; /* iterative: what is added to; may be NULL. One thread. */
    const struct regret_stop
        *stop; /* asked within fits, which then end with REGRET_E_CANCELLED; may be NULL */
};

/* The most_direct of a sparse design: a dense Gram matrix of 600 MB. */
enum { REGRET_MOST_DIRECT = 8192 };
/* The error of predictions that is aimed at there in the place of REGRET_POOLED_ERROR: its last two digits would be most of
 * the steps, and half of them rounding's. */
#define REGRET_MANY_ERROR 1e-8
/* The error of predictions that a fit may end at where more pairs are drawn than that, and rounding or 2,000 steps keep it
 * above what was asked for: the fit is then taken as it is, and its error told. A larger one is REGRET_E_NUMERIC. */
#define REGRET_LOOSEST_ERROR 1e-6

/* The first two kinds. */
REGRET_API struct regret_design regret_design_dense(size_t pairs, size_t dim, const double *value);
REGRET_API struct regret_design regret_design_sparse(const struct regret_csr *own,
                                                     const struct regret_csr *shared,
                                                     const uint32_t *group);

/* Coordinates Z with Z Zᵀ = φφᵀ on the pairs that are seen, in as many columns as there are at most.
 * A ridge fitted on rows of these pairs has its coefficients in their span, so Z serves it exactly as
 * φ does. */
struct regret_coordinates {
    size_t lines, rank;
    double *value;  /* lines × rank, column-major; owned, as the others */
    uint32_t *line; /* [P] the line of a pair; NULL: its own number, a line for every pair */
    size_t *basis; /* [rank] pairs of the first lines, where `value` is lower triangular; or NULL */
};

/* Z of every one of P pairs from their Gram matrix φφᵀ (P × P): that of a pair not seen is its
 * projection on the span of those that are. By the pivoted Cholesky factor of the n pairs with
 * seen[p] != 0. Frees with regret_coordinates_free(). O(n² rank + P n rank) time, O(n² + P rank)
 * memory. */
REGRET_API int regret_coordinates_of_gram(struct regret_coordinates *out, const double *gram,
                                          size_t pairs, const unsigned char *seen);
/* Z of the pairs seen of a sparse design alone, for regret_design_reduced(). O(n² overlap + n² rank)
 * time, O(n²) memory. */
REGRET_API int regret_coordinates_of_design(struct regret_coordinates *out,
                                            const struct regret_design *sparse,
                                            const unsigned char *seen);
REGRET_API void regret_coordinates_free(struct regret_coordinates *coordinates);
/* The design in these coordinates, which is solved directly whatever `sparse` says. Borrows both. O(1). */
REGRET_API struct regret_design regret_design_reduced(const struct regret_design *sparse,
                                                      const struct regret_coordinates *coordinates);

/* Ridge regression pooled over two samples, for every pooling weight and every left-out fold from
 * one factorisation.
 *
 * Convention (protocol §5). A design has P lines (the pairs of a grid); a sample draws lines with
 * repetition and attaches outcomes. With u_p the design line followed by a one for the intercept,
 * J the identity with a zero for the intercept, and θ of length q = dim + 1,
 *
 *   A = Σ_obs u uᵀ/n_O + (ρ_O/n_O) J      a = Σ_obs y u/n_O
 *   B = Σ_exp u uᵀ/n_E + (ρ_E/n_E) J      b = Σ_exp y u/n_E
 *   θ(λ) solves (λ A + (1−λ) B) θ = λ a + (1−λ) b,
 *
 * which is min (1−λ)·mean EXP loss + λ·mean OBS loss + ρ_eff ‖θ‖² with ρ_eff = (1−λ)ρ_E/n_E +
 * λρ_O/n_O and the intercept not penalised. λ = 0 is the EXP ridge, λ = 1 the OBS ridge.
 *
 * Method. A = L Lᵀ, then L⁻¹ B L⁻ᵀ = Q T Qᵀ with T tridiagonal: the system at λ is λI + (1−λ)T in
 * the coordinates Qᵀ Lᵀ θ, so every λ costs O(q). Leaving out a part F of the EXP rows,
 * n' = n_E − n_F, turns B into (n_E/n')(B − Σ_F u uᵀ/n_E): a tridiagonal matrix less one of rank
 * |F|, solved by the Woodbury identity, or directly when F has more distinct lines than q (Golub
 * and Van Loan, Matrix Computations, 4th ed., §2.1.4, §8.3.1 and §8.7; T in place of eigenvalues:
 * Eldén, BIT 17, 1977, 134–145).
 *
 * An iterative design is not factorised: its fits are solved by preconditioned conjugate gradients, many at once,
 * each to an error that its residual proves (src/linalg/iterative); where that is out of reach, directly after all. */

struct regret_pooled; /* opaque; read-only after creation, so threads may share it */

/* Factorises. Either sample may be NULL: then only the λ of the other is allowed. Penalties must be
 * positive; a reduced design must see the pairs of both samples. The design must outlive the solver. O(entries·q² + q³) time, O(q² + EXP entries·q)
 * memory. REGRET_E_NUMERIC when a factorisation fails. */
REGRET_API int regret_pooled_create(struct regret_pooled **out, const struct regret_design *design,
                                    const struct regret_sample *obs,
                                    const struct regret_sample *exp, double rho_obs,
                                    double rho_exp);
/* The same solver for a few λ of which nothing is left out: no pencil, but a Cholesky factorisation of λA + (1−λ)B
 * for each, O(q³/3). An iterative design is solved as ever. */
REGRET_API int regret_pooled_create_plain(struct regret_pooled **out,
                                          const struct regret_design *design,
                                          const struct regret_sample *obs,
                                          const struct regret_sample *exp, double rho_obs,
                                          double rho_exp);
REGRET_API void regret_pooled_free(struct regret_pooled *pooled);

/* A part of the EXP sample to leave out; must not be all of it, may be nothing. Borrows the solver, which
 * must not be a plain one.
 * O(|F| q) time and memory, or O(|F| q²) and O(q²) when F has more distinct lines than q. */
struct regret_left_out;
REGRET_API int regret_left_out_create(struct regret_left_out **out,
                                      const struct regret_pooled *pooled,
                                      const struct regret_sample *part);
/* With a part of OBS (NULL: none; not all of it) besides, for an iterative design alone. */
REGRET_API int regret_left_out_create_of_both(struct regret_left_out **out,
                                              const struct regret_pooled *pooled,
                                              const struct regret_sample *part,
                                              const struct regret_sample *obs);
REGRET_API void regret_left_out_free(struct regret_left_out *left_out);

/* Solutions live in the solver's own coordinates: regret_pooled_size() doubles. */
REGRET_API size_t regret_pooled_size(const struct regret_pooled *pooled);

/* The solution at `lambda` with `left_out` (NULL: nothing) taken away. O(q |F|² + |F|³). */
REGRET_API int regret_pooled_solve(double *solution, const struct regret_pooled *pooled,
                                   double lambda, const struct regret_left_out *left_out);

/* Several fits at once, which is what an iterative design wants: it shares their products. Other designs are solved
 * one by one, exactly. Borrows the solver and the parts. */
struct regret_pooled_fit {
    double lambda;
    const struct regret_left_out *left_out; /* or NULL */
    double rho; /* > 0: of EXP in the place of the solver's, which an iterative design allows */
};
struct regret_pooled_batch;
REGRET_API int regret_pooled_batch_create(struct regret_pooled_batch **out,
                                          const struct regret_pooled *pooled,
                                          const struct regret_pooled_fit *fit, size_t n);
REGRET_API void regret_pooled_batch_free(struct regret_pooled_batch *batch);
/* Brings every fit that is not dropped to predictions, of the pairs in the samples, within `error` of the exact
 * ones; not less than REGRET_POOLED_ERROR. May be called again with a smaller error, which goes on from there. */
REGRET_API int regret_pooled_batch_solve(struct regret_pooled_batch *batch, double error);
REGRET_API void regret_pooled_batch_drop(struct regret_pooled_batch *batch, size_t i);
/* The error proven of fit i; 0 for a direct one. */
REGRET_API double regret_pooled_batch_error(const struct regret_pooled_batch *batch, size_t i);
/* Fit i in the solver's coordinates. */
REGRET_API int regret_pooled_batch_solution(double *solution,
                                            const struct regret_pooled_batch *batch, size_t i);
/* Unclipped predictions of fit i, of all P pairs; or of the entries that it leaves out, in their order. */
REGRET_API int regret_pooled_batch_predict(double *prediction,
                                           const struct regret_pooled_batch *batch, size_t i);
REGRET_API void regret_pooled_batch_predict_part(double *prediction,
                                                 const struct regret_pooled_batch *batch, size_t i);
/* What an iterative fit is solved to where nobody says; the bound is a worst case, errors are smaller by far. */
#define REGRET_POOLED_ERROR 1e-10

/* Predictions, unclipped, for all P pairs; or for the entries of a left-out part, in its order. */
REGRET_API int regret_pooled_predict(double *prediction, const struct regret_pooled *pooled,
                                     const double *solution);
REGRET_API void regret_left_out_predict(double *prediction, const struct regret_left_out *left_out,
                                        const double *solution);

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
 * linalg/svd.h) costs O(m (entries + s m)) with m vectors, 3 to 6 times the rank on texts, and keeps
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
