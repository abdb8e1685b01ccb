/* Internal to configurations: a run plan, and whether its parts fit each other. */
#ifndef REGRET_EXPERIMENT_RUN_PLAN_H
#define REGRET_EXPERIMENT_RUN_PLAN_H

#include <cJSON.h>

#include "experiment/config/config_keys.h"

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

/* REGRET_E_INPUT for what no key forbids by itself: no pool, too many cells, keys that contradict each other or the
 * task, in any cell. Messages begin with `path`. */
int run_plan_check(const struct regret_run_plan *plan, const char *path);

#endif
