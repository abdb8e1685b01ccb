/* The parts of regret_rate_check(). */
#ifndef REGRET_RATE_CHECK_H
#define REGRET_RATE_CHECK_H

#include "regret/rate_study.h"

/* Whether row i of a group counts: its W is its own. */
int check_counts(const struct regret_rate_rows *rows, size_t group, size_t i);

/* R(text with W = 1) less R(text with W = 0) of row i, by its rewrites (is_double: δ of RATE) or by the
 * original and its rewrite; NaN: one is not there. */
double advantage(const struct regret_rate_rows *rows, const struct regret_rate_model *m,
                 int is_double, size_t i);
/* The 95 % interval of a share of n by Wilson, Journal of the American Statistical Association 22 (1927)
 * 209-212. A mean of n values within 0 and 1 varies less than that: the interval is then too wide. */
void wilson_interval(double *low, double *high, double share, size_t n);
/* Appends the flips of every group to *out, which has room for 2 · REGRET_N_SIDES of each. */
int check_flips(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                const char *classifier);

#endif
