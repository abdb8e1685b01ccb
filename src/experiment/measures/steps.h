/* The values that the steps of a replicate hand on (replicate.h). */
#ifndef REGRET_EXPERIMENT_STEPS_H
#define REGRET_EXPERIMENT_STEPS_H

#include "experiment/external/external.h"
#include "experiment/inputs/proxy_memo.h"
#include "experiment/inputs/run_inputs.h"
#include "experiment/pool/pair_split.h"
#include "regret/estimate.h"
#include "regret/results.h"
#include "regret/value.h"
#include "results/row/row.h"

/* Where the time goes. */
enum stage { STAGE_FEATURES, STAGE_DRAW, STAGE_PROXY, STAGE_FIT, STAGE_MEASURE, N_STAGES };
extern const char *const stage_names[N_STAGES];

/* What a replicate took; in no result. */
struct effort {
    double seconds[N_STAGES]; /* wall time */
    struct regret_solver_record solver;
};

/* What replicates are made from. */
struct replicate_source {
    const struct regret_run_plan *plan;
    const struct run_inputs *inputs;
    struct proxy_memo *memo;        /* of this thread; NULL: every proxy is fitted */
    const struct regret_stop *stop; /* asked while they are made; may be NULL */
};

/* Which one; fold 0 is all there is of a single split (context_folds()). */
struct replicate_place {
    size_t cell;
    uint64_t seed;
    size_t fold;
    int all_losses; /* 1: losses of candidates as exact as the fits, for those who read them */
};

/* How EXP draws where pairs are unobserved (struct regret_exp_support), and how often an agent is observed on contexts of a
 * kind; owned, NULL where nothing is unobserved. */
struct exp_support {
    double *offered, *factor;
    double *share;        /* [kinds × n_agents] of the grid's contexts */
    const uint32_t *kind; /* of each context; NULL: there is one; borrowed */
};

/* What is drawn from. */
struct setting {
    struct regret_config config;
    struct replicate_place at;
    uint64_t seed;                      /* of what the fold draws: regret_fold_seed() */
    const struct feature_set *features; /* of the plan */
    size_t feature_set;                 /* which of them */
    struct pair_split split;
    struct exp_support support;
    struct regret_task *task;
    const struct grid_votes *votes; /* of the grid; NULL: rows are no votes */
    struct external *external;      /* of the inputs; NULL without families of one's own */
    const double
        *population; /* [contexts] ω of the target population; NULL: that which is run on */
};

/* What is seen. */
struct draws {
    struct regret_rows obs, exp;
};

/* φ of every pair as the estimators see it. */
struct replicate_features {
    struct regret_coordinates coordinates; /* unless a sparse set's own columns serve */
    struct regret_design phi;
};

/* z of every pair. */
struct fitted_proxy {
    double *z; /* pairs × dim */
    size_t dim;
};

struct estimates {
    size_t n;                        /* families of the configuration, in their order */
    struct regret_estimate **family; /* [n] */
    struct regret_folds *cv, *dr;
    struct regret_folds *obs_cv; /* NULL where obs_only.rho is one number */
    struct external_failure failure[REGRET_MAX_FAMILIES]; /* of families of one's own */
};

/* Values of the agents over the reference contexts, by one family. */
struct agent_values {
    double *dm, *dr, *sndr; /* [n_agents]; dr and sndr are NULL when values are off */
};
struct values {
    size_t n;
    struct agent_values *family; /* [n] */
    double *truth;               /* [n_agents] V(a) */
};

/* What the baselines of the run take agents to be worth. */
struct baselines {
    struct row_baseline_list list;
    size_t cells;
    double *
        surface; /* [list.n × cells], cells = n_test × n_agents on the held-out contexts: mu of the oracle, means of
                        rows, NaN where there are none; of "random" it says nothing */
};

enum { MEASURED_FITS = 4 };
/* REGRET_MEASURE_POLICY_IPS and the two after it. */
enum { MEASURED_POLICY = 3 };
enum { MEASURED_WORDS = 400 }; /* bytes of the words of a fit */

/* What the rows of one family say. */
struct family_measures {
    char family[REGRET_FAMILY_NAME_SIZE];
    struct external_failure failure;   /* where it has a word, all that follows is missing */
    double measure[REGRET_N_MEASURES]; /* NaN: none, as of values when they are off */
    int basis, cv_mode;                /* as in struct regret_estimate */
    double leak[REGRET_N_LEAK];        /* of one of the user's own; NaN of others */
    char picked[MEASURED_WORDS]; /* of mixed: words, blanks between, as many as fit; "" of others */
};

/* Everything that rows are written of. */
struct measures {
    size_t n_families;
    struct family_measures family[REGRET_MAX_FAMILIES];
    struct row_baseline_list baselines;
    double baseline_regret[ROW_BASELINES]; /* in their order */
    /* Of the same, over all agents, where pairs are unobserved; else NaN */
    double baseline_policy[ROW_BASELINES * MEASURED_POLICY];
    size_t n_fits;                /* measures_fits(): the last two are of pools of patches */
    double fit_r2[MEASURED_FITS]; /* proxy, components, success, patch-statistics */
    double fit_r2_clipped[MEASURED_FITS];
};

struct replicate {
    struct setting setting;
    struct draws draws;
    struct replicate_features features;
    struct fitted_proxy proxy;
    struct estimates estimates;
    struct values values;
    struct baselines baselines;
    struct measures measures;
    struct effort effort;
};

#endif
