/* The ridge of some contexts on a design, at every penalty from one decomposition.
 *
 * With Z the rows of those contexts less their means and Z = P Σ Qᵀ, outcomes y less theirs,
 *
 *   θ = Q diag(σ/(σ² + ρ)) Pᵀ y      ŷ_i = ȳ + Σ_j P_ij σ_j²/(σ_j² + ρ) (Pᵀ y)_j
 *   h_i = 1/n + Σ_j P_ij² σ_j²/(σ_j² + ρ)
 *
 * and the fit without i misses y_i by (y_i − ŷ_i)/(1 − h_i), exactly (Allen, Technometrics 16, 1974). */
#ifndef REGRET_MODEL_SMOOTH_H
#define REGRET_MODEL_SMOOTH_H

#include <stddef.h>

#include "regret/svd.h"

struct smooth {
    size_t n, k, cols;      /* contexts, directions, columns of the design */
    size_t *at;             /* [n] the contexts; owned */
    struct regret_pca *pca; /* means, σ, Q; NULL without columns */
    double *score;          /* P Σ, n × k */
};
int smooth_create(struct smooth **out, const double *design, size_t rows, size_t cols,
                  const size_t *at, size_t n);
void smooth_free(struct smooth *s);

/* The fit of m outcomes (n × m): their means [m] and coefficients of the scores [k × m]. O(n k m). */
void smooth_fit(double *mean, double *coefficient, const struct smooth *s, double rho,
                const double *y, size_t m);
/* ŷ, n × m, and h, [n]; either may be NULL. */
void smooth_fitted(double *fitted, double *leverage, const struct smooth *s, double rho,
                   const double *mean, const double *coefficient, size_t m);
/* θ in the columns of the design, cols × m, and what to add: ȳ − θ·z̄, [m]. */
void smooth_weights(double *theta, double *intercept, const struct smooth *s, const double *mean,
                    const double *coefficient, size_t m);

#endif
