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
 *   target_users    A5, beyond repair: the population that values are wanted for has other users,
 *                   P*(u | x) ∝ P(u | x) exp(target_users · v(u)); OBS and EXP keep P(u | x). The law of
 *                   outcomes given (x,m) then differs between the two, and no weight of contexts, which
 *                   is all that could be seen, makes one of the other.
 * Users who differ by context (user_context > 0) break nothing: OBS, EXP and the target share P(u | x).
 * The target stays E[Y | x, do(a)] in each of them, of the target's users; what EXP and SIM converge to is
 * something else.
 *
 * Choices where the paper is silent [C]: sizes and scales below; the projection has the scale that
 * gives θ·h mean 0 and deviation output_sd over the pool's pairs, and θ_x·e(x) mean 0 and deviation
 * context_sd over its contexts; v(u) are equally spaced, with mean 0 and variance 1 under the
 * segments' weights; the context score of an agent is a fixed normal combination of the
 * standardised e(x); shortlists are dealt from one shuffled deck of agents, segment after segment,
 * starting over when it ends, so that together they cover as many agents as they can; a user picks
 * from its shortlist by a softmax of fixed normals. */
#ifndef REGRET_WORLD_H
#define REGRET_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include "regret/matrix.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/task.h"

enum { REGRET_WORLD_MAX_HIDDEN = 1024, REGRET_WORLD_MAX_LABELS = REGRET_POOL_MAX_AUX };

struct regret_world_options {
    uint64_t seed;        /* world.seed: of everything fixed; replicates have seeds of their own */
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
    double target_users;                           /* world.target_users: finite, see above */
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
    double *target_law; /* P*(u | x), likewise; NULL: that of OBS and EXP; owned */
    double *draw_law;   /* P(k | x,a,u), [n_segments × pairs] by segment; NULL: uniform; owned */
    double *mean;       /* μ(x,m,u), [n_segments × pairs] by segment; owned */
    double *pair_mean;  /* its mean over the target's segments, [pairs]; owned */
    double *target;     /* mu(x,a), exact over these and draws, [n_contexts × n_agents]; owned */
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
/* P*(u | x), in the target: the same unless target_users is not 0. */
REGRET_API double regret_world_target_chance(const struct regret_controlled_world *world,
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
