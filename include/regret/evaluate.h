/* Logs and trials: values, differences, diagnoses, the next trial. */
#ifndef REGRET_EVALUATE_H
#define REGRET_EVALUATE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/text.h"

/* A log and a trial as they were collected (docs/guide.md): rows of who was asked what, who answered, and how good it was.
 *
 * OBS is what a router or users chose; EXP is what was assigned at random, with a known probability. Contexts are requests,
 * agents are whoever may answer one. Nothing is drawn here, and nothing is known but what a row says. */

/* Limits, also for files of strangers. */
enum {
    REGRET_LOG_MAX_AGENTS = 4096,
    REGRET_LOG_MAX_TAGS = 4096,
    REGRET_LOG_MAX_COLUMNS = 64 /* covariates */
};
/* Where a row comes from: a log, in which users or a router chose, or a trial, in which chance did. */
enum regret_log_source { REGRET_LOG_OBS, REGRET_LOG_EXP, REGRET_LOG_SOURCES };
REGRET_API const char *regret_log_source_name(enum regret_log_source source); /* "obs" */

/* Rows of one source, in the order of their file. Arrays are owned by the log. */
struct regret_log_rows {
    size_t n;
    uint32_t *context; /* [n] below n_contexts */
    uint32_t *agent;   /* [n] below n_agents */
    double *outcome;   /* [n] in [0,1]: (outcome as given - low) / (high - low) */
    double *
        propensity; /* [n] probability, in (0,1], with which this agent was chosen given the context; of OBS NULL where
                           the log does not say, of EXP always there */
    uint32_t *
        cluster; /* [n] below n_clusters: what was sampled as one (a user, a session; if nothing is named the context, and the same array) */
    uint32_t *
        slate; /* [n] below n_slates: who was on offer, and with which probabilities; of OBS, and without slates, NULL */
    uint32_t *
        offer; /* [n] below n_offers: who was on offer; NULL where everybody was in all rows, or nothing says who */
    double *time; /* [n] seconds since 1970; NULL where rows have none; NaN of a row without one */
    uint32_t *line; /* [n] of the file, from 1; of an array of JSON the element, from 1 */
};

/* Covariates of contexts. */
struct regret_log_column {
    char *name;
    int is_word; /* 1: `word` holds the number of a word; 0: `value` a number */
    size_t
        n_known;   /* contexts that have an entry in `value`: those behind have none; 0: all have */
    double *value; /* NaN where missing; NULL of words */
    uint32_t *word;
    size_t n_words;
    char **words; /* [n_words] */
};

/* Why rows are not in it; sentence for people, with the first line concerned. */
struct regret_log_loss {
    enum regret_log_source source;
    size_t n;      /* rows */
    char *reason;  /* "an outcome outside of 1 to 5" */
    uint64_t line; /* the first */
};

/* Requests of a log alone on which it never has an agent, or next to never: what the agent is worth there it does not say. */
struct regret_log_hole {
    uint32_t agent;
    size_t rows,
        own; /* of OBS on such requests that are in no hole of the agent before; of them its own */
    char *where; /* "kind = easy" */
};

struct regret_log {
    size_t n_agents, n_contexts, n_tags, n_clusters, n_columns;
    char **agent; /* [n_agents] names as given, in natural order */
    /* Of a large log only the drawn rows have texts: contexts below n_kept (all of outputs and EXP, and those of the drawn
     * OBS rows) have ids, texts and covariates. Those behind have rows, clusters and tags only: their id and text are NULL,
     * their covariates missing. A log of at most "obs.rows" rows is drawn whole, and n_kept is n_contexts. */
    size_t n_kept;
    size_t
        n_drawn; /* OBS rows to estimate from, and which they are: ascending indices of rows[REGRET_LOG_OBS] */
    uint32_t *drawn;
    char **
        context; /* [n_contexts] ids as given; contexts of the same id in OBS, EXP and outputs are one */
    char **
        text; /* [n_contexts] the request, UTF-8; an entry is NULL where its text is not kept or not given */
    uint64_t *
        first; /* [n_contexts] the line of the first row of those that are kept: in the file of outputs, else of EXP, else
                          of OBS, whichever has it first; 0 of the others. NULL of a log that was made otherwise */
    uint32_t *
        tag; /* [n_contexts] below n_tags; NULL without tags. "" is a tag of its own where some have none */
    char **tags;                      /* [n_tags] */
    struct regret_log_column *column; /* [n_columns] */
    char *cluster_name;               /* "context", or the column of clusters */
    struct regret_log_rows rows[REGRET_LOG_SOURCES];
    /* Contexts for which a recommendation is wanted: of the file of outputs where there is one, else those of EXP, else of OBS. */
    size_t n_evaluation;
    uint32_t *evaluation;
    /* Cached outputs, output[e * n_agents + a] on evaluation contexts; NULL without them; an entry NULL where missing. And the
     * output of every row of a source, NULL where rows have none; OBS rows that were not drawn have none. */
    char **output;
    char **row_output[REGRET_LOG_SOURCES];
    double *
        cost; /* [n_agents] mean cost of a row; NULL where no column of costs is named; NaN of an agent without one */
    double low, high; /* of outcomes as given */
    int range_of_data; /* 1: these are the least and the most that there are, and others could have been */
    size_t incumbent; /* the agent that differences are taken to, or n_agents: not said */
    int is_uniform; /* 1: EXP gave no probabilities and was taken as uniform over the agents it has … */
    int is_by_slate; /* … 1: over those of each row's slate */
    int has_seen_shares; /* 1: it gave none, its agents have no equal shares of its rows, and these were taken */
    int is_slated;      /* 1: EXP's rows have slates, on which an agent need not be */
    size_t n_slates;    /* different ones of EXP */
    size_t n_offers;    /* different ones, whatever their probabilities … */
    uint64_t *on_offer; /* … and who is on each: [n_offers × ⌈n_agents/64⌉], a bit an agent */
    unsigned char *
        withdrawn; /* [n_agents] 1: by time and offers it can be chosen no more; NULL: nobody, or nothing tells */
    size_t n_holes;
    struct regret_log_hole *hole; /* the largest first; there an agent is not on offer in OBS */
    size_t n_losses;
    struct regret_log_loss *loss; /* what was left out, in order of reasons */
    size_t n_notes;
    char **
        note; /* what a reader should know besides: "12 contexts are in both OBS and EXP", "times go backwards at line 40" */
};

/* Reads evaluate.json and the tables it names (docs/guide.md): CSV, TSV, JSONL or an array of JSON, each a
 * regular file, for it is read twice. The keys of the estimation are passed over, those that nobody has are refused. Rows
 * that cannot be used are left out and counted in `loss`, several hundred of them in a few lines; where more than half of a
 * table's rows are such, or what is there means nothing (one agent only, no agent in both tables, every outcome alike), that
 * is REGRET_E_INPUT with file, line and remedy.
 *
 * OBS rows are drawn by a random number of each line's own, which its seed and the line decide: the same whatever the order
 * of work, and a draw of more rows holds one of fewer. Memory: 48 bytes a row at most (20 without clusters, times, probabilities and slates),
 * 4 a context for its tag, 13 to 19 a context while reading, 8 a kept context for each covariate of numbers, and the
 * texts that are kept. O(rows + texts kept). */
REGRET_API int regret_log_read(struct regret_log **out, const char *path);
REGRET_API void regret_log_free(struct regret_log *log); /* NULL is fine */

/* Values of agents (protocol §6): the direct method, doubly robust, and self-normalised doubly
 * robust estimates of V(a), the mean outcome of agent a over the evaluation contexts.
 *
 *   V_DM(a)   = mean over evaluation pairs of agent a of f(x, m(x,a))
 *   V_DR(a)   = V_DM(a) + (1/n_E) Σ_i 1{A_i=a}/e_a · (Y_i − f^(−k(i))(X_i, M_i)),  e_a = 1/|A|
 *   V_SNDR(a) = V_DM(a) + Σ_i 1{A_i=a} w_i (Y_i − f^(−k(i))) / Σ_i 1{A_i=a} w_i,  w_i = 1/e_a
 *
 * Dudík, Langford and Li, "Doubly robust policy evaluation and learning", ICML 2011; Swaminathan
 * and Joachims, "The self-normalized estimator for counterfactual learning", NIPS 2015. With
 * uniform propensities the self-normalised correction is the mean residual of the agent's own rows;
 * an agent without EXP rows keeps V_DM.
 *
 * Where pairs are unobserved, EXP draws among the n(x) agents that are observed on a context: w_i = n(X_i), and DR is the ratio
 *
 *   V_DR(a) = V_DM(a) + (p̄/p_a) · |A| Σ_i 1{A_i=a} n(X_i) (Y_i − f^(−k(i))) / Σ_i n(X_i)
 *
 * with p_a the share of the contexts of EXP's population on which a is observed and p̄ its mean over agents, so that both are of
 * the contexts on which a is observed, as V_DM over observed pairs is.
 */

/* ω of the contexts of pairs; NULL for it, or NULL for `weight`: every context weighs one. Borrowed. Of `share` (NULL: all
 * alike) what a pair counts in means over pairs where the draws of an agent on a context count as one. */
struct regret_context_weights {
    const uint32_t *context; /* [pairs] */
    const double *weight;    /* [contexts], finite, >= 0 */
    const double *share;     /* [pairs] */
};

/* How EXP drew where pairs are unobserved; NULL for it, or for `offered`: all agents on every context. Borrowed. */
struct regret_exp_support {
    const double *offered; /* [contexts] n(x) */
    const double *factor;  /* [n_agents] p̄/p_a; 0 of an agent that could not be drawn */
};

/* value[a], [n_agents]: means over the pairs with eval[p] != 0; NaN for an agent without any, or without any of
 * positive weight. O(pairs · ⌈n_agents / 256⌉). */
REGRET_API void regret_value_dm(double *value, const double *prediction, const uint32_t *agent,
                                const unsigned char *eval, size_t pairs, size_t n_agents,
                                const struct regret_context_weights *weights);

/* dr[a] and sndr[a] about the plug-in values (dm[a], or those of another surface), from the EXP rows
 * and the out-of-fold predictions of those rows. A NaN out-of-fold prediction (no folds could be made)
 * makes every value NaN, and so does an EXP of which no row has a positive weight; an agent whose own rows have
 * none keeps its plug-in value. Of an EXP that could not draw every agent on every context `weights` tell the context of a pair, and
 * the support its weight; NULL of one that could. O(exp->n · n_agents). */
REGRET_API void regret_value_dr(double *dr, double *sndr, const double *plug_in,
                                const struct regret_rows *exp, const double *cross_fit,
                                const uint32_t *agent, size_t n_agents,
                                const struct regret_context_weights *weights,
                                const struct regret_exp_support *support);

/* The value of a policy over n contexts, of which its agent is observed on some. */
struct regret_policy_value {
    double ips, dr,
        dr_half;    /* NaN where the agent is observed on fewer than REGRET_POLICY_MIN_MATCHED */
    size_t matched; /* contexts on which it is */
};
enum { REGRET_POLICY_MIN_MATCHED = 10 }; /* [C] */

/* f[x] is what a surface made without the outcomes of these contexts says of the policy's agent, y[x] its outcome (NaN:
 * unobserved), p[x] > 0 the chance that it is observed, which may depend on all but outcomes (missing at random). With
 * w = 1{observed}/p, both are the ratios of Hájek, which p up to a factor will do for:
 *
 *   IPS = Σ w y / Σ w        DR = mean f + Σ w (y − f) / Σ w
 *
 * DR's variance is that of its influence function ψ_x = f_x − mean f + n w_x (y_x − f_x − c)/Σ w, c the correction, for
 * the mean over the population of contexts; m/(m − 1) times for m = (Σw)²/Σw² contexts in effect, and t has m − 1 degrees
 * of freedom. Cassel, Särndal and Wretman, "Some results on generalized difference estimation", Biometrika 63, 1976;
 * Robins, Rotnitzky and Zhao, JASA 89, 1994. 0 < level < 1. O(n). */
REGRET_API void regret_policy_value(struct regret_policy_value *out, const double *f,
                                    const double *y, const double *p, size_t n, double level);

/* Kish's effective number of n weights >= 0, (Σω)²/Σω²: n where all are alike, 1 where one is not 0, NaN where
 * none is ("Survey Sampling", 1965). */
REGRET_API double regret_effective_number(const double *weight, size_t n);

/* What values are of. Everything is borrowed. */
struct regret_value_problem {
    const double *prediction; /* [pairs] the surface of V_DM */
    const double *plug_in;    /* [pairs] the surface that DR corrects; NULL: `prediction` */
    const double *cross_fit;  /* [exp->n] f^(−k(i)); NULL without DR and SNDR */
    const struct regret_rows *exp;
    const uint32_t *agent, *context; /* [pairs] */
    const unsigned char *eval;       /* [pairs] 1: an evaluation pair */
    size_t pairs, n_agents, n_contexts;
    const double *share; /* [pairs] as in struct regret_context_weights */
    /* The shares of the population's contexts that are evaluated, and that EXP draws from, both chosen at random;
     * 0: of a population without end. */
    double eval_share, exp_share;
    struct regret_exp_support support; /* of zeroes: every agent can be drawn everywhere */
    /* V_DM of the fits without each fold, and the fold of a row: what DM and DR share of EXP's noise is known from how
     * they differ. NULL: they share none. */
    const double *fold_value; /* [n_folds × n_agents] */
    const uint32_t *fold;     /* [exp->n] */
    size_t n_folds;
};

/* Bounds of an interval; NaN where there is none. */
struct regret_interval {
    double low, high;
};
struct regret_value_bootstrap {
    size_t replicates; /* B >= 2, say 2000 */
    double level;      /* .95 */
    uint64_t seed;
};
/* How a value is estimated: direct, doubly robust, self-normalised. */
enum regret_value_kind { REGRET_VALUE_DM, REGRET_VALUE_DR, REGRET_VALUE_SNDR, REGRET_N_VALUES };

/* Intervals of values and of their differences between agents (protocol §6), for the mean over the population of
 * contexts. The variance of the plug-in part is that of a bootstrap of evaluation contexts, n/(n − 1) times for n
 * contexts, less the share of the population that they are; that of the correction, independent of it, of a bootstrap of
 * contexts of EXP with all their rows, as far as EXP has not taken the population's contexts (exp_share), and of rows as
 * such so far as it has. Variances of corrections are drawn together over agents (src/value/gathered.c). t has the
 * degrees of freedom of the sum (Satterthwaite, "An approximate distribution of estimates of variance components",
 * Biometrics Bulletin 2, 1946). DM, and DR and SNDR of an agent without rows, are off by what their surface
 * misses: the intervals know how large that is from the corrections of all agents, and from `fold_value` what of it is
 * their own noise (src/value/measure.h), unless `cross_fit` is NULL: then DM's are for the mean of the surface itself. Fits stay as they are.
 * With weights the n above are effective numbers (regret_effective_number()), below 2 of which there is no
 * interval; a resample of contexts counts each with its weight.
 * The resamples are regret_bootstrap()'s: of evaluation contexts from the streams 0, 1, … of `seed`, of
 * EXP from 2^32, 2^32 + 1, …
 *
 * interval[kind * n_agents + a] of the values, and difference[(kind * n_agents + a) * n_agents + b] of
 * V(a) − V(b) (may be NULL). NaN where a value is (an agent without evaluation pairs; DR and SNDR when
 * `cross_fit` is NULL or holds a NaN, or EXP has no row of positive weight) and where a part rests on one
 * context, a correction's of every agent. REGRET_E_INPUT without evaluation contexts (of positive weight) or EXP rows. O(B (contexts + agents) · agents). */
REGRET_API int regret_value_intervals(struct regret_interval *interval,
                                      struct regret_interval *difference,
                                      const struct regret_value_problem *problem,
                                      const struct regret_value_bootstrap *options);

/* Half-widths of the same intervals in closed form, without resampling: half[kind * n_agents + a]. A
 * value is a sum of two ratios of sums over contexts, Σ S_x / Σ C_x: predictions over pairs on the
 * evaluation contexts, and residuals over rows on those of EXP (n_agents times the agent's residuals over
 * all rows for DR, the agent's own rows for SNDR). A ratio R of n contexts has, to first order, the variance
 *
 *   n/(n − 1) · Σ_x (S_x − R C_x)² / (Σ_x C_x)²,
 *
 * the sandwich estimate with contexts as clusters (of a correction as it is drawn together over agents), to which the bootstrap's tends for many resamples where
 * R is linear (DM on a complete grid) and to first order elsewhere. t, the degrees of freedom, NaN and
 * errors as above. 0 < level < 1. O(pairs + EXP rows + contexts · agents²). */
REGRET_API int regret_value_half_widths(double *half, const struct regret_value_problem *problem,
                                        double level);

/* Can a log and a trial be trusted (docs/guide.md; the tests: docs/protocol.md)? Questions that the data themselves can answer, each with a verdict,
 * its numbers and a sentence; asked of struct regret_log alone, before anything is estimated. */

/* In order of weight: an evaluation tells those that say no first. */
enum regret_diagnostic_verdict {
    REGRET_DIAGNOSTIC_FINE,    /* nothing speaks against it */
    REGRET_DIAGNOSTIC_CAUTION, /* read on before relying on it */
    REGRET_DIAGNOSTIC_NO,      /* what rests on it does not hold */
    REGRET_DIAGNOSTIC_VERDICTS
};
REGRET_API const char *
regret_diagnostic_verdict_name(enum regret_diagnostic_verdict verdict); /* "caution" */

/* One question and its answer. */
struct regret_diagnostic {
    const char *name; /* "gap", "balance.tag": a stable word for machines; static */
    const char *what; /* what `value` is: "largest difference of means, OBS - EXP"; static */
    enum regret_diagnostic_verdict verdict;
    double
        value; /* in the unit that `what` tells, of outcomes as they were given; NaN where there is none */
    double low, high; /* an interval of it at the level asked for; NaN where there is none */
    double p; /* of a test, adjusted by Holm for all tests of the set; NaN of what is no test */
    char *
        sentence; /* what was found, with its numbers, and the remedy where there is something to do */
};

/* The answers, the gravest first, within a verdict in order of the questions. */
struct regret_diagnostics {
    size_t n;
    struct regret_diagnostic *entry; /* [n] */
};

struct regret_diagnose_options {
    double level;     /* of intervals: .95 */
    uint64_t seed;    /* of permutations, draws and subsamples: 1 */
    size_t resamples; /* permutations of a test, and draws of a maximum: 2000 */
    size_t threads;   /* 0 is one; the same bits whatever their number */
};
#define REGRET_DIAGNOSE_OPTIONS_INIT                                                               \
    {                                                                                              \
        0.95, 1, 2000, 1                                                                           \
    }

/* Asks everything that can be asked of `log`; a question that its columns leave no room for has no entry. Tests are held
 * against .01 for "no" and .05 for "caution" after Holm's adjustment over all of them, so that a clean log is told "no" once in
 * a hundred times at most, whatever the number of tests. O(rows) time and memory; permutations and words take
 * a subsample by `seed` of a trial that is large, and say so. REGRET_E_INPUT for a level outside of (0,1), fewer than 100
 * resamples, or a log without rows. */
REGRET_API int regret_diagnose(struct regret_diagnostics **out, const struct regret_log *log,
                               const struct regret_diagnose_options *options);
REGRET_API void regret_diagnostics_free(struct regret_diagnostics *diagnostics); /* NULL is fine */

/* A log and a trial become an answer (docs/guide.md; protocol §13): what every agent is worth, who should answer which
 * request, how sure that is, and whether it can be told at all.
 *
 * Values are of the population of requests that the rows of the trial come from, new ones included, with what was sampled
 * as one (users, sessions, contexts) for clusters. They rest on the trial where there is one: the log makes them sharper by
 * what it teaches the surfaces that are corrected, and cannot make them wrong. Of a log alone values hold only if
 * nothing unmeasured moved both choice and outcome, which no number of these says. */

struct regret_diagnostics; /* regret/evaluate.h */

/* Outcomes below are on the log's scale of [0,1]; low + (high − low) y is as they were given. */
struct regret_evaluate_options {
    size_t folds;     /* of clusters, for cross-fitting: 5 */
    double level;     /* of intervals: .95 */
    uint64_t seed;    /* 1 */
    size_t resamples; /* of the multiplier bootstrap: 2000 */
    size_t rows
        [REGRET_LOG_SOURCES]; /* that surfaces are fitted to, drawn in whole clusters where a source has more: 5,000 of OBS, 20,000 of EXP */
    size_t n_families;        /* 0: those that the data allow */
    const struct regret_family *const *family; /* [n_families] borrowed */
    struct regret_estimate_options estimate;
    struct regret_feature_options
        features;               /* of contexts and agents; of outputs where they are cached */
    size_t embedding_rank;      /* of e(x), which mixed crosses with agents: 8 */
    size_t max_bytes;           /* of a text that words are taken from; 0: all */
    size_t cv_folds;            /* of causal cross-validation: 5 */
    int diagnose;               /* 1: the log is questioned first */
    size_t threads;             /* the same bits whatever their number */
    regret_step_callback *step; /* may be NULL: "fitting the surfaces", … ; nothing is counted */
    void *step_context;
};
REGRET_API void regret_evaluate_options_default(struct regret_evaluate_options *options);
/* The keys of the estimation in an evaluate.json (docs/guide.md): folds, level, resamples, seed, obs.rows, and as configurations of
 * runs have them families, features.…, cv.folds and the hyper-parameters of families. `families` has room for
 * REGRET_MAX_FAMILIES; the options borrow it where the file names some. REGRET_E_INPUT names the file, the key and the remedy. */
REGRET_API int regret_evaluate_options_read(struct regret_evaluate_options *options,
                                            const struct regret_family **families,
                                            const char *path);

/* A number with its standard error, degrees of freedom and interval; NaN where there is none. A value rests on the rows in which
 * who is valued was on offer, a difference on those in which both were. */
struct regret_valued {
    double value, error, df, low, high;
    size_t rows;
};

struct regret_agent_value {
    size_t rows[REGRET_LOG_SOURCES]; /* of the whole log */
    double mean[REGRET_LOG_SOURCES]; /* of their outcomes, unweighted; NaN without rows */
    size_t clusters;                 /* that hold rows of the agent which its value rests on */
    struct regret_valued value[REGRET_N_VALUES]; /* DM, DR, SNDR */
    struct regret_valued difference;             /* SNDR's to the incumbent's; value 0 of itself */
    double simultaneous_low,
        simultaneous_high; /* bounds that hold for all agents' differences at once */
    double cost;           /* NaN where there is none */
    int is_withdrawn; /* 1: it can be chosen no more; neither policies nor the verdict name it */
};

/* Ways of choosing an agent, from the simplest. */
enum regret_policy_kind {
    REGRET_POLICY_SINGLE,  /* one agent for all */
    REGRET_POLICY_BY_TAG,  /* one a tag */
    REGRET_POLICY_REQUEST, /* the largest f(x,a) of each request */
    REGRET_POLICIES
};
REGRET_API const char *regret_policy_name(enum regret_policy_kind policy); /* "single" */

/* A policy's worth, on the rows of the later folds: on each, of what was learned of the folds before it. So this is the value of
 * learning it so from 40 to 80 % of the data; intervals hold whatever was chosen. */
struct regret_policy_worth {
    int is_there;               /* 0: no tags */
    struct regret_valued value; /* SNDR's */
    struct regret_valued over_incumbent, over_single;
    double over_single_least; /* lower bound of that gain, which holds for all policies at once */
    double share;             /* of requests on which it differs from the single agent */
    double cost;              /* mean of the agents it takes; NaN where unknown */
};

/* A tag, or one "" where there are none. */
struct regret_tag_value {
    size_t rows[REGRET_LOG_SOURCES];
    size_t agent; /* of the policy by tag, learned on all */
    /* Of that agent on requests of the tag; chosen on the rows that it is valued on, it seems better than it is, and the intervals, which
     * are not even about the value, hold nevertheless. */
    struct regret_valued value, over_incumbent;
};

/* What is advised for an evaluation context. */
struct regret_recommended {
    uint32_t context; /* of the log */
    uint32_t
        row; /* of log->rows[basis]: its last, of who is on offer; UINT32_MAX: none, everybody */
    /* By the policy of the verdict; where it cannot tell the incumbent. Where that one is not on offer, by differences the best that is. */
    uint32_t agent;
    uint32_t
        by_request; /* the agent of the largest f(x,a), whatever the verdict; UINT32_MAX: none is on offer */
    double value, margin; /* f(x, by_request), and how much it is above f(x, incumbent); NaN */
    uint32_t
        group; /* of requests with margins like this one's, from the smallest margin; UINT32_MAX without one */
};
/* Requests of the trial in order of their margin, cut into groups: what the margin really was, on average. */
struct regret_margin_group {
    double least; /* margin from which on a request belongs to it */
    size_t rows;
    double predicted;            /* mean margin as predicted */
    struct regret_valued margin; /* as it was, of mean requests of the group */
};

/* A family that was fitted. */
struct regret_fitted_family {
    const char *name;
    double
        loss; /* mean squared error of outcomes of folds that it did not see, weighted to a uniform choice of agents */
    struct regret_valued difference; /* of it from that of the family that is used; 0 of that */
    struct regret_valued policy;     /* the worth of its policy by request */
    size_t single;                   /* its best single agent, learned on all rows */
    double lambda;                   /* chosen on all rows; NaN where it has none */
};

enum regret_verdict {
    REGRET_VERDICT_CANNOT_TELL, /* nothing is shown to be better than the incumbent */
    REGRET_VERDICT_AGENT,       /* one agent for all */
    REGRET_VERDICT_BY_TAG,
    REGRET_VERDICT_BY_REQUEST,
    REGRET_VERDICTS
};
REGRET_API const char *regret_verdict_name(enum regret_verdict verdict); /* "cannot tell" */

struct regret_evaluation {
    enum regret_log_source basis; /* whose rows values rest on: EXP where there is one */
    double level;
    uint64_t seed;
    size_t n_agents, n_tags;
    size_t incumbent; /* named, or the agent most frequent in OBS or, without a log, in EXP */
    int incumbent_is_named;
    size_t single;                /* the best single agent by SNDR among those with an interval */
    size_t rows, clusters, folds; /* that values rest on */
    struct regret_agent_value *agent; /* [n_agents] */
    double noise;    /* variance of an outcome about its surface, pooled over agents */
    double critical; /* of the largest |t| of differences; NaN where there is none */
    struct regret_policy_worth policy[REGRET_POLICIES];
    struct regret_tag_value *tag; /* [n_tags]; NULL without tags */
    size_t n_advice;
    struct regret_recommended *advice; /* [n_advice], in the order of log->evaluation */
    size_t n_groups;
    struct regret_margin_group *group;
    size_t n_families, used,
        best; /* which of them corrects and recommends; which has the least loss */
    struct regret_fitted_family *family;
    /* Slope of outcomes on what f says of the agent less what it says of all, on folds that it did not see: 1 where that is right,
     * 0 where it says nothing. */
    struct regret_valued calibration;
    double lambda;     /* CVCI's: how much of a mean OBS loss counts beside that of EXP; NaN */
    char *lambda_says; /* a sentence */
    enum regret_verdict verdict;
    size_t answer;  /* of one agent: which; else n_agents */
    char *sentence; /* the verdict in words */
    /* Where it cannot be told: who seems best, n_agents where nobody can be compared; whether by tag or request seems better; and what that
     * risks, in words, or NULL. */
    size_t guess;
    enum regret_policy_kind guess_policy;
    char *guess_sentence;
    double
        trial_rows; /* that would tell, at the incumbent's difference that is seen; NaN where told, or none would */
    struct regret_diagnostics *diagnostics; /* NULL where they were not wanted */
    size_t n_notes;
    char **note; /* what could not be told, or was left out */
    /* What the numbers were made of, for those who make them again: rows in the order of their source, but first those that surfaces
     * were fitted to, then those with an f of their own, then all others. */
    size_t n_fitted, n_known; /* the last rows of the first, and of both, and one */
    uint32_t *row;            /* [rows] of log->rows[basis] */
    uint32_t *fold;           /* [rows] */
    double *surface; /* [… × n_agents] f of contexts, and of tags, from the folds without … */
    uint32_t *surface_of; /* … [rows] which of them is a row's */
    double *propensity;   /* [rows] used: given, or of a log alone estimated */
    uint32_t *choice
        [REGRET_POLICIES]; /* [rows] the agent that a policy, learned of the folds before the row's, takes; UINT32_MAX in the
                                          first folds and where none is on offer; or NULL */
    uint32_t *
        margin_group; /* [rows] of the row's request, by the folds before; UINT32_MAX in the first folds, and without a margin */
};

/* All of it. REGRET_E_INPUT: fewer than two agents with rows, no rows, fewer than two clusters. */
REGRET_API int regret_evaluate(struct regret_evaluation **out, const struct regret_log *log,
                               const struct regret_evaluate_options *options);
REGRET_API void regret_evaluation_free(struct regret_evaluation *evaluation); /* NULL is fine */

/* Appends the screen: at most 40 lines of 100 columns, what says no first. */
REGRET_API void regret_evaluation_describe(struct regret_buffer *out,
                                           const struct regret_evaluation *evaluation,
                                           const struct regret_log *log);
/* Appends result.json. */
REGRET_API void regret_evaluation_json(struct regret_buffer *out,
                                       const struct regret_evaluation *evaluation,
                                       const struct regret_log *log);

/* What is written besides what always is. */
struct regret_evaluation_files {
    int replace;  /* 1: an earlier evaluation at the same place is replaced */
    int safe_csv; /* CSV guarded for spreadsheets */
    int details;  /* 1: rows.csv, what the numbers were made of */
};
/* The folder: result.json, agents.csv, tags.csv, policies.csv, recommendations.csv, diagnostics.csv, and model.regret where
 * one could be fitted (else regret_error_message() says why not), but none where it cannot be told who is better than the
 * incumbent; whole or not at all. */
#define REGRET_EVALUATION_FILES                                                                    \
    "result.json agents.csv tags.csv policies.csv recommendations.csv diagnostics.csv rows.csv "   \
    "model.regret"
REGRET_API int regret_evaluation_write(const char *folder,
                                       const struct regret_evaluation *evaluation,
                                       const struct regret_log *log,
                                       const struct regret_evaluate_options *options,
                                       const struct regret_evaluation_files *files);

/* Planning a trial from a log and a pilot (docs/guide.md; protocol, section 13b): how wide intervals n assigned requests
 * leave, how many find a difference, and how to divide them among agents. */

/* How n rows are divided among agents, each of whom gets requests of every tag as they come: alike; so that the variances of
 * all differences to the incumbent sum to the least (Neyman 1934, with the incumbent counting for every difference, as in
 * Dunnett 1955); so that those of all values do. */
enum regret_trial_allocation {
    REGRET_TRIAL_UNIFORM,
    REGRET_TRIAL_NEYMAN_DIFFERENCES,
    REGRET_TRIAL_NEYMAN_VALUES,
    REGRET_TRIAL_ALLOCATIONS
};
REGRET_API const char *regret_trial_allocation_name(enum regret_trial_allocation allocation);

/* Where an agent's deviation comes from. */
enum regret_trial_basis {
    REGRET_TRIAL_FROM_PILOT,
    REGRET_TRIAL_FROM_OTHERS, /* other agents of the pilot: it has fewer than two rows itself */
    REGRET_TRIAL_FROM_LOG,    /* OBS, there being no pilot */
    REGRET_TRIAL_WORST        /* 1/2, the largest there is on [0,1] */
};
REGRET_API const char *regret_trial_basis_name(enum regret_trial_basis basis);

struct regret_trial_plan_options {
    double level;       /* of intervals */
    size_t n;           /* rows of the planned trial */
    const size_t *grid; /* [n_grid] other numbers of rows to tell of; NULL: 100, 200, …, 12800 */
    size_t n_grid;
    const uint32_t *
        agent; /* [n_agents] of the log, each once: who takes part; NULL: all that are not withdrawn */
    size_t n_agents;
    size_t
        incumbent; /* of the log; (size_t)-1: the log's, else the most frequent in OBS, else in EXP */
    double half_width; /* wanted of every difference to the incumbent, simultaneously; NaN: none */
};
#define REGRET_TRIAL_PLAN_OPTIONS_INIT                                                             \
    {                                                                                              \
        .level = 0.95, .n = 1000, .incumbent = (size_t)-1, .half_width = NAN                       \
    }
enum { REGRET_TRIAL_MAX_GRID = 64 };

/* What is known of an agent before the trial; outcomes are on [0,1]. */
struct regret_trial_agent {
    uint32_t agent;        /* of the log */
    size_t rows;           /* of the pilot */
    double mean, se;       /* of the pilot, by clusters; NaN without rows */
    double deviation;      /* of one outcome within tags */
    double safe;           /* the upper end of its one-sided 80 % interval */
    double posterior_mean; /* under the normal prior fitted to all agents */
    enum regret_trial_basis basis;
};

/* What n rows of a trial, analysed without the pilot, leave by an allocation. */
struct regret_trial_width {
    size_t n;
    double value;        /* half-width of an agent's value, the largest over agents */
    double difference;   /* of a difference to the incumbent, the largest */
    double simultaneous; /* the same of all differences together */
    double safe;         /* simultaneous, with deviations at their safe side */
    double
        detectable; /* the difference that is found with power .8 among all of them (Bonferroni), the largest */
};

struct regret_trial_plan {
    double level;
    size_t n, n_agents, n_grid;
    size_t incumbent,
        best; /* of `agent` below; best: greatest posterior mean besides the incumbent */
    size_t pilot_rows, pilot_clusters;
    double
        tail; /* rows of the pilot that say as little of a variance as one normal row, (kurtosis − 1)/2, at least 1 */
    struct regret_trial_agent *agent; /* [n_agents] */
    /* [n_agents] shares of the rows by allocation; they sum to 1. */
    double *share[REGRET_TRIAL_ALLOCATIONS];
    struct regret_trial_width
        *width[REGRET_TRIAL_ALLOCATIONS]; /* [n_grid] ascending, the plan's n among them */
    double half_width;                    /* that was asked for; NaN: none */
    /* Rows that are needed by allocation; 0: more than 2^40, or nothing is wanted. */
    size_t for_width[REGRET_TRIAL_ALLOCATIONS], for_width_safe[REGRET_TRIAL_ALLOCATIONS];
    /* To find the difference of best and incumbent as it seems, with power .8 among all of them, as `recommend` asks (Bonferroni). */
    size_t for_best[REGRET_TRIAL_ALLOCATIONS], for_best_safe[REGRET_TRIAL_ALLOCATIONS];
};

/* Plans. REGRET_E_INPUT: fewer than two agents, an agent that there is not or twice, an incumbent that does not take
 * part, no rows, a level outside of (0,1). A log without EXP is planned from OBS, and one without rows at all from the
 * worst case; `basis` says so. */
REGRET_API int regret_trial_plan(struct regret_trial_plan **out, const struct regret_log *log,
                                 const struct regret_trial_plan_options *options);
REGRET_API void regret_trial_plan_free(struct regret_trial_plan *plan); /* NULL is fine */

#endif
