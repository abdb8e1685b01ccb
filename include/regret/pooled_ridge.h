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
#ifndef REGRET_POOLED_RIDGE_H
#define REGRET_POOLED_RIDGE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"
#include "regret/status.h"

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

#endif
