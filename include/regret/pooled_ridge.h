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
 * each to an error that its residual proves (linalg/iterative.h); where that is out of reach, directly after all. */
#ifndef REGRET_POOLED_RIDGE_H
#define REGRET_POOLED_RIDGE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/matrix.h"
#include "regret/status.h"

REGRET_BEGIN_DECLS

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
    int iterative; /* sparse: 1 solves by conjugate gradients in the pairs, not in D columns */
    struct regret_solver_record *record; /* iterative: what is added to; may be NULL. One thread. */
};

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

struct regret_pooled; /* opaque; read-only after creation, so threads may share it */

/* Factorises. Either sample may be NULL: then only the λ of the other is allowed. Penalties must be
 * positive; a reduced design must see the pairs of both samples. The design must outlive the solver. O(entries·q² + q³) time, O(q² + EXP entries·q)
 * memory. REGRET_E_NUMERIC when a factorisation fails. */
REGRET_API int regret_pooled_create(struct regret_pooled **out, const struct regret_design *design,
                                    const struct regret_sample *obs,
                                    const struct regret_sample *exp, double rho_obs,
                                    double rho_exp);
REGRET_API void regret_pooled_free(struct regret_pooled *pooled);

/* A part of the EXP sample to leave out; must not be all of it, may be nothing. Borrows the solver.
 * O(|F| q) time and memory, or O(|F| q²) and O(q²) when F has more distinct lines than q. */
struct regret_left_out;
REGRET_API int regret_left_out_create(struct regret_left_out **out,
                                      const struct regret_pooled *pooled,
                                      const struct regret_sample *part);
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

REGRET_END_DECLS

#endif
