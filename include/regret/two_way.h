/* An interval for a mean over seeds of means over contexts, for new seeds and new contexts both. */
#ifndef REGRET_TWO_WAY_H
#define REGRET_TWO_WAY_H

#include <stddef.h>

#include "regret/status.h"

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
REGRET_API int regret_two_way(struct regret_two_way *out, const double *mean, size_t n_seeds,
                              const struct regret_two_way_pair *left_out, size_t n,
                              size_t n_contexts);

#endif
