/* A log and a trial become an answer (docs/guide.md; protocol §13): what every agent is worth, who should answer which
 * request, how sure that is, and whether it can be told at all.
 *
 * Values are of the population of requests that the rows of the trial come from, new ones included, with what was sampled
 * as one (users, sessions, contexts) for clusters. They rest on the trial where there is one: the log makes them sharper by
 * what it teaches the surfaces that are corrected, and cannot make them wrong. Of a log alone values hold only if
 * nothing unmeasured moved both choice and outcome, which no number of these says. */
#ifndef REGRET_EVALUATE_H
#define REGRET_EVALUATE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/log.h"
#include "regret/status.h"
#include "regret/stop.h"
#include "regret/text.h"
#include "regret/value.h"

struct regret_diagnostics; /* regret/diagnose.h */

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

#endif
