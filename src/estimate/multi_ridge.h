/* Ridge with several outputs at once, the regression behind predicted labels. */
#ifndef REGRET_ESTIMATE_MULTI_RIDGE_H
#define REGRET_ESTIMATE_MULTI_RIDGE_H

#include <stddef.h>

#include "regret/pooled_ridge.h"

/* Predictions (rows x outputs, of all rows) of the ridge of t (rows x outputs) on x (rows x cols):
 *   min over b, θ of  Σ c_i ‖t_i − b − x_i θ‖² + ρ‖θ‖²,   ρ > 0, b free, counts c_i >= 0.
 * Solved in the smaller of cols and the number of rows with a positive count, by Cholesky. */
int multi_ridge_predict(double *prediction, const double *x, size_t rows, size_t cols,
                        const double *t, size_t outputs, const double *count, double ridge);

/* The same on the lines of a design, which may be sparse: solved in its columns, O(n q² + q³). */
int multi_ridge_predict_design(double *prediction, const struct regret_design *design,
                               const double *t, size_t outputs, const double *count, double ridge);

#endif
