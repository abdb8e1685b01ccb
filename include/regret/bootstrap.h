/* The bootstrap over rows: any statistic of resampled rows, in parallel, the same bytes whatever
 * the number of threads (Efron 1979, doi:10.1214/aos/1176344552). */
#ifndef REGRET_BOOTSTRAP_H
#define REGRET_BOOTSTRAP_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"

/* The statistics of one resample. `weight[i]` says how often row i was drawn (a whole number; the
 * weights sum to n_rows). Writes n_statistics numbers to `out`; NaN where the resample does not
 * define one (no row of a group was drawn). `worker` in 0..threads-1 is for scratch memory. Must
 * depend on nothing but `weight` and what `context` held at the start. Returns 0 or a negative
 * code, which ends the bootstrap. */
typedef int regret_statistics(void *context, double *out, const double *weight, size_t worker);

struct regret_bootstrap_options {
    size_t n_replicates; /* 1 … 2^31 - 1 */
    uint64_t seed;       /* replicate b draws from the stream */
    uint64_t first;      /* (seed, REGRET_RNG_BOOTSTRAP, first + b); 0, or apart from another's */
    size_t threads;      /* >= 1 */
};

/* Draws n_rows of n_rows with replacement, n_replicates times, and writes the statistics of
 * replicate b to replicates[b*n_statistics .. ), an array of n_replicates * n_statistics numbers
 * that the caller owns. 1 <= n_rows <= 2^32 - 1. Takes O(n_rows) memory a thread and, beside the
 * statistics, O(n_rows) time a replicate. */
REGRET_API int regret_bootstrap(double *replicates, size_t n_rows, size_t n_statistics,
                                const struct regret_bootstrap_options *options,
                                regret_statistics *statistics, void *context);

/* What the replicates say about one statistic. */
struct regret_bootstrap_interval {
    double se;          /* standard deviation of the replicates (n - 1) */
    double low, high;   /* percentile interval */
    size_t n_undefined; /* replicates that were NaN; the rest are described */
};

/* Summarises column `statistic` at the given level (0.95): the quantiles (1 ± level)/2, linear
 * between order statistics. NaN throughout when fewer than two replicates are defined.
 * O(n log n). */
REGRET_API int regret_bootstrap_summarise(struct regret_bootstrap_interval *out,
                                          const double *replicates, size_t n_replicates,
                                          size_t n_statistics, size_t statistic, double level);

#endif
