/* Exact probabilities of counts. */
#ifndef REGRET_EVALUATE_BALANCE_BINOMIAL_H
#define REGRET_EVALUATE_BALANCE_BINOMIAL_H

#include <stddef.h>

/* Twice the smaller of P(X <= k) and P(X >= k), at most 1, of a binomial X of n trials; 0 < p <= 1. O(n). */
double binomial_two_sided(size_t k, size_t n, double p);

#endif
