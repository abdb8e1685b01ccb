/* What follows from attribute effects (rate.h): whether two of them differ, how many prompts an effect of a
 * given size wants, what several rewrites of a response, levels of an attribute and people's labels tell, and
 * what the rows say of the assumptions. */
#ifndef REGRET_RATE_INFERENCE_H
#define REGRET_RATE_INFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/rate.h"

/* ---- Contrasts ---- */

/* What is held against what; the first minus the second. */
enum regret_rate_contrast_kind {
    REGRET_CONTRAST_MODELS,     /* two reward models in one group */
    REGRET_CONTRAST_REWRITERS,  /* two rewriters of the same originals, for one reward model */
    REGRET_CONTRAST_ATTRIBUTES, /* two attributes of one dataset, for one reward model */
    REGRET_CONTRAST_DATASETS,   /* two datasets, for one attribute and reward model */
    REGRET_CONTRAST_NAIVE,      /* RATE's ATE and the naive estimate */
    REGRET_CONTRAST_SINGLE,     /* RATE's ATE and the single rewrites' */
    REGRET_CONTRAST_TREATED,    /* RATE's ATT and its ATU */
    REGRET_N_CONTRASTS
};
REGRET_API const char *
regret_rate_contrast_name(enum regret_rate_contrast_kind kind); /* "models", … */

enum regret_rate_scale {
    REGRET_SCALE_USUAL,  /* Cohen's d between reward models, whose units differ; else the reward */
    REGRET_SCALE_REWARD, /* as the model gives it */
    REGRET_SCALE_D       /* over the pooled within-W deviation of O */
};

struct regret_rate_contrast {
    enum regret_rate_contrast_kind kind;
    size_t estimate[2]; /* indices into the estimates: first and second */
    enum regret_rate_effect_kind effect[2];
    int is_d;                 /* 1: on the scale of Cohen's d */
    size_t n_clusters;        /* behind either */
    size_t n_shared;          /* behind both */
    double value[2];          /* the two effects */
    double difference, se;    /* NaN when missing */
    double df;                /* Satterthwaite's */
    double low, high;         /* 95 %, of this contrast alone */
    double all_low, all_high; /* 95 %, of all contrasts together */
    double p, p_holm;         /* two-sided; adjusted for all contrasts (multiplicity.h) */
    double detectable;        /* the least true difference found with 80 % power (power.h) */
    const char *missing;      /* why there is none (static text), or NULL */
};

struct regret_rate_contrasts {
    size_t n, n_estimates;
    struct regret_rate_contrast *contrasts; /* n; owned */
    struct regret_rate_estimate *estimates; /* n_estimates; owned */
    double critical; /* what all |z| together stay below in 95 % of the cases */
    int by_max_t;    /* 1: from their correlations; 0: Šidák's, of more than REGRET_RATE_MAX_T */
};

enum { REGRET_RATE_MAX_T = 512, REGRET_RATE_MAX_T_DRAWS = 20000 };

struct regret_rate_contrast_options {
    unsigned kinds;                      /* bit k: of kind k; 0: all */
    enum regret_rate_effect_kind effect; /* between models, attributes and datasets */
    enum regret_rate_scale scale;
    enum regret_rate_clusters clusters;
    uint64_t seed; /* of the draws behind the simultaneous intervals */
};

/* All contrasts of the kinds asked for, of a finished table. An effect is a sum over clusters of what
 * each contributes, so that of two effects which share rows, or other rows of a cluster, the difference
 * has its own error: se² = Σ_c (ψ_c − ψ'_c)², CR2 of the two regressions stacked. Rows are of one cluster
 * if their prompts (or what was named) are equal, in whatever group they are; and where the prompt does
 * not tell, if they have the id in the same dataset, as the texts that are rewritten for two
 * attributes have.
 *
 * Cohen's d is a ratio, whose error counts that of its denominator to first order (the delta method).
 * Simultaneous intervals are those of the greatest |t| of all contrasts, whose correlations are
 * estimated (Hothorn, Bretz and Westfall 2008, doi:10.1002/bimj.200810425), by
 * REGRET_RATE_MAX_T_DRAWS draws of a normal vector; every contrast keeps its own degrees of freedom.
 * Free the result with regret_rate_contrasts_free(). O(rows · effects²) time,
 * O(rows · effects) memory. */
REGRET_API int regret_rate_contrast(struct regret_rate_contrasts *out,
                                    const struct regret_rate_rows *rows,
                                    const struct regret_rate_contrast_options *options);
REGRET_API void regret_rate_contrasts_free(struct regret_rate_contrasts *contrasts);

/* ---- Sample size ---- */

struct regret_rate_trial_plan_options {
    enum regret_rate_effect_kind effect;
    double detect; /* the true effect to be found with `power`; or 0 */
    double width;  /* the whole width of the 95 % interval wanted; used where detect is 0 */
    int is_d;      /* both are Cohen's d */
    double power;  /* in (0, 1) */
    double rows_per_cluster; /* to be collected; 0: as many as the pilot has, on average */
    enum regret_rate_clusters clusters;
};

/* What one reward model in one group wants. */
struct regret_rate_trial_plan {
    size_t estimate;         /* index into the estimates */
    double sd;               /* of a row's contribution to the effect */
    double icc;              /* its intra-cluster correlation; NaN where no cluster has two rows */
    double rows_per_cluster; /* of the plan */
    double design_effect;    /* 1 + (rows_per_cluster − 1) · icc, of a negative icc 1 */
    size_t clusters, rows;   /* wanted; 0 when more than 10^9 */
    size_t safe_clusters;    /* the same by the upper 80 % bound of the pilot's deviation */
    const char *missing;     /* why there is no plan (static text), or NULL */
};

struct regret_rate_trial_plans {
    size_t n;
    struct regret_rate_trial_plan *plans;   /* n; owned */
    struct regret_rate_estimate *estimates; /* n; owned */
};

/* How many clusters (prompts) the effect wants, from the scores of a pilot. A row contributes
 * x = Σ_k ±(n/n_k)(y − mean_k) over the means k it is in, whose mean is the effect's error; x has a
 * deviation and, by the analysis of variance over clusters, an intra-cluster correlation. P clusters of
 * m rows then leave the error sd·√((1 + (m − 1)·icc)/(P·m)) with P − 1 degrees of freedom, which
 * regret_observations_needed() solves (Donner and Klar 2000; Bloom 1995). */
REGRET_API int regret_rate_trial_plan(struct regret_rate_trial_plans *out,
                                      const struct regret_rate_rows *rows,
                                      const struct regret_rate_trial_plan_options *options);
REGRET_API void regret_rate_trial_plans_free(struct regret_rate_trial_plans *plans);

/* ---- Several rewrites of a response ---- */

enum { REGRET_RATE_N_REPEATS = 4 }; /* 1, 2, 4 and infinitely many rewrites of each response */

/* How RATE's δ of one reward model in one group varies between responses and between the rewrites of one.
 * Response i has k_i rewrites of δ_ij, with the mean d_i, and all N of them
 *   σ_w² = Σ_ij (δ_ij − d_i)²/(N − n),   σ_b² = var(d_i) − σ_w² Σ_i (1/k_i)/n
 * (the analysis of variance of unweighted means). sd_repeat is as σ_w within responses and rewriters: what
 * one rewriter does when it is asked again. With k rewrites of each of the same responses the ATE has
 *   se(k)² = se² − σ_w² Σ_i (1/k_i)/n² + σ_w²/(k n),
 * se being that of the estimate, whose clusters so count. Rewriters are those at hand: nothing is said of
 * others. */
struct regret_rate_split {
    size_t estimate; /* index into the estimates */
    size_t n_responses, n_rewrites;
    size_t n_repeated; /* responses with two rewrites or more */
    double sd_between; /* σ_b; 0 where σ_b² is negative */
    double sd_within;  /* σ_w; NaN where no response has two rewrites */
    double sd_repeat;  /* NaN where no rewriter repeats */
    double se[REGRET_RATE_N_REPEATS];
    const char *missing; /* static text, or NULL */
};
struct regret_rate_splits {
    size_t n, n_estimates;
    struct regret_rate_split *splits;       /* n; owned */
    struct regret_rate_estimate *estimates; /* n_estimates; owned */
};
/* One split for every mean over all rewrites of a reward model that regret_rate_average_rewrites() made, and
 * group. Free with regret_rate_splits_free(). O(rows · models). */
REGRET_API int regret_rate_split(struct regret_rate_splits *out,
                                 const struct regret_rate_rows *rows,
                                 const struct regret_rate_options *options);
REGRET_API void regret_rate_splits_free(struct regret_rate_splits *splits);

/* ---- Graded attributes: dose and response ---- */

/* A slope of a least-squares line with its CR2 error, Student's interval and two-sided p. */
struct regret_rate_slope_test {
    size_t n, n_clusters;
    double slope, se, df, low, high, p; /* NaN when missing */
    const char *missing;                /* static text, or NULL */
};

enum { REGRET_RATE_MAX_LEVELS = 32 };

/* The texts of one level: the rewards of originals, rewrites and second rewrites that have it. */
struct regret_rate_dose_level {
    double level;
    size_t n[REGRET_N_SIDES];
    double mean[REGRET_N_SIDES], se[REGRET_N_SIDES]; /* se: s/√n; NaN where there are too few */
};

/* One reward model in one group. With L the level of a text and i the rows:
 *   slope      β of  RR_i − R_i = β (L(RR_i) − L(R_i)) + ε_i
 *   curvature  γ of  RR_i − R_i = β (L(RR_i) − L(R_i)) + γ (L(RR_i)² − L(R_i)²) + ε_i, 0 where the
 *              reward is linear in the level
 *   naive      the slope of O_i on L(O_i), with an intercept
 * Lines without an intercept, since RATE's assumption is that the two rewrites differ in nothing else. */
struct regret_rate_dose {
    size_t group, model;
    size_t n_rows; /* of the group */
    size_t n_used; /* with both scores and both levels, which differ */
    int clustered;
    struct regret_rate_slope_test slope, curvature, naive;
    size_t n_levels; /* 0 where there are more than REGRET_RATE_MAX_LEVELS */
    struct regret_rate_dose_level levels[REGRET_RATE_MAX_LEVELS]; /* increasing */
};

/* Doses and responses of every pointwise reward model in every group of a finished table, where the scores of
 * the "reward model" `level` are the levels: of an original as it was rated, of a rewrite the level that was
 * asked for, or as it was rated, too. W is not used; duplicates and rows set aside do not count.
 * *out is an array of *n, freed with regret_free(). REGRET_E_INPUT where no row has levels.
 * O(rows · models · log levels). */
REGRET_API int regret_rate_doses(struct regret_rate_dose **out, size_t *n,
                                 const struct regret_rate_rows *rows, const char *level,
                                 const struct regret_rate_options *options);

/* ---- Held against people ---- */

enum { REGRET_RATE_N_BINS = 10 };

struct regret_rate_coefficient {
    double estimate, se, low, high, p; /* NaN when missing */
};

/* The choices of people between the text with W = 1 and the one with W = 0, and the difference Δ of a reward
 * model between the same two. */
struct regret_rate_choices {
    size_t group, model;
    int is_double; /* 1: RR against R, 0: O against R */
    int clustered;
    size_t n, n_clusters;
    size_t n_decided; /* without people's ties */
    double agreement, agreement_low,
        agreement_high; /* share of the decided in which the model prefers what people do (its ties are
                           half), 95 % interval of clusters */
    double wins, human_wins; /* shares in which the text with W = 1 is preferred, ties are half */
    /* logit P(people prefer W = 1) = intercept + slope Δ: of rewards that are Bradley and Terry's
     * the intercept is 0 and the slope 1, and p are of that. A positive intercept: people favour W = 1
     * more than the rewards say. */
    struct regret_rate_coefficient intercept, slope;
    double df;
    const char *missing; /* why there is no such line (static text), or NULL */
    /* By 1/(1 + exp(−Δ)), in REGRET_RATE_N_BINS equal parts of (0, 1): */
    size_t bin_n[REGRET_RATE_N_BINS];
    double bin_predicted[REGRET_RATE_N_BINS],
        bin_chosen[REGRET_RATE_N_BINS]; /* means; NaN: empty */
    double calibration_error;           /* Σ n_b/n |predicted − chosen| */
};

struct regret_rate_calibration {
    size_t n_choices, n_skews;
    struct regret_rate_choices *choices; /* owned */
    /* RATE's ATE on a reward model less that on people's ratings, both as Cohen's d: whether it favours W = 1
     * more than they do. Only where there are ratings of originals. */
    struct regret_rate_contrast *skews;     /* [0] is the reward model, [1] people; owned */
    struct regret_rate_estimate *estimates; /* of `skews`; owned */
};

/* Holds every reward model of a finished table against people, whose labels stand among the scores as the
 * model `human`: ratings of the texts (pointwise), or choices between two (contrastive: positive where the
 * text with W = 1 is preferred, 0: a tie), or both, when choices come first. Ratings choose the
 * higher. The line is fitted by maximum likelihood (a tie is half a choice of each), its errors by the sandwich
 * of clusters, times C/(C − 1) of C clusters, with Student's t at C − 1. Rows with a W of their own count.
 * Free with regret_rate_calibration_free(). O(rows · models). */
REGRET_API int regret_rate_calibrate(struct regret_rate_calibration *out,
                                     const struct regret_rate_rows *rows, const char *human,
                                     const struct regret_rate_options *options);
REGRET_API void regret_rate_calibration_free(struct regret_rate_calibration *calibration);

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
        high; /* 95 % limits of a mean of clusters (docs/protocol.md, "Limits of proportions") */
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
 * freedom, and a share has the limits of a mean of clusters (docs/protocol.md, "Limits of proportions").
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

#endif
