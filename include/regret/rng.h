/* Counter-based random numbers: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC 2011, doi:10.1145/2063384.2063405).
 *
 * A stream is named by (seed, purpose, index) and never depends on the order of execution, the
 * thread or the shard: row i of a sample has a stream of its own, so a budget of 200 rows is the
 * first 200 of a budget of 800 whatever either does with its numbers. */
#ifndef REGRET_RNG_H
#define REGRET_RNG_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"

/* What a stream is for. Values are part of every published number: never renumber, only append. */
enum regret_purpose {
    REGRET_RNG_SPLIT = 1,         /* train/test split of the contexts */
    REGRET_RNG_EXP_ROW = 2,       /* one EXP row */
    REGRET_RNG_OBS_ROW = 3,       /* one OBS row */
    REGRET_RNG_EXP_OUTCOME = 4,   /* the outcome of one EXP row */
    REGRET_RNG_OBS_OUTCOME = 5,   /* the outcome of one OBS row */
    REGRET_RNG_LOGGING_THETA = 6, /* the logging policy's fixed agent vectors */
    REGRET_RNG_CV_FOLDS = 7,      /* agent (or row) folds of causal cross-validation */
    REGRET_RNG_DR_FOLDS = 8,      /* row folds of DR cross-fitting */
    REGRET_RNG_OBS_FOLDS = 9,     /* row folds that cross-fit the OBS baseline */
    REGRET_RNG_HOLDOUT = 10,      /* the EXP holdout */
    REGRET_RNG_BOOTSTRAP = 11,    /* bootstrap resamples */
    REGRET_RNG_SVD = 12,          /* the random starts of the SVD by Lanczos */
    REGRET_RNG_WORLD = 13,        /* the controlled world's fixed parameters */
    REGRET_RNG_NEWSWIRE = 14,     /* the newswire generator */
    REGRET_RNG_PATCHES = 15,      /* of coding pools; no longer drawn from */
    REGRET_RNG_RATE = 16,         /* the attribute-effect module */
    REGRET_RNG_OBS_CV = 17,       /* context folds of OBS that choose ρ_O */
    REGRET_RNG_SKETCH = 18,       /* the test matrix of a sketch (linalg/spectrum) */
    REGRET_RNG_EXTERNAL = 19,     /* what a family of one's own may draw from */
    REGRET_RNG_SPREAD = 20,       /* noise on the scores of a pool that is read */
    REGRET_RNG_LOG_DRAW = 21,     /* which OBS rows of a large log have texts */
    REGRET_RNG_DIAGNOSE = 22,     /* permutations and draws of diagnostics of a log */
    REGRET_RNG_EXP_JUDGED = 23,   /* what OBS's judge says of one EXP row */
    REGRET_RNG_SELECT = 24,       /* a sample of the contexts of a pool */
    REGRET_RNG_TEST = 1000        /* the tests' own numbers */
};

/* One block: four 32-bit words from a 128-bit counter and a 64-bit key. Pure. */
REGRET_API void regret_philox4x32(uint32_t out[4], const uint32_t counter[4],
                                  const uint32_t key[2]);

struct regret_rng {
    uint32_t key[2];     /* the seed, low word first */
    uint32_t counter[4]; /* block number, purpose, index low, index high */
    uint32_t block[4];   /* the present block */
    int used;            /* words of `block` already handed out, 0..4 */
};

/* The stream (seed, purpose, index) at its beginning. At most 2^34 words may be drawn from it. */
REGRET_API struct regret_rng regret_rng_at(uint64_t seed, uint32_t purpose, uint64_t index);

/* The next word of the stream, and the next two as one. */
REGRET_API uint32_t regret_rng_u32(struct regret_rng *r);
REGRET_API uint64_t regret_rng_u64(struct regret_rng *r);
/* Uniform on the open interval (0,1): 52 bits, never 0 and never 1. */
REGRET_API double regret_rng_uniform(struct regret_rng *r);
/* Uniform on {0, …, n-1}, without modulo bias (Lemire 2019, doi:10.1145/3230636). n >= 1. */
REGRET_API uint32_t regret_rng_below(struct regret_rng *r, uint32_t n);
/* Standard normal (Box and Muller; one deviate from two uniforms). */
REGRET_API double regret_rng_normal(struct regret_rng *r);
/* Gamma(shape, 1), shape > 0 (Marsaglia and Tsang 2000, doi:10.1145/358407.358414). */
REGRET_API double regret_rng_gamma(struct regret_rng *r, double shape);
/* Beta(a, b), a, b > 0. */
REGRET_API double regret_rng_beta(struct regret_rng *r, double a, double b);
/* Permutes items[0..n) uniformly (Fisher and Yates). n <= 2^32 - 1. */
REGRET_API void regret_rng_shuffle(struct regret_rng *r, size_t *items, size_t n);

/* A random order of 0 to n − 1 by the stream at (seed, purpose, index); free with regret_free(). O(n). */
REGRET_API int regret_rng_order(size_t **out, size_t n, uint64_t seed, uint32_t purpose,
                                uint64_t index);

#endif
