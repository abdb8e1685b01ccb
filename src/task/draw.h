/* Draws of OBS and EXP. */
#ifndef TASK_DRAW_H
#define TASK_DRAW_H

#include <stddef.h>

#include "regret/task.h"

struct logging_policy {
    const struct regret_cached_task *task;
    double *context_score; /* η θ_a·e(x) − κ c̃_a, [n_contexts × n_agents] by context */
    double *user_score;    /* β γ aff(u,a), [n_segments × n_agents] by segment */
    size_t *slate;         /* scratch */
    double *weight;        /* scratch */
};

int logging_policy_create(struct logging_policy **out, const struct regret_cached_task *task,
                          const struct regret_split *split);
void logging_policy_free(struct logging_policy *r);

/* An agent for one user on one context. */
size_t logging_policy_choose(struct logging_policy *r, size_t context, size_t segment,
                             struct regret_rng *rng);

#endif
