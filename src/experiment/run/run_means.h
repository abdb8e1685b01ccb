/* What the outputs of a pool are worth, by agent and tag of contexts: "means" of run.json (regret/results.h). */
#ifndef REGRET_EXPERIMENT_RUN_MEANS_H
#define REGRET_EXPERIMENT_RUN_MEANS_H

#include "experiment/inputs/run_inputs.h"
#include "regret/buffer.h"

struct run_means {
    struct regret_buffer *items; /* the JSON of each that differs; owned, with their texts */
    size_t n, room;
    size_t *of; /* [cells] which of them a cell has; owned */
};

/* Of every cell of a run on a pool that is real or whose contexts have two tags or more; none of another. */
int run_means_make(struct run_means *out, const struct regret_run_plan *plan,
                   const struct run_inputs *inputs);
void run_means_free(struct run_means *means); /* safe on a zeroed one */

#endif
