/* What is drawn and rewarded: random numbers, OBS and EXP, reward maps, the controlled world. */
#ifndef REGRET_TASK_H
#define REGRET_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"
#include "regret/pool.h"
#include "regret/status.h"

/* Counter-based random numbers: Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC 2011, doi:10.1145/2063384.2063405).
 *
 * A stream is named by (seed, purpose, index) and never depends on the order of execution, the
 * thread or the shard: row i of a sample has a stream of its own, so a budget of 200 rows is the
 * first 200 of a budget of 800 whatever either does with its numbers. */

/* What a stream is for. Values are part of every published number: never renumber, only append. */
enum regret_purpose {
    REGRET_RNG_SPLIT = 1,         /* train/test split of the contexts */
    REGRET_RNG_EXP_ROW = 2,       /* one EXP row */
    REGRET_RNG_OBS_ROW = 3,       /* one OBS row */
    REGRET_RNG_EXP_OUTCOME = 4,   /* the outcome of one EXP row */
    REGRET_RNG_OBS_OUTCOME = 5,   /* the outcome of one OBS row */
    REGRET_RNG_LOGGING_THETA = 6, /* the logging policy's fixed agent vectors */
    REGRET_RNG_CV_FOLDS = 7,      /* agent (or row) folds of causal cross-validation */
    REGRET_RNG_DR_FOLDS = 8,      /* row folds of DR cross-fitting */
    REGRET_RNG_OBS_FOLDS = 9,     /* row folds that cross-fit the OBS baseline */
    REGRET_RNG_HOLDOUT = 10,      /* the EXP holdout */
    REGRET_RNG_BOOTSTRAP = 11,    /* bootstrap resamples */
    REGRET_RNG_SVD = 12,          /* the random starts of the SVD by Lanczos */
    REGRET_RNG_WORLD = 13,        /* the controlled world's fixed parameters */
    REGRET_RNG_NEWSWIRE = 14,     /* the newswire generator */
    REGRET_RNG_PATCHES = 15,      /* of coding pools; no longer drawn from */
    REGRET_RNG_RATE = 16,         /* the attribute-effect module */
    REGRET_RNG_OBS_CV = 17,       /* context folds of OBS that choose ρ_O */
    REGRET_RNG_SKETCH = 18,       /* the test matrix of a sketch (linalg/spectrum) */
    REGRET_RNG_EXTERNAL = 19,     /* what a family of one's own may draw from */
    REGRET_RNG_SPREAD = 20,       /* noise on the scores of a pool that is read */
    REGRET_RNG_LOG_DRAW = 21,     /* which OBS rows of a large log have texts */
    REGRET_RNG_DIAGNOSE = 22,     /* permutations and draws of diagnostics of a log */
    REGRET_RNG_SELECT = 24,       /* a sample of the contexts of a pool */
    REGRET_RNG_TEST = 1000        /* the tests' own numbers */
};

/* One block: four 32-bit words from a 128-bit counter and a 64-bit key. Pure. */
REGRET_API void regret_philox4x32(uint32_t out[4], const uint32_t counter[4],
                                  const uint32_t key[2]);

struct regret_rng {
    uint32_t key[2];     /* the seed, low word first */
    uint32_t counter[4]; /* block number, purpose, index low, index high */
    uint32_t block[4];   /* the present block */
    int used;            /* words of `block` already handed out, 0..4 */
};

/* The stream (seed, purpose, index) at its beginning. At most 2^34 words may be drawn from it. */
REGRET_API struct regret_rng regret_rng_at(uint64_t seed, uint32_t purpose, uint64_t index);

/* The next word of the stream, and the next two as one. */
REGRET_API uint32_t regret_rng_u32(struct regret_rng *r);
REGRET_API uint64_t regret_rng_u64(struct regret_rng *r);
/* Uniform on the open interval (0,1): 52 bits, never 0 and never 1. */
REGRET_API double regret_rng_uniform(struct regret_rng *r);
/* Uniform on {0, …, n-1}, without modulo bias (Lemire 2019, doi:10.1145/3230636). n >= 1. */
REGRET_API uint32_t regret_rng_below(struct regret_rng *r, uint32_t n);
/* Standard normal (Box and Muller; one deviate from two uniforms). */
REGRET_API double regret_rng_normal(struct regret_rng *r);
/* Gamma(shape, 1), shape > 0 (Marsaglia and Tsang 2000, doi:10.1145/358407.358414). */
REGRET_API double regret_rng_gamma(struct regret_rng *r, double shape);
/* Beta(a, b), a, b > 0. */
REGRET_API double regret_rng_beta(struct regret_rng *r, double a, double b);
/* Permutes items[0..n) uniformly (Fisher and Yates). n <= 2^32 - 1. */
REGRET_API void regret_rng_shuffle(struct regret_rng *r, size_t *items, size_t n);

/* A random order of 0 to n − 1 by the stream at (seed, purpose, index); free with regret_free(). O(n). */
REGRET_API int regret_rng_order(size_t **out, size_t n, uint64_t seed, uint32_t purpose,
                                uint64_t index);

/* A task: what is rewarded, who logs, what is drawn (protocol §2, §3). */

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
};
REGRET_API void regret_reward_options_default(struct regret_reward_options *options);
/* Where the options have the parameter of that key, which there must be. */
REGRET_API double *regret_reward_parameter_of(struct regret_reward_options *options,
                                              const char *key);

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

/* The controlled world of protocol §9: contexts, agents and outputs are a pool's, but the outcome
 * law is ours, so the interventional target is known exactly.
 *
 *   h(x,m) ∈ R^H          a signed-hash projection of the sparse text features φ(x,m)
 *   s(x,m,u) = b + θ·h(x,m) + θ_x·e(x) + δ v(u)
 *   μ(x,m,u) = logistic(s),   Y ~ Beta(φ μ, φ (1−μ)) or Y = μ
 *   mu(x,a)  = Σ_u P*(u | x) Σ_k P(k | x,a,u) μ(x, m_k(x,a), u)     the target; P* = P unless broken
 *   P(u | x) ∝ w_u exp(user_context · θ_u·ē(x)), ē the standardised e; user_context 0: w_u
 *
 * No estimator sees h, u or the law. OBS and EXP share the law; they differ only in who chooses the
 * agent. EXP: uniform. OBS: with probability 1−β a softmax over a context score, with probability β
 * the latent user's own policy on its shortlist. The SIM replays the pool's D draws of a pair with
 * equal chances; every row of OBS and EXP logs one of them.
 *
 * What makes EXP and SIM enough (the OBS/EXP/SIM paper, Theorem 1) can be broken on purpose, each by
 * one option that is zero by default:
 *   sim_tilt        A2: the deployed agents write better than the SIM replays. A logged draw k has
 *                   chances ∝ exp(sim_tilt · g_k), g the θ·h of the pair's draws, standardised.
 *   mediator_tilt   A4: the user leans on the output, u → m. Logged draws have chances
 *                   ∝ exp(mediator_tilt · (v(u) − min v) · g_k); the SIM, which knows no user, still
 *                   replays all draws equally.
 *   direct_effect   the graph's missing arrow a → Y: agents whose name alone is worth direct_effect
 *                   times a fixed standardised normal on the scale of s.
 * Users who differ by context (user_context > 0) break nothing: OBS, EXP and the target share P(u | x).
 * The target stays E[Y | x, do(a)] in each of them; what EXP and SIM converge to is something else.
 *
 * Choices where the paper is silent [C]: sizes and scales below; the projection has the scale that
 * gives θ·h mean 0 and deviation output_sd over the pool's pairs, and θ_x·e(x) mean 0 and deviation
 * context_sd over its contexts; v(u) are equally spaced, with mean 0 and variance 1 under the
 * segments' weights; the context score of an agent is a fixed normal combination of the
 * standardised e(x); shortlists are dealt from one shuffled deck of agents, segment after segment,
 * starting over when it ends, so that together they cover as many agents as they can; a user picks
 * from its shortlist by a softmax of fixed normals. */

enum { REGRET_WORLD_MAX_HIDDEN = 1024, REGRET_WORLD_MAX_LABELS = REGRET_POOL_MAX_AUX };

struct regret_world_options {
    uint64_t seed;        /* of everything fixed; replicates have seeds of their own */
    size_t hidden;        /* world.hidden: H, 1 … REGRET_WORLD_MAX_HIDDEN */
    double intercept;     /* world.intercept: b, finite */
    double output_sd;     /* world.output_sd: deviation of θ·h over pairs, > 0 */
    double context_sd;    /* world.context_sd: deviation of θ_x·e(x) over contexts, >= 0 */
    double latent_effect; /* world.latent_effect: δ, finite */
    size_t n_segments;    /* 1 … REGRET_POOL_MAX_SEGMENTS */
    double segment_weight[REGRET_POOL_MAX_SEGMENTS]; /* world.segment_weights: each >= 0, sum 1 */
    struct regret_outcome_options outcome; /* world.precision: φ > 0; no clipping of μ here */
    double context_sharpness; /* world.context_sharpness: of the context softmax, >= 0 */
    double user_sharpness;    /* world.user_sharpness: of the users' softmax, >= 0 */
    double user_context;      /* world.user_context: how much users differ by context, >= 0 */
    size_t shortlist;         /* world.shortlist: 1 … agents */
    size_t labels;            /* world.labels: views T, 1 … REGRET_WORLD_MAX_LABELS */
    double label_noise;       /* world.label_noise: deviation against a view's 1, >= 0 */
    double sim_tilt, mediator_tilt, direct_effect; /* world.sim_tilt …: >= 0, see above */
};
/* 32 hidden dimensions; b = 0, scales .8 and .4, δ = .8; four segments of equal weight; φ = 25;
 * sharpness 1 and 1, the same users everywhere, shortlists of 5; 16 views with noise .5; nothing broken. */
REGRET_API void regret_world_options_default(struct regret_world_options *options);

/* REGRET_E_INPUT names the key, its value and its range. n_agents 0 leaves the shortlist's upper
 * end unchecked (a configuration is read before its pool). */
REGRET_API int regret_world_options_check(const struct regret_world_options *options,
                                          size_t n_agents);

/* What a world is made over. Pairs are numbered context-major, agent-minor, draw last. Borrowed
 * until creation returns. */
struct regret_world_source {
    size_t n_contexts, n_agents, n_draws;
    const size_t
        *first; /* as of struct regret_grid; NULL: every (x, a) has n_draws; outlives the world */
    const struct regret_csr *phi;         /* pairs × D; never made dense */
    const struct regret_csr *context_phi; /* contexts × D, added to every pair of its context; or
                                             NULL */
    const double *embedding;              /* e(x): n_contexts × embedding_rank, column-major */
    size_t embedding_rank;                /* 0 is allowed when context_sd, context_sharpness and
                              user_context are 0 */
};

/* A world; read-only once made, so threads may share it. */
struct regret_controlled_world {
    struct regret_world_options options;
    size_t n_contexts, n_agents, n_draws, pairs;
    const size_t *first;   /* the source's */
    double *hidden;        /* h: pairs × H, column-major, columns standardised over pairs; owned */
    double *output;        /* θ·h, [pairs]; owned */
    double *score;         /* b + θ·h + θ_x·e(x) (+ the direct effect), [pairs]; owned */
    double *context_score; /* θ_x·e(x), [n_contexts]; owned */
    double *latent;        /* v(u), [n_segments]; owned */
    double *context_policy; /* [n_contexts × n_agents] by context, rows sum to one; owned */
    double *user_policy;    /* [n_segments × n_agents] by segment, rows sum to one; owned */
    double
        *segment_law; /* P(u | x), [n_contexts × n_segments] by context; NULL: the weights; owned */
    double *draw_law;  /* P(k | x,a,u), [n_segments × pairs] by segment; NULL: uniform; owned */
    double *mean;      /* μ(x,m,u), [n_segments × pairs] by segment; owned */
    double *pair_mean; /* its mean over the target's segments, [pairs]; owned */
    double *target;    /* mu(x,a), exact over these and draws, [n_contexts × n_agents]; owned */
    double *labels; /* T, standardised views of h + noise, fixed a pair: pairs × labels; owned */
    const char *segment[REGRET_POOL_MAX_SEGMENTS]; /* their names: "0", "1", … */
    char segment_digits[REGRET_POOL_MAX_SEGMENTS][8];
};

/* Makes a world; free it with regret_controlled_world_free(). REGRET_E_INPUT: bad options, shapes
 * that do not fit, features that do not vary. O(entries + pairs · (H + segments + labels)) time
 * and memory. */
REGRET_API int regret_controlled_world_create(struct regret_controlled_world **out,
                                              const struct regret_world_source *source,
                                              const struct regret_world_options *options);
REGRET_API void regret_controlled_world_free(struct regret_controlled_world *world);

/* μ(x,m,u) = E[Y | pair, segment]. */
REGRET_API double regret_world_mean(const struct regret_controlled_world *world, size_t pair,
                                    size_t segment);
/* P(u | x), in OBS and EXP alike. */
REGRET_API double regret_world_segment_chance(const struct regret_controlled_world *world,
                                              size_t context, size_t segment);
/* P(k | x,a,u) of a pair in the deployment (OBS, EXP and do(a) alike). */
REGRET_API double regret_world_draw_chance(const struct regret_controlled_world *world, size_t pair,
                                           size_t segment);
/* The chance that an OBS row with this context and segment has this agent, at β. */
REGRET_API double regret_world_choice_chance(const struct regret_controlled_world *world,
                                             size_t context, size_t segment, size_t agent,
                                             double beta);

/* The world as a task at β in [0,1], which is checked where OBS is drawn: a light handle, freed with
 * regret_task_free() before the world. OBS rows spend the same uniforms whatever β, so samples of one
 * seed are paired over β. */
REGRET_API int regret_world_task_create(struct regret_task **out,
                                        const struct regret_controlled_world *world, double beta);

#endif
