/* Resampling, and intervals over two ways of clustering. */
#ifndef STATS_RESAMPLING_H
#define STATS_RESAMPLING_H

#include <stddef.h>
#include <stdint.h>

/* The resamples of the bootstrap: everything that is resampled here draws by one of these. */

/* Resample `number` of n observations (1 to 2^32 - 1), from regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, number): which
 * ones, in the order in which they are drawn. */
void resample_draw(uint32_t *drawn, size_t n, uint64_t seed, uint64_t number);

/* The bootstrap over rows: any statistic of resampled rows, in parallel, the same bytes whatever
 * the number of threads (Efron 1979, doi:10.1214/aos/1176344552). */

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
int regret_bootstrap(double *replicates, size_t n_rows, size_t n_statistics,
                     const struct regret_bootstrap_options *options, regret_statistics *statistics,
                     void *context);

/* What the replicates say about one statistic. */
struct regret_bootstrap_interval {
    double se;          /* standard deviation of the replicates (n - 1) */
    double low, high;   /* percentile interval */
    size_t n_undefined; /* replicates that were NaN; the rest are described */
};

/* Summarises column `statistic` at the given level (0.95): the quantiles (1 ± level)/2, linear
 * between order statistics. NaN throughout when fewer than two replicates are defined.
 * O(n log n). */
int regret_bootstrap_summarise(struct regret_bootstrap_interval *out, const double *replicates,
                               size_t n_replicates, size_t n_statistics, size_t statistic,
                               double level);

/* An interval for a mean over seeds of means over contexts, for new seeds and new contexts both. */

/* A context that a seed held out: by how much the mean of that seed changes when the context is left
 * out. NaN where the seed has no other, and so no mean without it. */
struct regret_two_way_pair {
    size_t seed, context; /* no two have the same of both */
    double shift;
};

/* With T the mean of n_seeds numbers m_s, and T₋ₖ what becomes of it when k is left out (a seed; a context in
 * every seed; a context in one seed), the jackknife's variances over the n that there are of k,
 *
 *     V_k = (n − 1)/n · Σ_k (T₋ₖ − T)²,
 *
 * one for each way of clustering: V_seeds, the squared standard error of the mean of the m_s; V_contexts; and
 * V_both, of each context of each seed, whose part the other two both hold. Where seeds and contexts
 * are exchangeable, the variance of T is
 *
 *     V = V_seeds + V_contexts − V_both,
 *
 * not below either of the first two (Cameron, Gelbach and Miller, "Robust inference with multiway
 * clustering", Journal of Business & Economic Statistics 29 (2011) 238-249; by jackknife MacKinnon, Nielsen
 * and Webb, arXiv:2406.08880). The interval is T ± t √V, t Student's with as many degrees of freedom as
 * the fewer of seeds and contexts less one. Not in it is what all seeds share: the contexts that
 * surfaces were trained on are those of one pool (docs/paper.md measures what that costs). */
struct regret_two_way {
    double mean;
    double v_seeds, v_contexts, v_both;
    double se, df, low, high; /* of the 95 % interval */
    size_t n_seeds, n_contexts;
};

/* Of n_seeds finite means, and the n pairs of a seed and a context that it held out; numbers of contexts are
 * below `n_contexts`, and those that no seed held out do not count. V and what follows from it are NaN of fewer than two
 * seeds or contexts, and where a context is all that every seed has. O(n + n_seeds + n_contexts). */
int regret_two_way(struct regret_two_way *out, const double *mean, size_t n_seeds,
                   const struct regret_two_way_pair *left_out, size_t n, size_t n_contexts);

#endif
