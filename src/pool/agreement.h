/* Agreement of judges, and spread of draws. */
#ifndef POOL_AGREEMENT_H
#define POOL_AGREEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"

/* How well several raters or judges of the same outputs agree. */

enum {
    REGRET_ALPHA_NOMINAL, /* Krippendorff's α = 1 − D_o/D_e ("Computing Krippendorff's alpha-reliability", 2011), */
    REGRET_ALPHA_ORDINAL, /* by whether ratings differ, by their mid-ranks (which his ordinal metric amounts to), */
    REGRET_ALPHA_INTERVAL, /* and by their difference squared */
    REGRET_ICC_SINGLE, /* ICC(2,1) of Shrout and Fleiss, Psychological Bulletin 86, 1979: raters are a sample of */
    REGRET_ICC_MEAN, /* such raters, absolute agreement of one rating; ICC(2,k): of the mean of all raters */
    REGRET_AGREEMENTS
};
/* "alpha nominal" and the like. */
const char *regret_agreement_name(size_t measure);

/* NaN where nothing tells: no unit has two ratings, or nothing differs. */
struct regret_agreement {
    double value, low, high;
};

/* Units by raters. */
struct regret_ratings {
    double *rating; /* n × m by units, NaN: none; owned */
    size_t n_units, n_raters;
    size_t *cluster; /* units cluster[c] to cluster[c + 1] − 1 are drawn together; owned */
    size_t n_clusters;
};

/* Outputs of a checked pool as units, their contexts as clusters, and components, by their numbers, as raters; scores are
 * normalised. To be freed even on failure. */
int regret_ratings_of_pool(struct regret_ratings *out, const struct regret_pool *pool,
                           const size_t *components, size_t n);
void regret_ratings_free(struct regret_ratings *ratings);

/* The five measures, with percentile intervals at `level` over `resamples` draws of as many clusters with replacement, from the
 * stream (seed, REGRET_RNG_BOOTSTRAP). α takes all units with two ratings, ICC those that have all. REGRET_E_INPUT: fewer than two
 * raters. O(resamples · n m log n m). */
int regret_agreement_measure(struct regret_agreement out[REGRET_AGREEMENTS],
                             const struct regret_ratings *ratings, size_t resamples, uint64_t seed,
                             double level);

/* A pool with other scores than the one it was made of. */

/* The scores are its own; texts, ids and all else are borrowed from the other pool, which must outlive it. Not to be
 * freed as a pool. */
struct spread_pool {
    struct regret_pool pool;
    struct regret_spread_options options;
    double *values; /* of all outputs */
    size_t clipped; /* scores that had to be moved into their range */
};

/* regret_pool_spread() of a copy. */
int spread_pool_create(struct spread_pool **out, const struct regret_pool *pool,
                       const struct regret_spread_options *options);
void spread_pool_free(struct spread_pool *spread); /* NULL is fine */

#endif
