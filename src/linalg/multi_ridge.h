/* Ridge over many penalties and outcomes, and its left-out fits. */
#ifndef LINALG_MULTI_RIDGE_H
#define LINALG_MULTI_RIDGE_H

#include <stddef.h>

#include "regret/design.h"

/* Predictions (P × outputs, of all pairs) of the ridge of t (P × outputs) on the lines of a design:
 *   min over b, θ of  Σ c_p ‖t_p − b − φ_p θ‖² + ρ‖θ‖²,   ρ > 0, b free, counts c_p >= 0.
 * A dense design is solved in the smaller of its columns and the pairs with a positive count, by
 * Cholesky; a sparse or reduced one, which must see these pairs, in its columns, O(n q² + q³); an iterative one by
 * conjugate gradients, or in its columns where these are so few that it is cheaper, or, where rounding keeps the former
 * from an error of REGRET_POOLED_ERROR of the labels' scale, in coordinates of the rows in use. */
int multi_ridge_predict(double *prediction, const struct regret_design *design, const double *t,
                        size_t outputs, const double *count, double ridge);
/* Whether they are: of `rows` lines with `stored` elements in all. */
int multi_ridge_by_columns(double rows, double columns, double stored, double outputs);

#endif
