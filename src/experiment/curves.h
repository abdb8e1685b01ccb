/* Measures along prices, steps and surfaces. */
#ifndef EXPERIMENT_CURVES_H
#define EXPERIMENT_CURVES_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/external.h"
#include "experiment/inputs.h"
#include "experiment/pool_source.h"
#include "experiment/population.h"
#include "regret/estimate.h"
#include "regret/results.h"
#include "results/row.h"

/* The values that the steps of a replicate hand on (replicate.h). */

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

/* How EXP draws where pairs are unobserved (struct regret_exp_support), and how often an agent is observed; owned, NULL where
 * nothing is unobserved. */
struct exp_support {
    double *offered, *factor;
    double *share; /* [n_agents] of the grid's contexts */
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

/* What agents are worth on some contexts, a row a context: by predictions, and in truth. */

/* The predictions by which an agent is chosen. */
static inline const double *measures_choosing(const struct regret_estimate *e)
{
    return e->unclipped != NULL ? e->unclipped : e->prediction;
}

/* f of a prediction on the held-out contexts, averaged over draws: [n_test × n_agents]. */
void measures_surface(double *surface, const struct setting *setting, const double *prediction);
/* The same on n contexts of the caller's choice. */
void measures_surface_of(double *surface, const struct setting *setting, const double *prediction,
                         const size_t *contexts, size_t n);
/* mu on n contexts: [n × n_agents]. */
void measures_target_of(double *surface, const struct setting *setting, const size_t *contexts,
                        size_t n);

/* What the policies of a replicate are worth for what they cost: the lists by price of its rows (protocol §7). */

/* Sums over folds, weighted by their held-out contexts, then means; all NULL without costs.enabled. */
struct curves {
    size_t n_agents, n_families;
    struct row_baseline_list baselines;
    double weight;       /* held-out contexts of all folds */
    double *agent_value; /* [n_agents] */
    double *subject;     /* [(n_families + baselines.n) × CURVE_NUMBERS] */
};

/* Takes one fold; the first makes the arrays. */
int curves_add(struct curves *curves, const struct replicate *replicate);
void curves_finish(struct curves *curves);
void curves_clear(struct curves *curves); /* safe on a zeroed one */

/* Hands the lists of subject `i`, families first, then baselines, to its row; borrowed. */
void curves_lend(struct row *row, const struct curves *curves, size_t i);

/* Agents of a pool of votes by their strengths (value/strength.h) in the votes that a replicate sees. */

/* The probability of winning against an agent of average strength, [n × n_agents] on n contexts; NaN of an agent without rows.
 * A row of OBS or EXP is a vote of its agent against the other that is observed on its context: which of the two a logger
 * took makes no other vote of it. By tag: θ of the tag is drawn to that of all by a ridge of 1. */
int strengths_take(double *surface, enum regret_rule rule, const struct setting *setting,
                   const struct draws *draws, const size_t *context, size_t n);

/* The statistics of patches as what a target is fitted on (the paper's Figure 3), beside the proxy. */

/* Of the pool's auxiliary labels, those that are statistics of patches (text/patch.h) by their name; 0 for a pool
 * without "success". */
size_t patch_fit_columns(const struct regret_pool *pool);

/* These labels of every pair, pairs × patch_fit_columns(), on the scale that labels enter proxies by
 * (proxy.scale, fitted on OBS rows); to be freed with regret_free(). */
int patch_fit_take(double **out, const struct setting *setting, const struct draws *draws);

#endif
