/* Replicates that one thread computes one after the other, as they share what their OBS says. */
#ifndef REGRET_EXPERIMENT_RUN_BATCHES_H
#define REGRET_EXPERIMENT_RUN_BATCHES_H

#include "regret/config.h"

/* Batch i is the replicates begin[i] .. begin[i + 1] − 1 of a run (seed by seed, the cells of a seed in their
 * order); zeroed: none. */
struct run_batches {
    size_t n;
    size_t *begin; /* [n + 1] */
};

/* Cuts the replicates from `begin` to `end` wherever the next is of another seed or its cell differs in more than
 * n_exp; one by one where that would leave a thread without work. What is computed does not depend on it. */
int run_batches_create(struct run_batches *out, const struct regret_run_plan *plan, size_t begin,
                       size_t end, size_t threads);
void run_batches_free(struct run_batches *batches);

#endif
