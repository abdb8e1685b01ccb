/* Row weights: multiplicities of a sample, or any other non-negative weights. */
#ifndef REGRET_LINALG_WEIGHTS_H
#define REGRET_LINALG_WEIGHTS_H

#include <stddef.h>

/* REGRET_E_INPUT unless all are finite and >= 0 with a positive sum. NULL stands for all ones, fine
 * when there is a row. */
int weights_check(const double *row_weight, size_t rows);

#endif
