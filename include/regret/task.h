/* A task: what is rewarded, who logs, what is drawn (protocol §2, §3). */
#ifndef REGRET_TASK_H
#define REGRET_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"
#include "regret/rng.h"
#include "regret/status.h"

/* A parameter of a reward map as the map declares it, and with that a key of the configuration. */
struct regret_reward_parameter {
    const char *key; /* "reward.power" */
    const char *help;
    double low, high;   /* what it may be */
    double preset;      /* the protocol's */
    const char *symbol; /* at the head of a table's column: "λ_fix"; NULL: none but the key */
    int averaged; /* 1: tables average over its values, as over those of β, but for the tables
                           that follow it; 0: a block for each */
};

/* What a map reads of a pool. */
struct regret_reward_view {
    const struct regret_grid *grid;
    const double *parameter; /* [n_parameters] of the map */
    size_t column;           /* what find() found */
};

/* From scores to reward. Everything about a map stands in its own file. */
struct regret_reward_map {
    const char *name; /* "sharpened": the value of reward.map, and what tables call it */
    const struct regret_reward_parameter *parameters;
    size_t n_parameters;
    /* The count or component that the map wants; REGRET_E_INPUT from a pool that cannot serve it.
     * NULL: every pool can. */
    int (*find)(size_t *column, const struct regret_pool *pool);
    /* r_u of a pair, which is clipped to [0,1]. */
    double (*reward)(const struct regret_reward_view *view, const struct regret_segment *u,
                     size_t pair);
};

/* The table of maps; the first is the default. */
REGRET_API size_t regret_reward_map_count(void);
REGRET_API const struct regret_reward_map *regret_reward_map_at(size_t i);
/* The place of the map of that name, or regret_reward_map_count(). */
REGRET_API size_t regret_reward_map_find(const char *name);

/* Puts a map of the caller's behind those of the table; it and what it points to must outlive every use of the library.
 * For programs that link it (docs/formats.md): to be called before any configuration is read and before there are
 * threads; `reward` and `find` are then called by any thread, and depend on their arguments alone. REGRET_E_INPUT: after
 * that; a name that is taken, "world", or has other than lower-case letters, digits and "-"; no `reward`; a parameter whose
 * key is taken or is not "reward." and lower-case letters, digits and "_", whose preset is not within finite bounds or that
 * has no help; more than REGRET_MAX_REWARD_MAPS or REGRET_MAX_REWARD_PARAMETERS. A run is refused in which a map gives NaN. */
REGRET_API int regret_reward_map_register(const struct regret_reward_map *map);

/* Every parameter, in the order of the maps; NULL past the end. */
REGRET_API const struct regret_reward_parameter *regret_reward_parameter_at(size_t i);

/* What options have room for. */
enum { REGRET_MAX_REWARD_MAPS = 16, REGRET_MAX_REWARD_PARAMETERS = 16 };

struct regret_reward_options {
    int map; /* its place in the table */
    double
        parameter[REGRET_MAX_REWARD_PARAMETERS]; /* in the order of regret_reward_parameter_at() */
    /* Components that count, bit k being component k; 0: all. Their weights are brought to sum to one. */
    uint64_t components;
    uint64_t
        obs_components; /* those of what OBS sees; `components` are then of EXP and the target */
};
REGRET_API void regret_reward_options_default(struct regret_reward_options *options);
/* Where the options have the parameter of that key, which there must be. */
REGRET_API double *regret_reward_parameter_of(struct regret_reward_options *options,
                                              const char *key);

/* The bits of components given by their names, commas between; of "" all, which is 0. REGRET_E_INPUT: one that the pool
 * has not, or named twice. */
REGRET_API int regret_reward_components(uint64_t *out, const struct regret_pool *pool,
                                        const char *names);

/* 1 and the index of the pool's component "success", or 0. */
REGRET_API int regret_pool_find_success(size_t *index, const struct regret_pool *pool);

/* r_u of every pair by `components`: reward[u * pairs + p], [n_segments × pairs], in [0,1]; NaN of an unobserved one. A
 * pool that cannot serve the map is refused. */
REGRET_API int regret_reward_build(double **out, const struct regret_grid *grid,
                                   const struct regret_reward_options *options);

/* The target mu(x,a) = mean over segments and draws of r_u: [n_contexts × n_agents]; NaN of an unobserved pair. */
REGRET_API int regret_target_build(double **out, const struct regret_grid *grid,
                                   const double *reward);

enum regret_outcome_law {
    REGRET_OUTCOME_BETA, /* Y ~ Beta(φ r, φ(1−r)), r first moved into [margin, 1 − margin] */
    REGRET_OUTCOME_NONE  /* Y = r */
};
struct regret_outcome_options {
    enum regret_outcome_law law;
    double precision; /* φ, 25 [C] */
    double margin;    /* .01 of a cached pool; 0 in a controlled world, whose means are inside */
};
#define REGRET_OUTCOME_OPTIONS_INIT                                                                \
    {                                                                                              \
        REGRET_OUTCOME_BETA, 25.0, 0.01                                                            \
    }

/* The logging policy of cached pools: a ~ softmax over a slate of η θ_a·e(x) + β γ aff(u,a) − κ c̃_a. */
struct regret_logging_options {
    double beta;   /* β ≥ 0, the confounding strength */
    size_t slate;  /* agents offered, 5 [C]; at most the number of agents */
    double eta;    /* .7 [C] */
    double gamma;  /* 2 [C] */
    double kappa;  /* .3 [C] */
    uint64_t seed; /* of the fixed θ_a: the pool's, not the replicate's */
};
#define REGRET_LOGGING_OPTIONS_INIT                                                                \
    {                                                                                              \
        0.0, 5, 0.7, 2.0, 0.3, 0                                                                   \
    }

/* Which contexts train and which are held out. */
struct regret_split {
    size_t n_train, n_test, n_reference;
    size_t *train, *test; /* grid context indices, ascending; owned */
    size_t *reference;    /* on which values are taken; owned. Those of `test`, the contexts of the
                             regret, unless regret_split_reference() has parted the two */
};

/* The single split of a seed: of a random order of the contexts or, with kinds, that of regret_split_order(), the first
 * ⌊share·n⌋ train. Both sides need at least one context. */
REGRET_API int regret_split_make(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                                 double train_share, uint64_t seed);

/* By what held-out contexts are chosen: at random; at random so that every kind of context has its share
 * of them (stratified, by systematic sampling); or a kind as a whole. */
enum regret_split_rule { REGRET_SPLIT_RANDOM, REGRET_SPLIT_STRATIFIED, REGRET_SPLIT_ONE_KIND };

/* The order by which a stratified split or fold is cut as the others are by theirs: contexts ascend by
 * (j + v)/n, j the place of a context among the n of its kind in the random order of the seed, v uniform
 * on (0,1) by seed and kind. So each context is as likely to be held out as any other, and of a kind
 * with n of N contexts any m neighbours in the order hold nm/N up to 1 + n·kinds/N. With one kind this is
 * the random order. `kind` is [n_contexts]; free *out with regret_free(). O(n log n). */
REGRET_API int regret_split_order(size_t **out, const uint32_t *kind, size_t n_contexts,
                                  uint64_t seed);
/* Holds out the contexts of kind `held_out`, which some must be and some not, or REGRET_E_INPUT. */
REGRET_API int regret_split_one_kind(struct regret_split **out, const uint32_t *kind,
                                     size_t n_contexts, uint32_t held_out);

/* Fold `fold` of `folds` of a seed: the same order in blocks from its end, the larger ones first, one of
 * which is held out. So each context is held out in one fold; and fold 0 is the single split where it
 * holds out as many. 2 <= folds <= n_contexts (n_contexts: leave one out) and fold < folds, or
 * REGRET_E_INPUT. */
REGRET_API int regret_split_fold(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                                 size_t folds, size_t fold, uint64_t seed);
/* Takes ⌊share·n_test⌋ of the held-out contexts, at random by the seed, from `test` to `reference`. Both
 * need at least one, or REGRET_E_INPUT. A share of 0 leaves all as it is. */
REGRET_API int regret_split_reference(struct regret_split *split, double share, uint64_t seed);
REGRET_API void regret_split_free(struct regret_split *split);

/* The seed that a fold draws by: that of the replicate in fold 0, and streams of its own in the others,
 * so that folds do not repeat each other's noise. Different for all seeds below 2^52. */
REGRET_API uint64_t regret_fold_seed(uint64_t seed, size_t fold);

/* Rows of OBS or EXP. */
struct regret_rows {
    size_t n;
    uint32_t *pair;    /* [n] */
    uint32_t *segment; /* [n] latent: no estimator reads it */
    double *y;         /* [n] in [0,1] */
    double *
        judged; /* [n] of EXP, where OBS sees another outcome: what that is of the same output; else NULL */
};
/* Room for n rows, zeroed; what fails on the way is regret_rows_clear()'s, too. */
REGRET_API int regret_rows_create(struct regret_rows *rows, size_t n);
/* Frees what that and draws allocate. */
REGRET_API void regret_rows_clear(struct regret_rows *rows);

/* A task: what is rewarded, who logs, how outcomes scatter. Tables and a policy; a cached pool and a
 * controlled world each make one. Pairs are numbered context-major, agent-minor, draw last, as in a grid.
 * Read-only once made, so threads may share it. */
struct regret_task {
    const struct regret_policy *policy;
    size_t n_contexts, n_agents, n_draws, n_segments;
    const size_t *first;     /* as of struct regret_grid; NULL: every (x, a) has n_draws */
    const double *mean;      /* E[Y | pair, segment], [n_segments × pairs] by segment */
    const double *obs_mean;  /* the same of what OBS sees; NULL: it sees Y */
    const double *pair_mean; /* its mean over segments, [pairs] */
    const double
        *target; /* mu(x,a), [n_contexts × n_agents] by context; NaN: unobserved, never drawn */
    const double *labels; /* auxiliary labels T for proxies, pairs × n_labels */
    size_t n_labels;
    const char *const *segment; /* [n_segments] names */
    struct regret_outcome_options outcome;
};
REGRET_API void regret_task_free(struct regret_task *task);
/* As regret_grid_first(). */
REGRET_API size_t regret_task_first(const struct regret_task *task, size_t cell);

/* Who is asked, which agent answers, which of its outputs it gives. */
struct regret_choice {
    size_t segment, agent, draw;
};

/* How the rows of a task come to be; what implements it. */
struct regret_policy {
    /* The policy that logs OBS over the training contexts of a split, closed by close(). */
    int (*open)(void **logger, const struct regret_task *task, const struct regret_split *split);
    void (*close)(void *logger);
    /* One row on a context; without a logger (NULL) the agent is uniform over those that are observed on
     * it. The segment and the draw take the same numbers from `rng` either way. */
    void (*choose)(struct regret_choice *out, const struct regret_task *task, void *logger,
                   size_t context, struct regret_rng *rng);
    void (*free)(struct regret_task *task);
};

/* The task of a cached pool; `base` is what others see of it. */
struct regret_cached_task {
    struct regret_task base;
    const struct regret_grid *grid;
    const double *embedding; /* e(x): n_contexts × embedding_rank, column-major, standardised */
    size_t embedding_rank;
    struct regret_logging_options logging; /* keys router.* */
    double *reward; /* base.mean: of regret_reward_build(); owned, as the others */
    double *obs_reward, *target, *pair_mean;
    const char **segment;
};

/* What of a cached task does not depend on its options; all borrowed. */
struct regret_cached_source {
    const struct regret_grid *grid;
    const double *embedding;
    size_t embedding_rank;
    const double *labels; /* pairs × the pool's aux labels */
};

/* Makes a task, to be freed with regret_task_free(&(*out)->base). REGRET_E_INPUT: a reward map that
 * the pool cannot serve. O(pairs · segments). */
REGRET_API int regret_cached_task_create(struct regret_cached_task **out,
                                         const struct regret_cached_source *source,
                                         const struct regret_reward_options *reward,
                                         const struct regret_outcome_options *outcome,
                                         const struct regret_logging_options *logging);

/* Users' affinities aff(u,a), [n_segments × n_agents]: over the training contexts, the mean
 * segment-u reward of agent a minus its mean over segments, standardised over agents (all zero
 * where it does not vary); over those of them on which the agent is observed, 0 where it is on none. */
REGRET_API int regret_affinity_build(double **out, const struct regret_cached_task *task,
                                     const struct regret_split *split);

/* Draws `n` EXP rows: contexts uniform over the split's training contexts, agents uniform over
 * those that are observed on it. Row i has
 * streams of its own, so fewer rows are a prefix of more. REGRET_E_INPUT: a split of other contexts. */
REGRET_API int regret_draw_exp(struct regret_rows *out, const struct regret_task *task,
                               const struct regret_split *split, size_t n, uint64_t seed);
/* Draws `n` OBS rows by the task's own policy. The same uniforms serve every β. REGRET_E_INPUT: a
 * policy that cannot be. */
REGRET_API int regret_draw_obs(struct regret_rows *out, const struct regret_task *task,
                               const struct regret_split *split, size_t n, uint64_t seed);

#endif
