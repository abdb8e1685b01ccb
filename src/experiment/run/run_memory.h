/* Whether a run fits into the memory that there is, and what would. */
#ifndef REGRET_EXPERIMENT_RUN_MEMORY_H
#define REGRET_EXPERIMENT_RUN_MEMORY_H

#include "base/files/memory_left.h"
#include "experiment/run/run_probe.h"

/* The cell whose replicates take the most memory by cell_bytes(), and what they take. */
struct run_memory {
    size_t cell, rows, columns;
    int is_direct;        /* its fits are solved directly */
    double bytes, shared; /* `shared` by the whole process before any replicate */
    struct memory_left left;
};

/* Looks at what there is before any replicate, and refuses a plan of which one certainly does not fit; the message says by what. */
int run_memory_open(struct run_memory *out, const struct regret_run_plan *plan,
                    const struct run_inputs *inputs);
/* Given what a replicate came to: where memory ran out, the message says what takes less. Returns rc. */
int run_memory_explain(int rc, const struct run_memory *m);
/* Refuses `threads` whose replicates would take more than there was before them. */
int run_memory_threads(const struct run_memory *m, size_t threads);
/* Both for a run. */
int run_memory_check(const struct run_rest *rest);

#endif
