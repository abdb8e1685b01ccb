/* The intercept and the strong columns S of several fits, eliminated exactly. Their penalty is rows of its own: with
 *
 *   X = [h  h∘S; 0  √ρ I]   and   P = I − X (XᵀX)⁻¹ Xᵀ
 *
 * over n lines and q more, whose weights h and features Φ are zero, a fit is one in Φ alone (conjugate.h). S is centred by
 * the weights, m = Sᵀw, so that the intercept stands apart: P takes h out first, then h∘(S − 1mᵀ). */
#ifndef REGRET_LINALG_ELIMINATE_H
#define REGRET_LINALG_ELIMINATE_H

#include "linalg/iterative/strong.h"

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

#endif
