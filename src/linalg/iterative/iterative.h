/* The pooled ridge by conjugate gradients, for sparse designs whose Gram matrix would be too dear.
 *
 * A fit has weights w over the n different pairs of both samples, Σ w = 1, and outcomes ȳ of these:
 *
 *   w_i = λ c_i/n_O + (1−λ) c'_i/n',   ρ = λ ρ_O/n_O + (1−λ) ρ_E/n',
 *
 * with the counts c in OBS and c' in EXP without what is left out. With h = √w and the projection
 * P = I − h hᵀ, which takes the intercept out, its dual is
 *
 *   M β = P h∘ȳ,   M = P diag(h) ΦΦᵀ diag(h) P + ρ I,   θ = Φᵀ h∘β,   b = wᵀ(ȳ − Φθ).
 *
 * A residual r of it moves no prediction of a pair in the samples by more than
 *
 *   2 max‖φ‖ ‖r‖/(2√ρ),   since θ moves by Bᵀ M⁻¹ r with B Bᵀ + ρ I = M, and σ/(σ² + ρ) ≤ 1/(2√ρ).
 *
 * Down to errors of 1e-5 the recurrence multiplies in single precision; the residual that proves an error is always
 * computed in double.
 *
 * Preconditioner: a Nyström sketch ΦΦᵀ ≈ F Fᵀ of rank r, the same for every fit (Frangella, Tropp and Udell,
 * "Randomized Nyström preconditioning", SIAM J. Matrix Anal. Appl. 44, 2023), its core r × r for the weights of each. */
#ifndef REGRET_LINALG_ITERATIVE_H
#define REGRET_LINALG_ITERATIVE_H

#include "regret/pooled_ridge.h"

/* Products of a vector with φφᵀ: what the sketch takes, and a fit that is used, as it was on pools of 2,000 to 46,000
 * pairs (docs/speed.md). One multiply-add of them takes the time of so many of a product of dense matrices. */
enum { ITERATIVE_SKETCH_PRODUCTS = 320, ITERATIVE_FIT_PRODUCTS = 38, ITERATIVE_DEARNESS = 8 };

struct iterative; /* both samples over one design; read-only once made */

int iterative_create(struct iterative **out, const struct regret_design *design,
                     const struct regret_sample *obs, const struct regret_sample *exp,
                     double rho_obs, double rho_exp);
void iterative_free(struct iterative *it);

/* Part of EXP: its lines and their share of the sketch's core. */
struct iterative_part;
int iterative_part_create(struct iterative_part **out, const struct iterative *it,
                          const struct regret_sample *part);
void iterative_part_free(struct iterative_part *part);

/* Several fits at once. */
struct conjugate;
struct iterative_fit {
    double lambda;
    const struct iterative_part *left_out; /* or NULL */
    const double *obs_sum; /* Σ y of the entries of OBS instead of its own, without EXP; or NULL */
};
int conjugate_create(struct conjugate **out, const struct iterative *it,
                     const struct iterative_fit *fit, size_t n);
void conjugate_free(struct conjugate *c);
/* Until no prediction of the fits not dropped is further than `error` from the exact one. REGRET_E_NUMERIC when
 * that is out of reach. */
int conjugate_solve(struct conjugate *c, double error);
void conjugate_drop(struct conjugate *c, size_t i);
double conjugate_error(const struct conjugate *c, size_t i); /* what is proven of fit i */
size_t conjugate_steps(const struct conjugate *c); /* products with ΦΦᵀ, summed over fits */
/* Values of fit i at the entries of what it leaves out; (θ, b), dim + 1. */
void conjugate_part_values(double *value, const struct conjugate *c, size_t i);
int conjugate_solution(double *solution, const struct conjugate *c, size_t i);

#endif
