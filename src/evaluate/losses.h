/* Losses of models, margins of policies, intervals at once. */
#ifndef EVALUATE_LOSSES_H
#define EVALUATE_LOSSES_H

#include <stddef.h>
#include <stdint.h>

/* The level of a two-sided interval of one of n estimates by which all hold at once with `level`: with Z the sums Σ_c g_c ψ_c / √Σ ψ_c²
 * of their influences by clusters, g standard normal, and c the level-quantile of max |Z| over `resamples` draws, 2 Φ(c) − 1
 * (multiplier bootstrap: Chernozhukov, Chetverikov and Kato, Annals of Statistics 41, 2013). influence is [n × n_clusters]; estimates without
 * any influence do not count. *critical gets c; NaN, and `level` in *each, where none counts. Draw b is of the stream (seed,
 * REGRET_RNG_BOOTSTRAP, b). O(resamples · n · n_clusters). */
int simultaneous_level(double *each, double *critical, const double *influence, size_t n,
                       size_t n_clusters, double level, size_t resamples, uint64_t seed,
                       size_t threads);

#endif
