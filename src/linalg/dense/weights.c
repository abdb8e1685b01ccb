#include "linalg/dense/weights.h"

#include <limits.h>
#include <math.h>

#include "regret/status.h"

int weights_check(const double *row_weight, size_t rows)
{
    double sum = row_weight == NULL ? (double)rows : 0.0;
    for (size_t i = 0; row_weight != NULL && i < rows; i++) {
        if (!isfinite(row_weight[i]) || row_weight[i] < 0.0) {
            return regret_fail(REGRET_E_INPUT,
                               "the weight of row %zu is %g: weights must be finite and >= 0", i,
                               row_weight[i]);
        }
        sum += row_weight[i];
    }
    if (!(sum > 0.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "no row of %zu has a positive weight: there is nothing "
                           "to fit on; give a sample with at least one row",
                           rows);
    }
    return REGRET_OK;
}

int sides_check(size_t rows, size_t cols)
{
    if (rows > INT_MAX || cols > INT_MAX) {
        return regret_fail(REGRET_E_INPUT,
                           "a matrix of %zu x %zu is too large for BLAS: at most %d rows and "
                           "columns; use fewer documents or terms",
                           rows, cols, INT_MAX);
    }
    return REGRET_OK;
}
