/* What every fit asks of its input first. Row weights: multiplicities of a sample, or any other
 * non-negative weights. */
#ifndef REGRET_LINALG_WEIGHTS_H
#define REGRET_LINALG_WEIGHTS_H

#include <stddef.h>

/* REGRET_E_INPUT unless all are finite and >= 0 with a positive sum. NULL stands for all ones, fine
 * when there is a row. */
int weights_check(const double *row_weight, size_t rows);

/* REGRET_E_INPUT when a side does not fit the integers of BLAS and LAPACK. */
int sides_check(size_t rows, size_t cols);

#endif
