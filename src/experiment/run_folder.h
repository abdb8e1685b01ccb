/* The folder of a run as long as it is being written: made or found, locked, its rows counted. */
#ifndef REGRET_EXPERIMENT_RUN_FOLDER_H
#define REGRET_EXPERIMENT_RUN_FOLDER_H

#include <stddef.h>

#include "regret/experiment.h"

/* Holds a lock while open; the kernel lets go of it when the process ends, however it ends. */
struct run_lock {
    int fd; /* -1: none */
};
#define RUN_LOCK_INIT                                                                              \
    {                                                                                              \
        -1                                                                                         \
    }
void run_lock_release(struct run_lock *lock); /* safe to call twice */

/* Locks a run folder by its run.json, if there is one; refuses (REGRET_E_IO) when another process
 * is writing there. Reading needs no lock. */
int run_lock_take(struct run_lock *lock, const char *folder);

/* REGRET_E_IO when the run.json of `folder` is no longer the one that is locked. */
int run_lock_check(const struct run_lock *lock, const char *folder);

/* Makes options->out with the run.json `description`, or finds it as an interrupted run of the same
 * description left it, and locks it. */
int run_folder_open(struct run_lock *lock, const struct regret_run_options *options,
                    const char *description);

/* How far the rows found there can be kept: `replicates` whole ones of the shard [begin, end), in
 * the first bytes of the two files. */
struct run_found {
    size_t replicates, row_bytes, timing_bytes;
};
/* Says by options->notice what is computed again. */
int run_folder_find(struct run_found *out, const struct regret_run_options *options,
                    const char *description, size_t begin, size_t end);

#endif
