/* A task: what is rewarded, who logs, what is drawn (protocol §2, §3). */
#ifndef REGRET_TASK_H
#define REGRET_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"
#include "regret/rng.h"
#include "regret/status.h"

enum regret_reward_map {
    REGRET_REWARD_SMOOTH,    /* Σ_k w_uk q_k */
    REGRET_REWARD_SHARPENED, /* clip(Σ_k w_uk q_k^p − pen·min(c, c_max), 0, 1) */
    REGRET_REWARD_UTILITY /* λ_fix s + (1−λ_fix) [(1−ω) Σ_k w̃_uk q_k + ω min_k q_k], where s is
                           * the component "success", k runs over the others and w̃ are the
                           * segment's weights on them, scaled to sum to one */
};

struct regret_reward_options {
    enum regret_reward_map map;
    double power;      /* p, 3 [C] */
    double penalty;    /* pen, .05 [C] */
    double claims_cap; /* c_max, 5 [C] */
    double lambda_fix; /* λ_fix in [0,1], .5 [C] */
    double omega;      /* ω in [0,1], 0 [C] */
};
#define REGRET_REWARD_OPTIONS_INIT                                                                 \
    {                                                                                              \
        REGRET_REWARD_SMOOTH, 3.0, 0.05, 5.0, 0.5, 0.0                                             \
    }

/* 1 and the index of the pool's component "success", or 0. */
REGRET_API int regret_pool_find_success(size_t *index, const struct regret_pool *pool);

/* r_u of every pair: reward[u * pairs + p], [n_segments × pairs], in [0,1]. The sharpened map reads
 * the pool's count "unsupported_claims", the utility map its component "success"; a pool without
 * them is refused. */
REGRET_API int regret_reward_build(double **out, const struct regret_grid *grid,
                                   const struct regret_reward_options *options);

/* The target mu(x,a) = mean over segments and draws of r_u: [n_contexts × n_agents]. */
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

/* The cached-pool router: a ~ softmax over a slate of η θ_a·e(x) + β γ aff(u,a) − κ c̃_a. */
struct regret_router_options {
    double beta;   /* β ≥ 0, the confounding strength */
    size_t slate;  /* agents offered, 5 [C]; at most the number of agents */
    double eta;    /* .7 [C] */
    double gamma;  /* 2 [C] */
    double kappa;  /* .3 [C] */
    uint64_t seed; /* of the fixed θ_a: the pool's, not the replicate's */
};
#define REGRET_ROUTER_OPTIONS_INIT                                                                 \
    {                                                                                              \
        0.0, 5, 0.7, 2.0, 0.3, 0                                                                   \
    }

/* The train/test split of a seed: a random order of the contexts, the first ⌊share·n⌋ train. Both
 * sides need at least one context. */
struct regret_split {
    size_t n_train, n_test;
    size_t *train, *test; /* grid context indices, ascending; owned */
};
REGRET_API int regret_split_make(struct regret_split **out, size_t n_contexts, double train_share,
                                 uint64_t seed);
REGRET_API void regret_split_free(struct regret_split *split);

/* Rows of OBS or EXP. */
struct regret_rows {
    size_t n;
    uint32_t *pair;    /* [n] */
    uint32_t *segment; /* [n] latent: no estimator reads it */
    double *y;         /* [n] in [0,1] */
};
/* Frees what draws allocate. */
REGRET_API void regret_rows_clear(struct regret_rows *rows);

/* A task: what is rewarded, who logs, how outcomes scatter. Tables and a policy; a cached pool and a
 * controlled world each make one. Pairs are numbered context-major, agent-minor, draw last. Read-only
 * once made, so threads may share it. */
struct regret_task {
    const struct regret_policy *policy;
    size_t n_contexts, n_agents, n_draws, n_segments;
    const double *mean;      /* E[Y | pair, segment], [n_segments × pairs] by segment */
    const double *pair_mean; /* its mean over segments, [pairs] */
    const double *target;    /* mu(x,a), [n_contexts × n_agents] by context */
    const double *labels;    /* auxiliary labels T for proxies, pairs × n_labels */
    size_t n_labels;
    const char *const *segment; /* [n_segments] names */
    struct regret_outcome_options outcome;
};
REGRET_API void regret_task_free(struct regret_task *task);

/* Who is asked, which agent answers, which of its outputs it gives. */
struct regret_choice {
    size_t segment, agent, draw;
};

/* How the rows of a task come to be; what implements it. */
struct regret_policy {
    /* The policy that logs OBS over the training contexts of a split, closed by close(). */
    int (*open)(void **logger, const struct regret_task *task, const struct regret_split *split);
    void (*close)(void *logger);
    /* One row on a context; without a logger (NULL) the agent is uniform. The segment and the draw
     * take the same numbers from `rng` either way. */
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
    struct regret_router_options router;
    double *reward; /* base.mean: of regret_reward_build(); owned, as the others */
    double *target, *pair_mean;
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
                                         const struct regret_router_options *router);

/* Users' affinities aff(u,a), [n_segments × n_agents]: over the training contexts, the mean
 * segment-u reward of agent a minus its mean over segments, standardised over agents (all zero
 * where it does not vary). */
REGRET_API int regret_affinity_build(double **out, const struct regret_cached_task *task,
                                     const struct regret_split *split);

/* Draws `n` EXP rows: contexts uniform over the split's training contexts, agents uniform. Row i has
 * streams of its own, so fewer rows are a prefix of more. REGRET_E_INPUT: a split of other contexts. */
REGRET_API int regret_draw_exp(struct regret_rows *out, const struct regret_task *task,
                               const struct regret_split *split, size_t n, uint64_t seed);
/* Draws `n` OBS rows by the task's own policy. The same uniforms serve every β. REGRET_E_INPUT: a
 * policy that cannot be. */
REGRET_API int regret_draw_obs(struct regret_rows *out, const struct regret_task *task,
                               const struct regret_split *split, size_t n, uint64_t seed);

#endif
