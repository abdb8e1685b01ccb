/* The OBS router of cached pools (protocol §3). */
#ifndef REGRET_TASK_ROUTER_H
#define REGRET_TASK_ROUTER_H

#include "regret/rng.h"
#include "regret/task.h"

struct router {
    const struct regret_cached_task *task;
    double *context_score; /* η θ_a·e(x) − κ c̃_a, [n_contexts × n_agents] by context */
    double *user_score;    /* β γ aff(u,a), [n_segments × n_agents] by segment */
    size_t *slate;         /* scratch */
    double *weight;        /* scratch */
};

int router_create(struct router **out, const struct regret_cached_task *task,
                  const struct regret_split *split);
void router_free(struct router *r);

/* An agent for one user on one context. */
size_t router_choose(struct router *r, size_t context, size_t segment, struct regret_rng *rng);

#endif
