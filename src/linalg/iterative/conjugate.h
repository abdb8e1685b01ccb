/* The pooled ridge by conjugate gradients.
 *
 * A fit has weights w over the n different pairs of both samples, Σ w = 1, and outcomes ȳ of these:
 *
 *   w_i = λ c_i/n_O + (1−λ) c'_i/n',   ρ = λ ρ_O/n_O + (1−λ) ρ_E/n',
 *
 * with the counts c in OBS and c' in EXP without what is left out. With h = √w and the projection P that takes out the
 * intercept and the strong columns S (eliminate.h; without these P = I − h hᵀ), its dual is
 *
 *   M β = P h∘ȳ,   M = P diag(h) ΦΦᵀ diag(h) P + ρ I,   θ = Φᵀ h∘β,   (b, γ) those of ȳ − Φθ on (1, S).
 *
 * Vectors have a line more for every column of S, the residual of its penalty, where h and Φ are zero. A residual r moves no
 * prediction of a pair in the samples by more than
 *
 *   (1 + g) max‖φ‖ ‖r‖/(2√ρ),   since θ moves by Bᵀ M⁻¹ r with B Bᵀ + ρ I = M, and σ/(σ² + ρ) ≤ 1/(2√ρ);
 *
 * the part of Φ is φᵀδθ, that of (b, γ) is at most g ‖h∘Φδθ‖ (elimination_reach(); 1 where there is the intercept alone).
 *
 * Down to errors of 1e-5 the recurrence multiplies in single precision; the residual that proves an error is always
 * computed in double. */
#ifndef REGRET_LINALG_CONJUGATE_H
#define REGRET_LINALG_CONJUGATE_H

#include "linalg/iterative/iterative.h"

/* Several fits at once. */
struct conjugate;
int conjugate_create(struct conjugate **out, const struct iterative *it,
                     const struct iterative_fit *fit, size_t n);
void conjugate_free(struct conjugate *c);
/* Until no prediction of the fits not dropped is further than `error` from the exact one. REGRET_E_NUMERIC when
 * that is out of reach; but of a last resort only where REGRET_LOOSEST_ERROR is, too. */
int conjugate_solve(struct conjugate *c, double error);
void conjugate_drop(struct conjugate *c, size_t i);
double conjugate_error(const struct conjugate *c, size_t i); /* what is proven of fit i */
size_t conjugate_steps(const struct conjugate *c); /* products with ΦΦᵀ, summed over fits */
/* Values of fit i at the entries of a part of a sample; (θ, b), dim + 1. */
void conjugate_part_values(double *value, const struct conjugate *c, size_t i,
                           const struct iterative_part *part);
int conjugate_solution(double *solution, const struct conjugate *c, size_t i);

#endif
