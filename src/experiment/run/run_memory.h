/* Whether a run fits into the memory that there is, and what would. */
#ifndef REGRET_EXPERIMENT_RUN_MEMORY_H
#define REGRET_EXPERIMENT_RUN_MEMORY_H

#include "base/files/memory_left.h"
#include "experiment/run/run_probe.h"

/* The cell whose replicates take the most memory by cell_bytes(), and what they take. */
struct run_memory {
    size_t cell;
    double bytes, shared; /* `shared` by the whole process before any replicate */
    struct memory_left left;
};

/* Looks at what there is before any replicate, and refuses a plan of which one certainly does not fit; the message names
 * what would. */
int run_memory_open(struct run_memory *out, const struct regret_run_plan *plan,
                    const struct run_inputs *inputs);
/* Given what a replicate of `plan` came to: where memory ran out, the message says what would fit. Returns rc. */
int run_memory_explain(int rc, const struct run_memory *m, const struct regret_run_plan *plan,
                       const struct run_inputs *inputs);
/* Refuses `threads` that would take more, by one replicate, than there was before it. */
int run_memory_threads(const struct run_memory *m, const struct probed *one, size_t threads,
                       const struct regret_run_plan *plan, const struct run_inputs *inputs);
/* All of these for a run, of which a replicate is measured where the address space is limited or memory may be scarce. */
int run_memory_check(const struct run_rest *rest);

#endif
