/* How good a recommendation is (protocol §7). Surfaces are [n_contexts × n_agents], row-major by
 * context: the mean over draws of a pair's value.
 *
 * A pair whose mu is NaN is unobserved: nothing is recommended, or known to be best, but what is observed. A context
 * with fewer than two observed agents takes no part in regrets and hits, but where there is one agent in all; without
 * any context these are NaN. */
#ifndef REGRET_MEASURE_H
#define REGRET_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"

/* Index of the largest value; ties: the lowest index. NaN never wins (0 when all are). */
REGRET_API size_t regret_argmax(const double *value, size_t n);

/* The observed agent of the largest f: the argmax where all of mu's row are known. f of NaN never wins; of equals,
 * and where all are NaN, the lowest. 0 where none is observed. */
REGRET_API size_t regret_argmax_observed(const double *f, const double *mu, size_t n);
/* 1: a context whose agents' mu these are takes part. */
REGRET_API int regret_is_comparable(const double *mu, size_t n);

/* Mean over contexts of max_a mu − mu(argmax_a f). */
REGRET_API double regret_recommendation_regret(const double *mu, const double *f, size_t n_contexts,
                                               size_t n_agents);
/* Regret of recommending `agent` everywhere, which all of mu must be known for, and of recommending uniformly at
 * random among what is observed. */
REGRET_API double regret_fixed_agent_regret(const double *mu, size_t agent, size_t n_contexts,
                                            size_t n_agents);
REGRET_API double regret_random_regret(const double *mu, size_t n_contexts, size_t n_agents);

/* Root mean square of a − b over n numbers. */
REGRET_API double regret_rmse(const double *a, const double *b, size_t n);

/* Measures of a ranking; NaN when a value is.
 *
 * 1 when the estimated best agent is the true one, else 0 [C]. */
REGRET_API double regret_top1(const double *truth, const double *estimate, size_t n);
/* Share of the true best three agents among the estimated best three (fewer agents: all) [C]. */
REGRET_API double regret_top3(const double *truth, const double *estimate, size_t n);

/* Spearman's rank correlation with average ranks for ties; NaN when a side is constant. */
REGRET_API double regret_spearman(const double *a, const double *b, size_t n);

/* Kendall's τ_b, which allows for ties (Kendall 1945, doi:10.1093/biomet/33.3.239); NaN when a side is
 * constant. O(n²). */
REGRET_API double regret_kendall(const double *a, const double *b, size_t n);

/* The share of contexts in which a true best agent is among the k that f puts highest; a row of mu and f
 * is a context's. Ties: every agent of the largest mu is a best one, equals of f go by the lowest index,
 * as in regret_argmax(). So hits at 1 are the contexts without regret, and at k >= n_agents all. Among what is
 * observed alone. NaN when an f of that is. O(contexts · agents²). */
REGRET_API double regret_hit_rate(const double *mu, const double *f, size_t n_contexts,
                                  size_t n_agents, size_t k);

/* Held-out R² of y on the columns of x (n × d, column-major): least squares (minimum norm) with an
 * intercept on the rows with train[i] != 0, R² = 1 − SSE/SST over the rows with test[i] != 0, SST
 * about their own mean. NaN when y does not vary there. *clipped (may be NULL) is that of the predictions
 * moved into [0,1], as families give them: a target that lies there is never predicted worse, and one
 * row far from all others cannot decide it. */
REGRET_API int regret_held_out_r2(double *out, double *clipped, const double *x, size_t d,
                                  const double *y, size_t n, const unsigned char *train,
                                  const unsigned char *test);

#endif
