/* The place of a task in a Slurm job array. */
#ifndef REGRET_CLI_RUNS_SLURM_ARRAY_H
#define REGRET_CLI_RUNS_SLURM_ARRAY_H

#include <stddef.h>

/* Reads SLURM_ARRAY_TASK_ID, _MIN, _MAX, _COUNT and _STEP: this is the task *shard of *shards, from
 * 1. The array must be whole: numbered from 0 or 1 in even steps, or one task submitted again alone
 * would take itself for the whole run. Returns 0, or an exit code having said why. */
int slurm_array_place(size_t *shard, size_t *shards);

#endif
