/* One replicate measured, and what a run will take by it. */
#ifndef REGRET_EXPERIMENT_RUN_PROBE_H
#define REGRET_EXPERIMENT_RUN_PROBE_H

#include "experiment/external/external.h"
#include "experiment/inputs/run_inputs.h"
#include "experiment/run/shard_range.h"
#include "regret/buffer.h"
#include "regret/stop.h"

struct probed {
    double seconds; /* of a processor, and of waiting for commands of the user's own */
    double
        start_seconds; /* that the programs of commands took to start, where this was the first to ask them */
    double row_bytes;
    double shared_bytes; /* resident before it: what all threads share */
    double thread_bytes; /* what it added at its peak, where the system tells */
    /* The first family of one's own that has no fit in it; without a word where each has one. */
    char unfit[REGRET_FAMILY_NAME_SIZE];
    struct external_failure failure;
};
/* Computes one replicate as a run makes it, its rows included, and writes nothing. */
int run_probe(struct probed *out, const struct regret_run_plan *plan,
              const struct run_inputs *inputs, size_t cell, uint64_t seed,
              const struct regret_stop *stop);
double run_probe_clock(void); /* processor time of this thread: a login node has other guests */
double run_probe_peak_bytes(void); /* the most memory this process ever had */

/* The rest of a range of replicates, from its `done`-th on. */
struct run_rest {
    const struct regret_run_plan *plan;
    const struct run_inputs *inputs;
    const struct run_costs *costs;
    const struct shard_range *range;
    size_t done, threads;
    uint64_t first_seed;
    const struct regret_stop *stop; /* as of a run */
};
/* Whether it takes more than about a minute of a processor. */
int run_probe_worth(const struct run_rest *rest);
/* Appends a sentence about its time and memory, measured on a replicate of its dearest cell, and what to do where that
 * is a lot. */
int run_probe_rest(struct regret_buffer *out, const struct run_rest *rest);

#endif
