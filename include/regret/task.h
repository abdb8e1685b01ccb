/* A task: what is rewarded, who logs, what is drawn (protocol §2, §3). */
#ifndef REGRET_TASK_H
#define REGRET_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "regret/estimate.h"
#include "regret/pool.h"
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
    REGRET_OUTCOME_BETA, /* Y ~ Beta(φ r, φ(1−r)), r first moved into [.01, .99] */
    REGRET_OUTCOME_NONE  /* Y = r */
};
struct regret_outcome_options {
    enum regret_outcome_law law;
    double precision; /* φ, 25 [C] */
};
#define REGRET_OUTCOME_OPTIONS_INIT                                                                \
    {                                                                                              \
        REGRET_OUTCOME_BETA, 25.0                                                                  \
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

/* Everything a draw depends on besides seed and budget. */
struct regret_task {
    const struct regret_grid *grid;
    const double *reward;    /* of regret_reward_build() */
    const double *embedding; /* e(x): n_contexts × embedding_rank, column-major, standardised */
    size_t embedding_rank;
    struct regret_outcome_options outcome;
    struct regret_router_options router;
};

/* Users' affinities aff(u,a), [n_segments × n_agents]: over the training contexts, the mean
 * segment-u reward of agent a minus its mean over segments, standardised over agents (all zero
 * where it does not vary). */
REGRET_API int regret_affinity_build(double **out, const struct regret_task *task,
                                     const struct regret_split *split);

/* Draws `n` EXP rows: context, segment, agent (and draw) uniform. Row i has streams of its own, so
 * fewer rows are a prefix of more. */
REGRET_API int regret_draw_exp(struct regret_rows *out, const struct regret_task *task,
                               const struct regret_split *split, size_t n, uint64_t seed);
/* Draws `n` OBS rows by the router. The same uniforms serve every β. */
REGRET_API int regret_draw_obs(struct regret_rows *out, const struct regret_task *task,
                               const struct regret_split *split, size_t n, uint64_t seed);
/* Frees what the two above allocate. */
REGRET_API void regret_rows_clear(struct regret_rows *rows);

#endif
