/* A design matrix of any storage. */
#ifndef LINALG_DESIGN_H
#define LINALG_DESIGN_H

#include <stddef.h>

#include "regret/design.h"

/* Lines of n pairs, which a reduced design must see: out is n × q, column-major. */
void design_take_lines(double *out, const struct regret_design *design, const size_t *pair,
                       size_t n);

/* gram (q × q, lower triangle) = Σ count u uᵀ / divisor and moment (q × outputs) = Σ u sumᵀ /
 * divisor over n entries; sum is n × outputs. Lines are made dense a block at a time. O(n q²) time,
 * O(q) memory. */
int design_moments(double *gram, double *moment, const struct regret_design *design,
                   const size_t *pair, const double *count, const double *sum, size_t outputs,
                   double divisor, size_t n);

/* out (P × outputs) = lines of every pair times θ (q × outputs). O(stored entries · outputs). */
int design_times(double *out, const struct regret_design *design, const double *theta,
                 size_t outputs);

/* (w, b) of the sparse φ whose predictions are those of θ (q) of a design reduced from it. */
int design_sparse_coefficients(double *w, const struct regret_design *reduced, const double *theta);

/* The line of one pair of a sparse design times θ (q). O(its entries). */
double design_line_times(const struct regret_design *design, size_t pair, const double *theta);

/* φ of a sparse design's pairs with seen[p] != 0; the rows of the others are empty. */
int design_join(struct regret_csr **out, const struct regret_design *sparse,
                const unsigned char *seen);

#endif
