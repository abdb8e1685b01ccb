/* The experiments that show rewrite-based RATE (see rate.h) at work: distribution shift, typos,
 * a world whose truth is known, and the synthetic example set. */
#ifndef REGRET_RATE_STUDY_H
#define REGRET_RATE_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/rate.h"

REGRET_BEGIN_DECLS

/* ---- Shift (paper, Figs 4 and 6, Tables 3 and 4) ---- */

enum { REGRET_RATE_SHIFT_LEVELS = 11 };

/* Rows by the target attribute (a: W) and an off-target one (z). */
struct regret_rate_shift_cells {
    size_t a1z1, a0z1, a1z0, a0z0;
};

/* How many rows of each cell make level i = 0..10, where P(Z=1 | W=1) = .5 + .05 i and
 * P(Z=1 | W=0) = .5 − .05 i, the total is the same at every level and no row is needed twice: from
 * m, the smallest cell, ⌊2m·p⌋ and ⌊2m·(1−p)⌋; the larger scaled to m, ⌊·⌋; all levels scaled to
 * the smallest total, ⌊·⌋. In double precision, as the papers' tables were made. */
REGRET_API void
regret_rate_shift_counts(struct regret_rate_shift_cells out[REGRET_RATE_SHIFT_LEVELS],
                         struct regret_rate_shift_cells sizes);

/* The least-squares line of an estimate over the level number. The levels share rows: the standard
 * error has each row as one cluster, within the cells of W and Z that the design fixes
 * (src/rate/studies/shift_slope.h has the formula). */
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
REGRET_API int regret_rate_shift(struct regret_rate_shift **out, size_t *n,
                                 const struct regret_rate_rows *rows,
                                 const struct regret_rate_options *options);

/* ---- Texts, typos, and the simulated rewriter (Fig. 3) ---- */

struct regret_rate_texts {
    char **text; /* n strings, UTF-8; owned */
    size_t n;
};

/* Texts from a file: .tsv or .csv (in any case) with a header line, read as csv.h has it, the
 * column named; or else JSONL with the text in the field of that name. In a .tsv a quote that
 * RFC 4180 does not allow is text. A zero byte and invalid UTF-8 are refused with their line. */
REGRET_API int regret_rate_texts_read(struct regret_rate_texts *out, const char *path,
                                      const char *column);
REGRET_API void regret_rate_texts_free(struct regret_rate_texts *texts);

struct regret_rng;
/* Appends `text` with typos: ⌊words · percent/100⌋ words drawn without replacement; in each of more
 * than two characters one random pair of neighbours is swapped, if both are letters. Words are
 * then joined by single spaces; with no word to spoil the text stays as it is. */
REGRET_API void regret_rate_add_typos(struct regret_buffer *out, const char *text, size_t percent,
                                      struct regret_rng *rng);

enum { REGRET_RATE_TYPO_MAX = 32 };

struct regret_rate_typo_options {
    uint64_t seed;
    size_t n_rates;
    size_t percents[REGRET_RATE_TYPO_MAX]; /* each at most 100 */
    const char *dataset;                   /* a name for the texts */
    int scored; /* 1: by rewriters and reward models of somebody's own, as regret_rate_scored_typos() */
};

/* Makes the rows of one typo rate: W is "starts with a vowel", taken before the typos, which only
 * texts with W = 1 get. A simulated rewriter flips W by an opener, which it puts before every text,
 * and, unasked, repairs every word that one swap makes a known one; two simulated reward models dislike
 * words that neither the clean texts nor the openers contain. Given a text, the rewards of its rewrite
 * and of the rewrite's rewrite have the same distribution (over the openers drawn and the models'
 * quirks, which a hash of the text settles): the expectation of every RATE estimate is zero, exactly.
 * That of the naive and single ones is not, even without typos: originals have no
 * openers, and texts that start with a vowel are others. *out is a finished table. */
REGRET_API int regret_rate_typo_rows(struct regret_rate_rows **out,
                                     const struct regret_rate_texts *texts, size_t percent,
                                     const struct regret_rate_typo_options *options);

/* One reward model over all rates. */
struct regret_rate_typos {
    char *model; /* owned */
    struct regret_rate_estimate rates[REGRET_RATE_TYPO_MAX];
};

/* *out is an array of *n that the caller frees with regret_rate_typos_free(). */
REGRET_API int regret_rate_typos(struct regret_rate_typos **out, size_t *n,
                                 const struct regret_rate_texts *texts,
                                 const struct regret_rate_typo_options *options,
                                 const struct regret_rate_options *estimate);

/* The same from finished rows that were exported, rewritten and scored elsewhere: each dataset is a rate, and
 * its name the percent (read them with dataset_field "typo_percent"), of one attribute. Writes the rates, in
 * increasing order, to options->percents. */
REGRET_API int regret_rate_scored_typos(struct regret_rate_typos **out, size_t *n,
                                        struct regret_rate_typo_options *options,
                                        const struct regret_rate_rows *rows,
                                        const struct regret_rate_options *estimate);
REGRET_API void regret_rate_typos_free(struct regret_rate_typos *typos, size_t n);

/* ---- A world with a known truth ---- */

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
REGRET_API const struct regret_rate_world *regret_rate_worlds(void);

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
REGRET_API void regret_rate_world_truth(double truth[REGRET_RATE_N_WORLD_ESTIMATORS],
                                        double bias[REGRET_RATE_N_WORLD_ESTIMATORS],
                                        const struct regret_rate_world *world);

/* Draws n rows of replicate `replicate` as a finished table with one group and one model. */
REGRET_API int regret_rate_world_rows(struct regret_rate_rows **out,
                                      const struct regret_rate_world *world, size_t n,
                                      uint64_t seed, uint64_t replicate);

/* What the replications say about one estimator. */
struct regret_rate_world_result {
    double truth, predicted_bias;
    double bias, bias_se; /* mean error over replications, and its standard error */
    double rmse;
    double coverage;  /* share of the 95 % intervals that hold the truth */
    size_t n_missing; /* replications without the estimate; the others are described */
};

/* Replicates [0, n_replicates) on `threads` threads; the same numbers whatever their number. */
REGRET_API int
regret_rate_world_run(struct regret_rate_world_result out[REGRET_RATE_N_WORLD_ESTIMATORS],
                      const struct regret_rate_world *world, size_t n_rows, size_t n_replicates,
                      uint64_t seed, size_t threads);

/* ---- The assumptions, from the data ---- */

/* What is looked at in a text: its length, or an off-target attribute that a score measures. */
enum regret_rate_measure {
    REGRET_MEASURE_CHARACTERS,
    REGRET_MEASURE_WORDS, /* runs of anything but white space */
    REGRET_MEASURE_SCORE
};

struct regret_rate_mean {
    double mean, se; /* se: s/√n, or CR2 of clusters; NaN for n < 2, or one cluster */
};

/* How far rewriting moved a measure X in one group, by the W of the original: [0] and [1]. */
struct regret_rate_movement {
    size_t group, model; /* the model: of REGRET_MEASURE_SCORE */
    enum regret_rate_measure measure;
    size_t n[2];                         /* rows with X of all three texts */
    struct regret_rate_mean original[2]; /* X(O) */
    struct regret_rate_mean forth[2];    /* X(R) − X(O) */
    struct regret_rate_mean back[2];     /* X(RR) − X(R) */
    struct regret_rate_mean net[2];      /* X(RR) − X(O) */
    struct regret_rate_mean asymmetry;   /* X of the rewrite to 1 less X of the rewrite to 0, which
                                                 are RR and R where W = 1, R and RR where W = 0 */
    double t, p, p_holm;  /* Student's test of asymmetry 0; Holm's p over all movements */
    double df, low, high; /* Satterthwaite's; the 95 % interval of the asymmetry */
    int clustered;        /* 1: clusters count */
    size_t n_clusters;    /* behind the asymmetry; rows where they do not count */
    const char *missing;  /* why it has no error (static text), or NULL */
};

/* How often one model gives the text with W = 1 the higher reward: (wins + ties/2)/n. */
struct regret_rate_wins {
    size_t group, model;
    int is_double; /* 1: RR against R, 0: O against R */
    size_t n, wins, ties;
    double share, se, low,
        high; /* Wilson's 95 % interval: where there are ties, a little wide; where clusters
                                    count, of n over the design effect, and by Student's t */
    int clustered;
    size_t n_clusters;
    const char *missing; /* why there is no interval (static text), or NULL */
};

/* How often texts have the W that they should have, by a classifier. */
struct regret_rate_flips {
    size_t group;
    enum regret_rate_side
        side; /* the rewrite should have the other W, the others that of the row */
    int w;    /* of the row */
    size_t n, right;
    double share, low, high; /* as of wins */
    int clustered;
    size_t n_clusters;
    const char *missing;
};

struct regret_rate_check {
    size_t n_movements, n_wins, n_flips;
    struct regret_rate_movement *movements; /* owned, like the others */
    struct regret_rate_wins *wins;
    struct regret_rate_flips *flips;
};

/* What can be seen of the paper's assumptions in finished rows with a W of their own.
 *
 * Assumption 1: what rewriting changes off target does not depend on the direction. For an off-target X
 * the rewrites to 1 and to 0 then have the same distribution, so that the asymmetry is 0 in expectation:
 * it is the RATE ATE "on X". An attribute that is part of W (length, of helpfulness) is not off target.
 * Lengths need rows with texts; `off_target` names reward models whose score is an attribute.
 *
 * And W has to flip: `classifier` (NULL: none) is one of regret_rate_predict_w()'s, applied to all three
 * texts; of "text" each text by a fit that has seen neither it nor its kin. Hold its share for the
 * originals beside those of the rewrites: it errs, too.
 *
 * Clusters are those of regret_rate_estimate(): errors are CR2, tests and intervals have Satterthwaite's degrees of
 * freedom, and a share has Wilson's interval with n over its design effect, (se/se of independent rows)² and at least
 * 1, and t (Dean and Pagano, Journal of Survey Statistics and Methodology 3 (2015) 484-503). A share
 * of 0 or 1 counts clusters for rows.
 *
 * Free *out's content with regret_rate_check_free(). O(rows · (models + bytes)). */
struct regret_rate_check_options {
    const char *const *off_target;
    size_t n_off_target;
    const char *classifier;
    enum regret_rate_clusters clusters;
};
REGRET_API int regret_rate_check(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                                 const struct regret_rate_check_options *options);
REGRET_API void regret_rate_check_free(struct regret_rate_check *check);

/* ---- Predicted labels in such a world ---- */

struct regret_rate_predicted_world {
    size_t n_rows;
    double labelled;       /* the share of the rows whose W is known, drawn by chance */
    double accuracy, tilt; /* the classifier is right with accuracy + tilt where Z = 1, − tilt where
                              Z = 0: unless the tilt is 0, its errors go along with the reward */
};

/* The ways to estimate from such rows. */
enum regret_rate_way {
    REGRET_RATE_WAY_ALL_LABELLED, /* as if every W were known */
    REGRET_RATE_WAY_UNCORRECTED,  /* predictions taken for labels */
    REGRET_RATE_WAY_ADJUSTED,  /* by the shares of right predictions among the labelled rows, as if
                                     errors had nothing to do with rewards; without intervals */
    REGRET_RATE_WAY_LABELLED,  /* the labelled rows alone */
    REGRET_RATE_WAY_FULL,      /* regret_rate_correct_w() with λ = 1 */
    REGRET_RATE_WAY_CORRECTED, /* regret_rate_correct_w() */
    REGRET_RATE_N_WAYS
};
REGRET_API const char *regret_rate_way_name(enum regret_rate_way way); /* "all_labelled", … */

enum { REGRET_RATE_N_PREDICTED_EFFECTS = 3 }; /* RATE's ATE, ATT and ATU */
struct regret_rate_predicted_result {
    double truth, bias, bias_se, rmse;
    double coverage, width; /* of the 95 % intervals: share that holds the truth, mean width; NaN
                               without intervals */
};

/* out[way * REGRET_RATE_N_PREDICTED_EFFECTS + effect] over replicates [0, n_replicates), the same on any
 * number of threads. */
REGRET_API int regret_rate_world_predicted(
    struct regret_rate_predicted_result out[REGRET_RATE_N_WAYS * REGRET_RATE_N_PREDICTED_EFFECTS],
    const struct regret_rate_world *world, const struct regret_rate_predicted_world *how,
    size_t n_replicates, uint64_t seed, size_t threads);

/* ---- The example set ---- */

/* Writes the example set to a new folder (or over an older one of ours, with `replace`): README.md,
 * rows.jsonl, authors-layout.jsonl, unlabelled.jsonl, rough.jsonl and texts.jsonl. Every text is
 * made here, the rewriter and the reward models are simulated, and the files say so. A pure
 * function of nothing: the bytes are always the same. */
REGRET_API int regret_rate_example(const char *folder, int replace);

REGRET_END_DECLS

#endif
