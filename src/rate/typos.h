/* The study of typos. */
#ifndef RATE_TYPOS_H
#define RATE_TYPOS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/rate.h"

enum { REGRET_RATE_SHIFT_LEVELS = 11 };

/* Rows by the target attribute (a: W) and an off-target one (z). */
struct regret_rate_shift_cells {
    size_t a1z1, a0z1, a1z0, a0z0;
};

/* How many rows of each cell make level i = 0..10, where P(Z=1 | W=1) = .5 + .05 i and
 * P(Z=1 | W=0) = .5 − .05 i, the total is the same at every level and no row is needed twice: from
 * m, the smallest cell, ⌊2m·p⌋ and ⌊2m·(1−p)⌋; the larger scaled to m, ⌊·⌋; all levels scaled to
 * the smallest total, ⌊·⌋. In double precision, as the papers' tables were made. */
void regret_rate_shift_counts(struct regret_rate_shift_cells out[REGRET_RATE_SHIFT_LEVELS],
                              struct regret_rate_shift_cells sizes);

/* The least-squares line of an estimate over the level number. The levels share rows: the standard
 * error has each row as one cluster, within the cells of W and Z that the design fixes
 * (src/rate/shift.c has the formula). */
struct regret_rate_slope {
    double slope, se; /* NaN with fewer than two levels estimated */
};

/* One reward model of one group over all levels. */
struct regret_rate_shift {
    size_t group, model;
    const char *missing; /* why the group cannot be sampled (static text), or NULL */
    struct regret_rate_shift_cells sizes, counts[REGRET_RATE_SHIFT_LEVELS];
    struct regret_rate_estimate levels[REGRET_RATE_SHIFT_LEVELS];
    struct regret_rate_slope naive, single, rate; /* of naive, single ATE and RATE ATE */
};

/* Samples every level without replacement, by options->seed, and estimates each. A model is sampled
 * from the rows that have W, Z and every score of this model; models with the same rows share their
 * samples. *out is an array of *n that the caller frees with regret_free(). options->subset is not
 * used. O(levels · rows · models) for each set of models with the same rows. */
int regret_rate_shift(struct regret_rate_shift **out, size_t *n,
                      const struct regret_rate_rows *rows,
                      const struct regret_rate_options *options);

struct regret_rate_texts {
    char **text; /* n strings, UTF-8; owned */
    size_t n;
};

/* Texts from a file: .tsv or .csv (in any case) with a header line, read as csv.h has it, the
 * column named; or else JSONL with the text in the field of that name. In a .tsv a quote that
 * RFC 4180 does not allow is text. A zero byte and invalid UTF-8 are refused with their line. */
int regret_rate_texts_read(struct regret_rate_texts *out, const char *path, const char *column);
void regret_rate_texts_free(struct regret_rate_texts *texts);

struct regret_rng;
/* Appends `text` with typos: ⌊words · percent/100⌋ words drawn without replacement; in each of more
 * than two characters one random pair of neighbours is swapped, if both are letters. Words are
 * then joined by single spaces; with no word to spoil the text stays as it is. */
void regret_rate_add_typos(struct regret_buffer *out, const char *text, size_t percent,
                           struct regret_rng *rng);

/* Appends the texts with typos in `percent` of the words as rows of JSONL, for a rewriter and reward models: W is "starts
 * with a vowel", taken before the typos, which only texts with W = 1 get. The rows have `dataset`, and "typo_percent". */
int regret_rate_write_typo_texts(struct regret_buffer *out, const struct regret_rate_texts *texts,
                                 size_t percent, uint64_t seed, const char *dataset);

enum { REGRET_RATE_TYPO_MAX = 32 };

struct regret_rate_typo_rates {
    const char *dataset; /* a name for the texts */
    size_t n;
    size_t percents[REGRET_RATE_TYPO_MAX]; /* increasing, each at most 100 */
};

/* One reward model over all rates. */
struct regret_rate_typos {
    char *model; /* owned */
    struct regret_rate_estimate rates[REGRET_RATE_TYPO_MAX];
};

/* From finished rows that were written as above, rewritten and scored: each dataset is a rate, and its name the percent
 * (read them with dataset_field "typo_percent"), of one attribute. *out is an array of *n, freed with
 * regret_rate_typos_free(). */
int regret_rate_scored_typos(struct regret_rate_typos **out, size_t *n,
                             struct regret_rate_typo_rates *rates,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_options *estimate);
void regret_rate_typos_free(struct regret_rate_typos *typos, size_t n);

/* One response is (X, W, Z, ξ), its reward
 *   R = e_X + τ W + γ Z + κ W Z + θ ξ + ω W ξ,
 * with P(W=1) = π, P(Z=1 | W=w) = p_w, ξ of mean m_w and deviation s for an original, and, for
 * every rewrite to w', redrawn with mean μ + Δ w' and deviation s (all noise uniform, so R is
 * bounded). Assumption 1 of the paper is Δ = 0, assumption 2 is ω = 0; then R = R_WZ + R_ξ. */
struct regret_rate_world {
    const char *name, *about; /* static text */
    double pi, p1, p0;
    double tau, gamma, kappa, theta, omega;
    double m1, m0, mu, delta, s;
    double prompt_deviation; /* of e_X */
};

/* The three worlds: [0] both assumptions hold, [1] Δ ≠ 0, [2] ω ≠ 0. */
enum { REGRET_RATE_N_WORLDS = 3 };
const struct regret_rate_world *regret_rate_worlds(void);

/* True ATE, ATT and ATU of a world (in this order), and what each estimator's expectation misses
 * them by. The naive estimate is held against the ATE. */
enum {
    REGRET_RATE_WORLD_NAIVE,
    REGRET_RATE_WORLD_SINGLE_ATE,
    REGRET_RATE_WORLD_SINGLE_ATT,
    REGRET_RATE_WORLD_SINGLE_ATU,
    REGRET_RATE_WORLD_RATE_ATE,
    REGRET_RATE_WORLD_RATE_ATT,
    REGRET_RATE_WORLD_RATE_ATU,
    REGRET_RATE_N_WORLD_ESTIMATORS /* the first of enum regret_rate_effect_kind, in the same order */
};
void regret_rate_world_truth(double truth[REGRET_RATE_N_WORLD_ESTIMATORS],
                             double bias[REGRET_RATE_N_WORLD_ESTIMATORS],
                             const struct regret_rate_world *world);

/* Draws n rows of replicate `replicate` as a finished table with one group and one model. */
int regret_rate_world_rows(struct regret_rate_rows **out, const struct regret_rate_world *world,
                           size_t n, uint64_t seed, uint64_t replicate);

/* What the replications say about one estimator. */
struct regret_rate_world_result {
    double truth, predicted_bias;
    double bias, bias_se; /* mean error over replications, and its standard error */
    double rmse;
    double coverage;  /* share of the 95 % intervals that hold the truth */
    size_t n_missing; /* replications without the estimate; the others are described */
};

/* Replicates [0, n_replicates) on `threads` threads; the same numbers whatever their number. */
int regret_rate_world_run(struct regret_rate_world_result out[REGRET_RATE_N_WORLD_ESTIMATORS],
                          const struct regret_rate_world *world, size_t n_rows, size_t n_replicates,
                          uint64_t seed, size_t threads);

#endif
