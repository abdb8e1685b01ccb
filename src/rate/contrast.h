/* Contrasts of effects. */
#ifndef RATE_CONTRAST_H
#define RATE_CONTRAST_H

#include <stddef.h>
#include <stdint.h>

#include "rate/internal.h"
#include "regret/rate.h"

/* What follows from attribute effects (rate.h): whether two of them differ, what people's labels tell, and what the rows
 * say of the assumptions. */

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
const char *regret_rate_contrast_name(enum regret_rate_contrast_kind kind); /* "models", … */

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
    double p, p_holm;         /* two-sided; adjusted for all contrasts (stats/multiplicity.h) */
    double detectable; /* the least true difference found with 80 % power (stats/multiplicity.h) */
    const char *missing; /* why there is none (static text), or NULL */
};

struct regret_rate_contrasts {
    size_t n, n_estimates;
    struct regret_rate_contrast *contrasts; /* n; owned */
    struct regret_rate_estimate *estimates; /* n_estimates; owned */
    double critical; /* what all |z| together stay below in 95 % of the cases */
    int by_max_t;    /* 1: from their correlations; 0: Šidák's, of more than REGRET_RATE_MAX_T */
};

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
 * Cohen's d is a ratio, whose error is that of the jackknife over clusters.
 * Simultaneous intervals are those of the greatest |t| of all contrasts, whose correlations are
 * estimated (Hothorn, Bretz and Westfall 2008, doi:10.1002/bimj.200810425), by
 * REGRET_RATE_MAX_T_DRAWS draws of a normal vector; every contrast keeps its own degrees of freedom.
 * Free the result with regret_rate_contrasts_free(). O(rows · effects²) time,
 * O(rows · effects) memory. */
int regret_rate_contrast(struct regret_rate_contrasts *out, const struct regret_rate_rows *rows,
                         const struct regret_rate_contrast_options *options);
void regret_rate_contrasts_free(struct regret_rate_contrasts *contrasts);

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
int regret_rate_calibrate(struct regret_rate_calibration *out, const struct regret_rate_rows *rows,
                          const char *human, const struct regret_rate_options *options);
void regret_rate_calibration_free(struct regret_rate_calibration *calibration);

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
int regret_rate_check(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                      const struct regret_rate_check_options *options);
void regret_rate_check_free(struct regret_rate_check *check);

/* The parts of regret_rate_contrast(). */

/* One effect of one estimate as a sum over units. */
struct side {
    size_t estimate;
    enum regret_rate_effect_kind effect;
    int is_d;
    double *psi; /* by cluster of its group; owned; NULL where the effect is missing */
};

#endif
