/* The preconditioner of several fits by conjugate gradients (conjugate.h): the Nyström sketch ΦΦᵀ ≈ F Fᵀ with the
 * weights of each. In single precision: it decides how many steps are taken, not what they lead to. */
#ifndef REGRET_LINALG_PRECONDITION_H
#define REGRET_LINALG_PRECONDITION_H

#include "linalg/iterative/eliminate.h"
#include "linalg/iterative/iterative.h"

struct preconditioner {
    const float *sketch; /* F, n of `lines` lines × rank, column-major; borrowed */
    size_t n, lines, strong, rank;
    float *
        core; /* rank² a fit: Cholesky factor of ρ I + Fᵀ diag(h) P diag(h) F, P of what is eliminated */
    float *weighed, *inner; /* scratch: n and rank a fit */
    float *memory;          /* of these three */
};

/* For `fits` fits with weights on the first n lines. preconditioner_set() has to come for each. */
int preconditioner_init(struct preconditioner *p, const struct iterative *it, size_t n,
                        size_t fits);
void preconditioner_clear(struct preconditioner *p);

/* Fit i, whose counts of OBS and of EXP weigh obs and exp; and what it eliminates. O(wide³). */
int preconditioner_set(struct preconditioner *p, struct elimination *e, size_t i,
                       const struct iterative *it, const struct iterative_fit *fit, double obs,
                       double exp, double rho);
/* F core⁻¹ Fᵀ(h ∘ r) of the fits listed, n a fit in the order of the list; columns of h and r are of n + q lines. Read
 * before the next call; NULL where the sketch has rank zero. O(n rank) a fit. */
const float *preconditioner_apply(struct preconditioner *p, const double *h, const double *r,
                                  const size_t *fit, size_t n_fits);

#endif
