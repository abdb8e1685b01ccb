/* What iterations are preconditioned by. */
#ifndef LINALG_PRECONDITION_H
#define LINALG_PRECONDITION_H

#include <stddef.h>

#include "linalg/iterative.h"

/* The intercept and the strong columns S of several fits, eliminated exactly. Their penalty is rows of its own: with
 *
 *   X = [h  h∘S; 0  √ρ I]   and   P = I − X (XᵀX)⁻¹ Xᵀ
 *
 * over n lines and q more, whose weights h and features Φ are zero, a fit is one in Φ alone (internal.h). S is centred by
 * the weights, m = Sᵀw, so that the intercept stands apart: P takes h out first, then h∘(S − 1mᵀ). */

struct elimination {
    const struct strong *strong; /* borrowed */
    double *core; /* q² a fit: Cholesky factor L of G = (S − 1mᵀ)ᵀ W (S − 1mᵀ) + ρ I */
    double *mean; /* q a fit: m */
    double *root; /* a fit: √ρ */
};

int elimination_init(struct elimination *e, const struct strong *strong, size_t fits);
void elimination_clear(struct elimination *e);
/* Fit i: G without ρ at gram, lower, of leading dimension ld, and m. O(q³). */
int elimination_set(struct elimination *e, size_t i, const double *gram, size_t ld,
                    const double *mean, double rho);

/* v ← P v for v of n + q lines; the intercept that this takes out is returned, about the centre, and the coefficients of S
 * are in c (2q, the second half scratch). O(n + entries + q²). */
double elimination_project(double *v, double *c, const struct elimination *e, size_t i,
                           const double *h, size_t n);
/* The largest factor by which an error in Φ moves what is eliminated at one of the first n lines: with s its line of S and
 * y = G⁻¹(s − m), √(1 + yᵀ(G − ρI)y). O(distinct lines · q²). */
int elimination_reach(double *reach, const struct elimination *e, size_t i, size_t n);

/* The preconditioner of several fits by conjugate gradients (internal.h): the Nyström sketch ΦΦᵀ ≈ F Fᵀ with the
 * weights of each. In single precision: it decides how many steps are taken, not what they lead to. */

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
