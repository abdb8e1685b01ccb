/* A small synthetic SIM: every context has a few possible texts, which the agents share; draw k of
 * an agent is one of them. Texts have sparse random features. */
#ifndef REGRET_TESTS_RANDOM_WORLD_H
#define REGRET_TESTS_RANDOM_WORLD_H

#include "regret/design.h"
#include "regret/task.h"

struct random_sim {
    size_t n_texts;             /* in all; text t belongs to context t / texts per context */
    uint32_t *text;             /* [pairs] */
    struct regret_csr *phi;     /* pairs × 64 */
    double *embedding;          /* contexts × 3 */
    struct regret_split *split; /* every context trains, none is held out */
    struct regret_world_source source;
};

/* Made by stream (index) of the tests' generator; asserts that nothing fails. */
void random_sim_make(struct random_sim *sim, uint64_t index, size_t contexts, size_t agents,
                     size_t draws, size_t texts_per_context);
void random_sim_clear(struct random_sim *sim);

/* The world of these options over the SIM; asserts success. */
struct regret_controlled_world *random_world(const struct random_sim *sim,
                                             const struct regret_world_options *options);

/* Rows of the world as a task; as regret_draw_exp() and regret_draw_obs(). */
int world_draw_exp(struct regret_rows *out, const struct regret_controlled_world *world,
                   const struct regret_split *split, size_t n, uint64_t seed);
int world_draw_obs(struct regret_rows *out, const struct regret_controlled_world *world,
                   const struct regret_split *split, double beta, size_t n, uint64_t seed);

#endif
