/* Results of a run. */
#ifndef REGRET_RESULTS_H
#define REGRET_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* A run folder and its rows: what `regret run` writes, `regret merge` joins and `regret report`
 * reads. */

struct cJSON;
struct row_lists;

/* clang-format off */

/* run.json               {"format": "regret-run-1",
 *                         "config": {every key, and "sweep"},
 *                         "pool": {name, title, version, licence, source, digest, synthetic, contexts,
 *                                  agents, draws, dropped_contexts, dropped_agents, imputed}, "scale": what 0 and 1
 *                                  of rewards are in the pool's scores, where it is not that, and where pairs are
 *                                  unobserved "observed", how many are not, and "comparable", the contexts with two,
 *                         "grids": [{"agents": [ids], "contexts": [ids], "tags": [names]}]: what the lists
 *                         of rows number, the distinct ones of all cells (older programs wrote none); the
 *                         tag of each context, null of one without, where any has one; and, where there are
 *                         any, "constant": the numbers of agents that give one text to every context; with
 *                         costs.enabled "costs": what each agent costs,
 *                         "version", "results_version", "blas": {build, kernel},
 *                         "families": [names],
 *                         "family_facts": [{"family", "roles": [names], "variant_of",
 *                                          "hyper": [{"key", "column", "kind"}]}] of each; of one's own
 *                                          "external": "command" or "predictions", and "digest" of the files,
 *                         "cells": [{"cell": 0, "key": {swept keys}, "grid": 1}], which of the grids a
 *                         cell has, absent where it is the first,
 *                         "baselines": [names] where they are more than the first four below,
 *                         "means": {"version": 1, "items": [{"tags": [names], "contexts", "n", "mean", "sd",
 *                                   "first", "second", "pairs", "lead", "lead_sd", "low", "high", "lead_low", "lead_high", "lead_p": lists}]}: struct
 *                                   regret_run_means, one for every reward and grid; of a real pool, of votes, and of one
 *                                   whose contexts have two tags or more; and "means" of the cells that
 *                                   have not the first; of votes means are values (value/strength.h),
 *                         "seeds": N, "rows": of a replicate, "shard": "1/1", "replicates": count}
 * results-1-of-1.jsonl   one row per (cell, seed, family), ordered by seed, then cell, then family;
 *                        the same bytes whatever the number of threads
 * timing-1-of-1.jsonl    seconds by stage of each replicate; never compared
 *
 * A row is one JSON object:
 *   "cell"    number of the cell
 *   "seed"    number of the seed
 *   "key"     {"reward.map", "beta", "n_obs", "n_exp"} always, and every other swept key
 *             a controlled world has the reward map "world"
 *   "kind"    "family"    an estimator family
 *             "baseline"  "oracle", "random", "best-exp" (best single agent by its EXP mean),
 *                         "best-obs" (by its raw OBS mean); of a run with a grid whose contexts have two
 *                         tags or more, too, "best-by-tag-exp" and "best-by-tag-obs" (the same for each tag); of a pool
 *                         of votes "best-bt" and, with tags, "best-by-tag-bt" (by strengths, value/strength.h)
 *             "fit"       held-out R² of the target on "proxy", "components" and, of patches, "success" and
 *                         "patch-statistics" (the labels that are statistics of patches, text/patch.h, on the
 *                         scale of proxies; runs of older programs have none)
 *   "family"  the name
 * of a family, null where it has none or values are off:
 *   "regret", "rmse" (context-action), "top1" (0 or 1),
 *   "top3" (share of the true best three agents among the predicted best three), "spearman",
 *   "kendall" (τ_b), "hit1", "hit3" (share of contexts with a true best agent among the 1 or 3 predicted
 *   best; these three are absent from rows of older programs),
 *   "dm_rmse", "dr_rmse", "sndr_rmse", "lambda", "alpha", "rho", "tau", "basis",
 *   "cv" ("agents", "rows", "contexts", "holdout" or "none")
 *   and where a family of one's own has no fit (docs/formats.md), all of these null and
 *   "failure"  why: "crash", "time-out", …; in no other row
 *   and lists: "choice", "loss", "dm", "dr", "sndr", "dm_half", "dr_half", "sndr_half"; with costs.enabled
 *   "price_value", "price_cost", "budget"; of a family of one's own "leak"
 *   "picked"   of mixed: the words that it picked, of folds those of the first; in no other row, nor in results.csv
 * of a baseline: "regret", and lists: "choice" (null of "random"), "loss"; of the oracle, too, "context",
 *   "best", "value", "value_grid"; with costs.enabled of all but "random" "price_value", "price_cost", "budget",
 *   and of the oracle "agent_value"
 * of a family or a baseline but oracle and random, where pairs are unobserved (grid.policy "observed") and in no other run:
 *   "policy_ips", "policy_dr", "policy_dr_half", the value of what it recommends of all agents (regret_policy_value()),
 *   each absent where its agents are observed on too few held-out contexts or folds are joined, and the list "choice_all"
 * of a fit: "r2" (null where the target does not vary), "r2_clipped" (of predictions moved into [0,1];
 *   rows of older runs have none)
 *
 * Lists (protocol §7) have a number for each held-out context of the replicate, ascending, or for each
 * agent of the grid, written with six significant digits; null in the place of a number that is not
 * defined. A whole list is null where the run keeps none ("details" false), where values are off (dr,
 * sndr), and intervals (…_half) there and where folds of contexts are joined. Older programs wrote no lists.
 *   by context: "context"    its number in the grid; of the oracle's row
 *               "best"       max_a mu(x,a); of the oracle's row
 *               "choice"     the number of the agent recommended (equals: the lowest)
 *               "loss"       max_a mu(x,a) − mu(x, choice); its mean is "regret". Where pairs are unobserved, these
 *                            four are of the observed ones, and the contexts those with two of them
 *               "choice_all" the number of the agent recommended of all, observed there or not
 *   by agent:   "value"      V(a) over the reference contexts, the truth of dm_rmse, dr_rmse and
 *                            sndr_rmse; of the oracle's row
 *               "value_grid" the mean of mu(x,a) over every context of the grid; of the oracle's row
 *               "dm", "dr", "sndr" the estimates of V(a)
 *               "dm_half", "dr_half", "sndr_half" half-widths of their 95 % intervals
 *                            (regret_value_half_widths())
 *               "agent_value" the mean of mu(x,a) over the contexts of the regret
 *   by price (protocol §7, src/value/costs.h), on the contexts of the regret: "price_value",
 *               "price_cost" the mean value and cost of the policy argmax_a f(x,a) − p c_a at each price
 *   of fixed lengths: "budget" price, value and cost of the policy within costs.budget, null without one
 *               "leak"       enum regret_leak; null where the predictions do not tell
 * The last six are absent, not null, from rows that have nothing to say there. */

/* clang-format on */

#define REGRET_RUN_FORMAT "regret-run-1"
#define REGRET_RESULTS_VERSION 1

/* ---------------------------------------------------------------- rows in memory */

/* What a row is of. */
enum regret_row_kind { REGRET_ROW_FAMILY, REGRET_ROW_BASELINE, REGRET_ROW_FIT };

/* The numbers a row may hold; the names are those of the JSON fields in lower case. */
enum regret_measure {
    REGRET_MEASURE_REGRET,
    REGRET_MEASURE_RMSE,
    REGRET_MEASURE_TOP1,
    REGRET_MEASURE_TOP3,
    REGRET_MEASURE_SPEARMAN,
    REGRET_MEASURE_KENDALL,
    REGRET_MEASURE_HIT1,
    REGRET_MEASURE_HIT3,
    REGRET_MEASURE_DM_RMSE,
    REGRET_MEASURE_DR_RMSE,
    REGRET_MEASURE_SNDR_RMSE,
    REGRET_MEASURE_LAMBDA,
    REGRET_MEASURE_ALPHA,
    REGRET_MEASURE_RHO,
    REGRET_MEASURE_TAU,
    REGRET_MEASURE_R2,
    REGRET_MEASURE_R2_CLIPPED,
    REGRET_MEASURE_POLICY_IPS, /* these three where pairs are unobserved */
    REGRET_MEASURE_POLICY_DR,
    REGRET_MEASURE_POLICY_DR_HALF,
    REGRET_N_MEASURES
};

/* The lists a row may hold; the names are those of the JSON fields in lower case. */
enum regret_list {
    REGRET_LIST_CONTEXT, /* these five by context */
    REGRET_LIST_BEST,
    REGRET_LIST_CHOICE,
    REGRET_LIST_LOSS,
    REGRET_LIST_CHOICE_ALL, /* where pairs are unobserved */
    REGRET_LIST_VALUE,      /* and these by agent */
    REGRET_LIST_VALUE_GRID,
    REGRET_LIST_DM,
    REGRET_LIST_DR,
    REGRET_LIST_SNDR,
    REGRET_LIST_DM_HALF,
    REGRET_LIST_DR_HALF,
    REGRET_LIST_SNDR_HALF,
    REGRET_LIST_AGENT_VALUE,
    REGRET_LIST_PRICE_VALUE, /* these two by price */
    REGRET_LIST_PRICE_COST,
    REGRET_LIST_BUDGET, /* enum regret_budget */
    REGRET_LIST_LEAK,   /* enum regret_leak */
    REGRET_N_LISTS
};

/* The numbers of REGRET_LIST_BUDGET. */
enum regret_budget {
    REGRET_BUDGET_PRICE, /* the least at which the policy's mean cost on training contexts is allowed */
    REGRET_BUDGET_VALUE, /* its mean value on the held-out ones, */
    REGRET_BUDGET_COST,  /* and its mean cost */
    REGRET_N_BUDGET
};

/* The numbers of REGRET_LIST_LEAK (docs/formats.md): whether a family of one's own has seen what was held out. */
enum regret_leak {
    REGRET_LEAK_PROBABILITY, /* that errors cancel so well over the grid of one that has not */
    REGRET_LEAK_TRAINED,     /* mean squared error against mu over pairs of training contexts */
    REGRET_LEAK_HELD_OUT,    /* and over those of the regret */
    REGRET_N_LEAK
};

/* The first four keys are always these; every other swept key follows in order of its name. */
enum regret_key_index {
    REGRET_KEY_MAP,   /* "reward.map" */
    REGRET_KEY_BETA,  /* "beta" */
    REGRET_KEY_N_OBS, /* "n_obs" */
    REGRET_KEY_N_EXP, /* "n_exp" */
    REGRET_N_MAIN_KEYS
};

/* What a baseline recommends by; none of them wants an estimator. */
enum regret_rule {
    REGRET_RULE_NONE,   /* it is no baseline */
    REGRET_RULE_ORACLE, /* the best agent of each context */
    REGRET_RULE_RANDOM, /* any agent */
    REGRET_RULE_SINGLE, /* one agent for all: that of the best mean in rows of `source`, or strength */
    REGRET_RULE_BY_TAG /* one agent for each tag of contexts, likewise */
};

/* What a row is about: an estimator family, a baseline or a fit. */
struct regret_subject {
    enum regret_row_kind kind;
    const char *name; /* of the run's JSON, or static */
    /* Of a family: what run.json says of it or, where it is an older one, this program's own table;
     * a family that neither knows has no role. */
    unsigned roles;         /* enum regret_family_role */
    const char *variant_of; /* the family it is compared with only, or NULL; as `name` */
    const char *external; /* of a family of the user's own: "command" or "predictions"; else NULL */
    enum regret_rule rule; /* of a baseline */
    const char *source;    /* of one that goes by rows: "EXP" or "OBS"; else NULL; static */
};

/* A key of the cells and the values it takes: numbers ascending, then false, true, then texts and
 * lists in the order of the cells. */
struct regret_key {
    char *name; /* "reward.map"; owned */
    size_t n_values;
    char **values; /* n_values texts; numbers in their shortest round-trip form; owned */
};

/* What run.json says of a run. Texts belong to `json`; NULL where it does not say. */
struct regret_run_facts {
    char *folder;               /* as it was given; owned */
    char *name;                 /* the last part of its path from the root; owned */
    struct cJSON *json;         /* the whole; owned */
    const struct cJSON *config; /* the configuration with its sweep */
    const char *title;          /* the configuration's */
    const char *pool_name, *pool_title, *pool_version, *pool_digest, *pool_licence;
    int synthetic;                     /* 1: generated data, 0: a real task */
    long long contexts, agents, draws; /* -1 where run.json does not say */
    long long least_draws;             /* of a pair; -1: every pair has `draws` */
    /* what grid.policy left out or counted as 0; -1 likewise */
    long long dropped_contexts, dropped_agents, imputed;
    long long observed,
        comparable; /* pairs and contexts with two of them; -1 where no pair is unobserved */
    /* What 0 and 1 of a reward are in the pool's scores; NaN: the same, or no one range. */
    double scale[2];
    const char *version, *blas_build, *blas_kernel;
};

/* The ids that the lists of some cells number; texts belong to the run's JSON. */
struct
    regret_run_column { /* what is known of each context besides: numbers or words, the other is NULL */
    const char *name;
    double *number;    /* NaN where not known; owned */
    const char **word; /* an owned array */
};
struct regret_run_grid {
    size_t n_agents, n_contexts, n_columns;
    struct regret_run_column *columns; /* owned */
    const char **agents, **contexts;   /* owned arrays */
    const char **tags; /* of each context, NULL of one without; NULL where none has one; owned */
    double *costs;     /* [n_agents] of an answer; NULL where the run keeps no curves; owned */
    unsigned char
        *constant; /* [n_agents] 1: one text for every context; NULL where none is; owned */
    /* Of votes whose chains do not lead from every agent to every other: pairs of agents of which the first has won from the
     * second, or tied; [n_won][2]. NULL: they do, or these are no votes. Owned. */
    size_t (*won)[2];
    size_t n_won;
};

/* What the pool's outputs are worth to the run, mu(x,a) over the contexts x of the grid, training and held out, by agent:
 * over all contexts, then over those of each tag. Pairs without an output (imputed ones) do not count. */
struct regret_run_means {
    size_t n_agents, n_tags; /* 0: the contexts have fewer than two tags */
    const char **tags;       /* NULL: contexts without one; owned array, and so are the others */
    double *contexts;        /* [n_tags + 1] */
    double *n, *mean,
        *sd; /* [(n_tags + 1) × n_agents] contexts with an output, mean and standard deviation over them;
                              NaN where there are none, or is one */
    size_t *first,
        *second; /* [n_tags + 1] agents of the largest means, equals: the lowest; REGRET_NO_ROW: none */
    double *pairs, *lead,
        *lead_sd; /* [n_tags + 1] of the first less the second, over contexts where both have an output */
    double *low,
        *high; /* [(n_tags + 1) × n_agents] 95 % limits; NULL, like the next, of older programs */
    double *lead_low, *lead_high, *lead_p; /* [n_tags + 1] those of the lead, and that it is 0 */
    /* Of votes: log odds that being shown first adds, that it is 0, and [n_agents] by how much it has moved what agents won; NaN, and NULL
     * where it is not known. */
    double position, position_p, *moved;
    /* [(n_tags + 1) × n_agents] where outputs are missing, else NULL: agents are then compared within contexts (protocol §7),
     * means are of all contexts, what is unknown filled in, and this is how much better an agent is than the mean of all, and
     * the first than it, with standard errors; NaN of agents that cannot be compared. */
    double *over, *over_se, *behind, *behind_se;
    int by_words; /* 1: within parts of contexts by how many agents words say are observed */
};

/* A list of a row: n numbers, NaN where one is not defined; n is 0 where there is no list. Six digits are
 * what rows are written with. */
struct regret_list_view {
    const double *number;
    size_t n;
};

/* All rows of a run. Columns have n_rows elements; missing and null numbers are NaN. */
struct regret_results {
    struct regret_run_facts run;
    size_t n_families; /* subjects [0, n_families) are the families, in run.json's order */
    size_t n_subjects; /* then come the baselines and the fits */
    struct regret_subject *subjects;
    size_t n_keys;
    struct regret_key *keys;
    size_t n_cells;
    size_t *cell_value; /* n_cells × n_keys, column-major: which value of the key the cell has */
    size_t n_grids;     /* 0 where run.json has none; rows then hold no lists */
    struct regret_run_grid *grids;
    size_t *cell_grid; /* n_cells: which of them the cell has */
    size_t n_means;    /* 0 where run.json has none */
    struct regret_run_means *means;
    size_t *cell_means;   /* n_cells: which of them the cell has */
    size_t seeds_planned; /* run.json's */
    size_t n_seeds;       /* that occur in rows */
    long long *seeds;     /* n_seeds numbers, ascending */

    size_t n_rows;
    size_t *row_cell;    /* in [0, n_cells) */
    size_t *row_seed;    /* index into `seeds` */
    size_t *row_subject; /* in [0, n_subjects) */
    double *measure[REGRET_N_MEASURES];
    size_t *row_basis;       /* index into `words`, REGRET_NO_ROW where null */
    size_t *row_cv;          /* index into `words`, REGRET_NO_ROW where null */
    size_t *row_failure;     /* index into `words`, REGRET_NO_ROW where there is a fit */
    char **row_picked;       /* words by which agents differ, blanks between; NULL without; owned */
    struct row_lists *lists; /* regret_results_list() reads them */
    size_t n_words;
    char **words; /* the bases and cross-validation modes that occur */
    size_t *at;   /* n_subjects × n_cells × n_seeds, subject fastest: the row, or REGRET_NO_ROW */

    size_t
        n_complete; /* replicates in which every family has its row, with a regret or a failure */
    char *gaps;     /* one sentence on what is missing; NULL when nothing is. Owned. */
    char *unmade;   /* sentences on the fits and the predictions out of fold that families of the
                          user's own have not made, n of N by family; NULL when none lack. Owned. */
};

/* No row, subject, key or word. */
#define REGRET_NO_ROW ((size_t)-1)

/* Reads run.json and every results-I-of-N.jsonl of `run_folder`. Bad fields are REGRET_E_INPUT with
 * "FILE:LINE: field …", and so are shards that overlap or belong to different partitions; missing
 * shards, replicates and rows are no error but described in `gaps`. Free with
 * regret_results_free(). Time and memory are linear in the rows (plus the cube `at`). */
REGRET_API int regret_results_read(struct regret_results **out, const char *run_folder);
REGRET_API void regret_results_free(struct regret_results *results); /* NULL is fine */

/* One number of the cube, NaN where the row is missing or the number null. Indices are unchecked:
 * subject < n_subjects, cell < n_cells, seed < n_seeds. */
REGRET_API double regret_results_value(const struct regret_results *r, enum regret_measure measure,
                                       size_t subject, size_t cell, size_t seed);

/* A list of a row; empty where the row or the list is not there. The numbers belong to the results. Indices
 * are unchecked. "context" and "best" are asked of the oracle's row, and so are the true values. Within a
 * replicate lists by context are of one length, those by agent have n_agents of the cell's grid; numbers of
 * agents and contexts are below those of the grid. */
REGRET_API struct regret_list_view regret_results_list(const struct regret_results *r,
                                                       enum regret_list list, size_t subject,
                                                       size_t cell, size_t seed);

/* The subject of that kind and name, or REGRET_NO_ROW. */
REGRET_API size_t regret_results_subject(const struct regret_results *r, enum regret_row_kind kind,
                                         const char *name);

/* The key of that name, or REGRET_NO_ROW; which of its values a cell has, and that value. Indices are
 * unchecked. */
REGRET_API size_t regret_results_find_key(const struct regret_results *r, const char *name);
REGRET_API size_t regret_results_key_value(const struct regret_results *r, size_t cell, size_t key);
REGRET_API const char *regret_results_key_text(const struct regret_results *r, size_t cell,
                                               size_t key);

/* Appends all rows as RFC 4180 records (CRLF-free line ends "\n"), ordered by seed, cell, subject:
 * cell, seed, kind, family, every key, every measure, basis, cv, in a run with a family of one's own failure, and last run (its folder's
 * name), pool and synthetic (true or false), which are those of the run in every record. Numbers read back exactly; null is an empty field. */
REGRET_API int regret_results_csv(struct regret_buffer *out, const struct regret_results *results);

/* ---------------------------------------------------------------- shards */

struct regret_merge_options {
    int force; /* replace an existing run folder */
    /* Called with the folder of the merged run before it appears at `out`, for what belongs into it;
     * its failure is the merge's. May be NULL. */
    int (*finish)(void *context, const char *folder);
    void *finish_context;
};

/* Joins the shards of one run into a run folder of its own, which appears whole or not at all.
 * Refuses shards of different configurations or pools (by the digest, not the path), missing,
 * doubled or unfinished ones. n_runs >= 1; `options` may be NULL. */
REGRET_API int regret_merge(const char *out, const char *const *runs, size_t n_runs,
                            const struct regret_merge_options *options);

/* Everything that regret_merge() does before it writes, and nothing written: returns what it would, but for what only
 * writing and `finish` can tell. Appends, whatever that is, a line for each of `runs`: its shard and how much of it is
 * there, or why it is refused; and a line on the whole: rows found, missing and doubled. */
REGRET_API int regret_merge_preview(struct regret_buffer *text, const char *out,
                                    const char *const *runs, size_t n_runs,
                                    const struct regret_merge_options *options);

/* What regret_merge() lacks: for every shard that is unfinished or not among `runs`, lines that say
 * which cells of which seeds it is to compute, and the command that does. Nothing when all is there. */
REGRET_API int regret_merge_missing(struct regret_buffer *text, const char *const *runs,
                                    size_t n_runs);

/* How good a recommendation is (protocol §7). Surfaces are [n_contexts × n_agents], row-major by
 * context: the mean over draws of a pair's value.
 *
 * A pair whose mu is NaN is unobserved: nothing is recommended, or known to be best, but what is observed. A context
 * with fewer than two observed agents takes no part in regrets and hits, but where there is one agent in all; without
 * any context these are NaN. */

/* Index of the largest value; ties: the lowest index. NaN never wins (0 when all are). */
REGRET_API size_t regret_argmax(const double *value, size_t n);

/* The observed agent of the largest f: the argmax where all of mu's row are known. f of NaN never wins; of equals,
 * and where all are NaN, the lowest. 0 where none is observed. */
REGRET_API size_t regret_argmax_observed(const double *f, const double *mu, size_t n);
/* 1: a context whose agents' mu these are takes part. */
REGRET_API int regret_is_comparable(const double *mu, size_t n);

/* Mean over contexts of max_a mu − mu(argmax_a f). */
REGRET_API double regret_recommendation_regret(const double *mu, const double *f, size_t n_contexts,
                                               size_t n_agents);
/* Regret of recommending `agent` everywhere, which all of mu must be known for, and of recommending uniformly at
 * random among what is observed. */
REGRET_API double regret_fixed_agent_regret(const double *mu, size_t agent, size_t n_contexts,
                                            size_t n_agents);
REGRET_API double regret_random_regret(const double *mu, size_t n_contexts, size_t n_agents);

/* Root mean square of a − b over n numbers. */
REGRET_API double regret_rmse(const double *a, const double *b, size_t n);

/* Measures of a ranking; NaN when a value is.
 *
 * 1 when the estimated best agent is the true one, else 0 [C]. */
REGRET_API double regret_top1(const double *truth, const double *estimate, size_t n);
/* Share of the true best three agents among the estimated best three (fewer agents: all) [C]. */
REGRET_API double regret_top3(const double *truth, const double *estimate, size_t n);

/* Spearman's rank correlation with average ranks for ties; NaN when a side is constant. */
REGRET_API double regret_spearman(const double *a, const double *b, size_t n);

/* Kendall's τ_b, which allows for ties (Kendall 1945, doi:10.1093/biomet/33.3.239); NaN when a side is
 * constant. O(n²). */
REGRET_API double regret_kendall(const double *a, const double *b, size_t n);

/* The share of contexts in which a true best agent is among the k that f puts highest; a row of mu and f
 * is a context's. Ties: every agent of the largest mu is a best one, equals of f go by the lowest index,
 * as in regret_argmax(). So hits at 1 are the contexts without regret, and at k >= n_agents all. Among what is
 * observed alone. NaN when an f of that is. O(contexts · agents²). */
REGRET_API double regret_hit_rate(const double *mu, const double *f, size_t n_contexts,
                                  size_t n_agents, size_t k);

/* Held-out R² of y on the columns of x (n × d, column-major): least squares (minimum norm) with an
 * intercept on the rows with train[i] != 0, R² = 1 − SSE/SST over the rows with test[i] != 0, SST
 * about their own mean. NaN when y does not vary there. *clipped (may be NULL) is that of the predictions
 * moved into [0,1], as families give them: a target that lies there is never predicted worse, and one
 * row far from all others cannot decide it. */
REGRET_API int regret_held_out_r2(double *out, double *clipped, const double *x, size_t d,
                                  const double *y, size_t n, const unsigned char *train,
                                  const unsigned char *test);

#endif
