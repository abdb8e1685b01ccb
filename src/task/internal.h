/* What the sources of this folder share. */
#ifndef TASK_INTERNAL_H
#define TASK_INTERNAL_H

#include <stddef.h>

#include "regret/task.h"

/* ---- world.c: the controlled world. ---- */

/* Streams (the world's seed, REGRET_RNG_WORLD, index). Values are part of every published number. */
enum world_stream {
    WORLD_THETA = 0,         /* θ */
    WORLD_THETA_CONTEXT = 1, /* θ_x */
    WORLD_DECK = 2,          /* the deck of agents for the shortlists */
    WORLD_USER_TASTE = 3,    /* the users' fixed normals */
    WORLD_AGENT_CONTEXT = 4, /* the agents' vectors of the context score */
    WORLD_DIRECT_EFFECT = 5, /* the agents' direct effects */
    WORLD_VIEW = 6,          /* the directions of the labels' views */
    WORLD_USER_CONTEXT = 7   /* the segments' vectors of the context */
};

static inline struct regret_rng world_stream(const struct regret_controlled_world *w,
                                             enum world_stream stream)
{
    return regret_rng_at(w->options.seed, REGRET_RNG_WORLD, stream);
}

/* The first pair of a cell, and the cell of a pair. */
static inline size_t world_first(const struct regret_controlled_world *w, size_t cell)
{
    return regret_first_pair(w->first, w->n_draws, cell);
}

static inline size_t world_cell(const struct regret_controlled_world *w, size_t pair)
{
    return regret_cell_of(w->first, w->n_draws, w->n_contexts * w->n_agents, pair);
}

/* Gives v[0..n) mean 0 and deviation `sd`; *varies says whether it had any, else it becomes 0. */
int world_rescale(double *v, size_t n, double sd, int *varies);
/* world->score, context_score, latent and draw_law; wants world->output. */
int world_score(struct regret_controlled_world *w, const struct regret_world_source *source);
/* world->segment_law, target_law, context_policy and user_policy; wants world->latent. */
int world_policies(struct regret_controlled_world *w, const struct regret_world_source *source);

#endif
