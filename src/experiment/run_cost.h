/* What a run costs. */
#ifndef EXPERIMENT_RUN_COST_H
#define EXPERIMENT_RUN_COST_H

#include <stddef.h>
#include <stdint.h>

#include "experiment/external.h"
#include "experiment/inputs.h"
#include "experiment/run.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/status.h"

/* One replicate measured, and what a run will take by it. */

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

/* Whether a run fits into the memory that there is, and what would. */

/* Both for a run. */
int run_memory_check(const struct run_rest *rest);

/* What a run will take, before it is run. */

struct regret_run_cost {
    size_t cells, seeds, replicates;
    size_t shards, threads;
    size_t probed;        /* replicates that were measured */
    double setup_seconds; /* reading the pool and making features on `threads`, once a process */
    /* Of processor time, and of waiting for the answers of commands (docs/formats.md), the mean over all
     * replicates. The second answer is measured: the first waits for the program to start, which is of the set-up. */
    double replicate_seconds;
    double shortest,
        longest; /* of a replicate of the cheapest and of the dearest cell: all would take this if all were as they */
    double total_seconds; /* processor time of all replicates */
    double shard_seconds; /* wall time of the longest shard on `threads`, set-up included */
    size_t shard_least, shard_most;   /* replicates of the smallest and of the largest shard */
    double setup_bytes, thread_bytes; /* what all threads share, and what each adds */
    double peak_bytes;                /* of a process */
    double row_bytes;                 /* of all result rows */
    /* Of regret_run_preview(), and 0 else: */
    size_t done, rest;   /* replicates of options->shard that are there, and that remain */
    size_t rows;         /* result rows of a replicate */
    double rest_seconds; /* wall time of what remains, set-up included */
};

/* Reads options->config as regret_run() would, refuses a run beyond memory as it does, and computes two replicates of the cell
 * that is dearest by its size and two of the cheapest; other cells stand between them by size. Of `options`, out, shard,
 * resume and force are not looked at; nothing is written. Processor time and memory are those of this
 * machine; with a slower one in a cluster, expect that much more. */
int regret_run_cost(struct regret_run_cost *out, const struct regret_run_options *options);

/* The same of one replicate of the dearest cell, with smaller budgets where it is dear, and what regret_run() would find in options->out: looks at its folder with resume and force, refuses what
 * regret_run() would, counts the rows that it would keep (options->notice is told of others) and writes nothing. */
int regret_run_preview(struct regret_run_cost *out, const struct regret_run_options *options);

#endif
