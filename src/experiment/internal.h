/* What the sources of this folder share. */
#ifndef EXPERIMENT_INTERNAL_H
#define EXPERIMENT_INTERNAL_H

#include <cJSON.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "experiment/curves.h"
#include "experiment/features.h"
#include "experiment/inputs.h"
#include "experiment/population.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "results/row.h"
#include "results/run_file.h"

/* ---- config_keys.c: keys of a configuration. ---- */

struct cJSON;

enum key_type {
    KEY_DOUBLE,  /* double, within [low, high] */
    KEY_SCALE,   /* the same; false and true are 0 and 1 */
    KEY_SIZE,    /* size_t, within [low, high] */
    KEY_U64,     /* uint64_t, within [low, high] */
    KEY_BOOL,    /* int */
    KEY_CHOICE,  /* an enum (int-sized), one of `choices` in order */
    KEY_STRING,  /* char[high] */
    KEY_NAMES,   /* char[high]: some of `choices`, none twice, with commas between; or "" */
    KEY_VALUES,  /* struct regret_grid_values, ascending, each within [low, high]; or one number */
    KEY_FAMILIES /* struct regret_family_list */
};

struct config_key {
    const char *name;
    enum key_type type;
    size_t offset; /* in struct regret_config */
    double low, high;
    const char *const *choices; /* ended by NULL */
    const char *help;
};

const struct config_key *config_key_at(size_t i);           /* NULL past the end */
const struct config_key *config_key_find(const char *name); /* or NULL */

/* Sets one key; errors name `at`, the key, what was given and what is allowed. */
int config_key_set(struct regret_config *config, const struct config_key *key,
                   const struct cJSON *value, struct regret_place at);
/* Appends the key's value as JSON. */
void config_key_json(struct regret_buffer *text, const struct regret_config *config,
                     const struct config_key *key);
/* Every key as "name":value, comma-separated, without the braces. */
void config_members_json(struct regret_buffer *text, const struct regret_config *config);
/* 1: the fits of DR's folds are made anew (regret_refit_folds()), not had from the fit of all rows. */
int config_refits(const struct regret_config *config);
/* 1 when `pool` asks for a generated pool ("synth:…"). */
int config_is_synth(const char *pool);
/* Refuses an unknown key and suggests the nearest one. */
int config_key_unknown(const char *name, struct regret_place at);

/* ---- family_list.c: which families a run has, and their keys. ---- */

/* Sets the list; errors name `at`, what was given and what is allowed. */
int family_list_set(struct regret_family_list *list, const struct cJSON *value,
                    struct regret_place at);
/* Makes the paths of families of one's own whole ones: relative to the folder of the file `path` that names them or,
 * where that is NULL, to where we are. A command without a folder starts there. What is not there stays as it is, to
 * be told of when it is opened. */
int family_list_place(struct regret_family_list *list, const char *path);
/* Puts the folder of the file `path` before a path that is not a whole one; `what` it is the path of is for a refusal. */
int family_list_beside(char field[REGRET_PATH_SIZE], const char *what, const char *path);
/* Appends it as JSON that family_list_set() reads as the same. */
void family_list_json(struct regret_buffer *text, const struct regret_family_list *list);
/* 1 where some family is a command. */
int family_list_has_commands(const struct regret_family_list *list);
/* 1: one of them reads the words of contexts. */
int family_list_crosses_words(const struct regret_family_list *list);

/* ---- run_plan.c: the cells of a run. ---- */

enum { MAX_AXES = 16 };

struct sweep_axis {
    const struct config_key *key;
    cJSON *values; /* owned array */
    size_t n;
};

struct regret_run_plan {
    struct regret_config base;
    struct sweep_axis axis[MAX_AXES];
    size_t n_axes;
    size_t most_obs, most_exp; /* 0: budgets are what they are; else of this at most */
};

/* Lets no cell have larger budgets, for a replicate that is only measured; 0, 0: as they are. */
void run_plan_cap(struct regret_run_plan *plan, size_t n_obs, size_t n_exp);

/* ---- rows.c: rows of results. ---- */

/* What the lists of the rows say (include/regret/results.h): recommendations by context, values by agent. */

struct details {
    size_t n_contexts, n_agents; /* of the grid */
    size_t n_families, n_folds;
    struct row_baseline_list baselines;
    int values;              /* 1: DR and SNDR are there */
    int outputs_known;       /* of the feature set */
    double *weight;          /* [n_agents] reference contexts of the folds that have the agent */
    unsigned char *held_out; /* [n_contexts] 1: and of two observed agents at least */
    unsigned char *failed;   /* [n_families] 1: no lists of it, a fold has no fit */
    double *best;            /* [n_contexts] max_a mu, where held out */
    double *choice_all;      /* likewise, where pairs are unobserved; else NULL */
    double *choice, *loss;   /* [(n_families + baselines.n) × n_contexts] likewise */
    double *value;           /* [n_agents] Σ over folds of weight · V(a) */
    double *value_grid;      /* [n_agents] */
    double *estimate; /* [n_families × N_ESTIMATES × n_agents] Σ likewise; the half-widths are
                                  those of the first fold */
    double *context;  /* [n_contexts] numbers of those held out */
    size_t n_listed;  /* held-out contexts; 0 before details_finish() */
    struct curves curves;
};

/* Takes one fold; the first makes the arrays. A context is held out by one fold. */
int details_add(struct details *details, const struct replicate *replicate);
/* After the last: means in the place of sums, and by context what is held out alone, in order. */
void details_finish(struct details *details);
void details_clear(struct details *details); /* safe on a zeroed one */

/* The result rows of a replicate (include/regret/results.h), one line each. */

/* `cell_key` is what regret_run_plan_cell_key() says of the cell. */
int rows_write(struct regret_buffer *text, const struct measures *measures,
               const struct details *details, size_t cell, uint64_t seed, const char *cell_key);
/* How many rows a replicate has. */
size_t rows_count(const struct regret_config *config, const struct run_inputs *inputs);

/* ---- fits.c: cross-fits, and fits of external families. ---- */

/* A replicate: one split of its contexts, or every fold of them (contexts.folds). */

/* What the rows of a cell at a seed say. The folds come one after the other, each in the memory of the one
 * before, and a number of the row is the mean of theirs, weighted by the contexts it is about: those of
 * the regret, or the reference ones for what is measured on values. So it is a mean over all contexts.
 * λ and α are plain means over folds; ρ, τ, the basis and the mode of cross-validation are what most folds
 * have (of equals, the first). Folds that lack a number are left out of its mean; it is NaN where all do.
 * With a single split the numbers are that split's. `details`, zeroed before, is filled where the configuration
 * wants it, and to be cleared. Adds to `effort`. */
int cross_fit(struct measures *out, struct details *details, struct effort *effort,
              const struct replicate_source *from, size_t cell, uint64_t seed);

/* A family of one's own in a replicate. */

/* Puts its predictions, moved into [0,1], into estimates->family[i] and, where it has them, those out of fold. What it
 * does wrong is no error but said in estimates->failure[i], and the estimate is NaN throughout. An error is what the
 * program itself could not do, or REGRET_E_CANCELLED. */
int external_fit(struct estimates *estimates, size_t i, const struct setting *setting,
                 const struct draws *draws, const struct fitted_proxy *proxy);

/* ---- describe.c: what run.json says of a run. ---- */

/* run.json as a plan and its pool make it; results/run_file.c reads it. */

/* That of one shard. */
void run_describe(struct regret_buffer *text, const struct regret_run_plan *plan,
                  const struct run_inputs *inputs, const struct shard_range *range);

/* Strata of contexts within which agents are compared where pairs are unobserved. */

/* (*out)[x], below *n_out: the tags or, where words tell besides how many agents are observed on a context, five parts by what they
 * tell. `by` is "tags", "words" or "none". The caller frees *out. */
int run_strata(uint32_t **out, size_t *n_out, const char **by, const struct feature_set *set);

/* ---- means.c: means of agents over a run's pool, and their intervals. ---- */

/* What the outputs of a pool are worth, by agent and tag of contexts: "means" of run.json (regret/results.h). */

struct run_means {
    struct regret_buffer *items; /* the JSON of each that differs; owned, with their texts */
    size_t n, room;
    size_t *of; /* [cells] which of them a cell has; owned */
};

/* Of every cell of a run on a pool that is real or whose contexts have two tags or more; none of another. */
int run_means_make(struct run_means *out, const struct regret_run_plan *plan,
                   const struct run_inputs *inputs);
void run_means_free(struct run_means *means); /* safe on a zeroed one */

/* What run.json says of the votes of a run. */

/* Appends ',"won":[[a,b],…]', who has won from whom or tied; nothing where chains of these lead from every agent to every other, as the order of all is then in the votes. */
int run_votes_describe(struct regret_buffer *t, const struct grid_votes *votes);

#endif
