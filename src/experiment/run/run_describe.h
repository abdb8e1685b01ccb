/* run.json as a plan and its pool make it; results/run_file.c reads it. */
#ifndef REGRET_EXPERIMENT_RUN_DESCRIBE_H
#define REGRET_EXPERIMENT_RUN_DESCRIBE_H

#include "experiment/inputs/run_inputs.h"
#include "results/run/run_file.h"

/* That of one shard. */
void run_describe(struct regret_buffer *text, const struct regret_run_plan *plan,
                  const struct run_inputs *inputs, const struct shard_range *range);

#endif
