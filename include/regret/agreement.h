/* How well several raters or judges of the same outputs agree. */
#ifndef REGRET_AGREEMENT_H
#define REGRET_AGREEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"

enum {
    REGRET_ALPHA_NOMINAL, /* Krippendorff's α = 1 − D_o/D_e ("Computing Krippendorff's alpha-reliability", 2011), */
    REGRET_ALPHA_ORDINAL, /* by whether ratings differ, by their mid-ranks (which his ordinal metric amounts to), */
    REGRET_ALPHA_INTERVAL, /* and by their difference squared */
    REGRET_ICC_SINGLE, /* ICC(2,1) of Shrout and Fleiss, Psychological Bulletin 86, 1979: raters are a sample of */
    REGRET_ICC_MEAN, /* such raters, absolute agreement of one rating; ICC(2,k): of the mean of all raters */
    REGRET_AGREEMENTS
};
/* "alpha nominal" and the like. */
REGRET_API const char *regret_agreement_name(size_t measure);

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
REGRET_API int regret_ratings_of_pool(struct regret_ratings *out, const struct regret_pool *pool,
                                      const size_t *components, size_t n);
REGRET_API void regret_ratings_free(struct regret_ratings *ratings);

/* The five measures, with percentile intervals at `level` over `resamples` draws of as many clusters with replacement, from the
 * stream (seed, REGRET_RNG_BOOTSTRAP). α takes all units with two ratings, ICC those that have all. REGRET_E_INPUT: fewer than two
 * raters. O(resamples · n m log n m). */
REGRET_API int regret_agreement_measure(struct regret_agreement out[REGRET_AGREEMENTS],
                                        const struct regret_ratings *ratings, size_t resamples,
                                        uint64_t seed, double level);

/* α of intervals alone, of n units by m raters. O(n m). */
REGRET_API double regret_krippendorff_alpha(const double *rating, size_t n, size_t m);

#endif
