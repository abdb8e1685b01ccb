/* Least squares. */
#ifndef REGRET_LINALG_LEAST_SQUARES_H
#define REGRET_LINALG_LEAST_SQUARES_H

#include <stddef.h>

/* b (d + 1, the intercept last) of the least-squares fit of y [n] on the columns of x (n × d,
 * column-major) over the rows with use[i] != 0; that of minimum norm where there are many. */
int least_squares(double *b, const double *x, size_t d, const double *y, size_t n,
                  const unsigned char *use);

#endif
