/* Independent jobs on a few threads. */
#ifndef REGRET_PARALLEL_H
#define REGRET_PARALLEL_H

#include <stddef.h>

#include "regret/status.h"

/* One job: `index` in 0..n-1, `worker` in 0..threads-1 (for scratch memory). Returns 0 or a
 * negative code; its thread's message is carried to the caller. Jobs must not depend on one
 * another. */
typedef int regret_job(void *context, size_t index, size_t worker);

/* Runs jobs 0..n-1 on `threads` threads (the calling one among them), handing them out in order.
 * After the first failure no further job is begun, and that job's code and message are returned
 * (the lowest index among those that failed). threads >= 1. */
REGRET_API int regret_parallel_for(size_t n, size_t threads, regret_job *job, void *context);

/* How many threads the calling thread may share its preparations out to, each of which knows nothing of another: reading a
 * pool, tokens, terms, φ, statistics. 1 unless said, and 1 in every job above; results are the same bits whatever it is.
 * Returns what held before, for regret_threads_restore(), as a scope ends. */
REGRET_API size_t regret_threads_allow(size_t threads);
REGRET_API size_t regret_threads_allowed(void);
REGRET_API void regret_threads_restore(const size_t *before);

/* Processors this process may use: the least of its affinity mask, the control group's quota and,
 * within a Slurm job, what the job was given (SLURM_CPUS_PER_TASK, else SLURM_CPUS_ON_NODE); at
 * least 1. */
REGRET_API size_t regret_processor_count(void);

#endif
