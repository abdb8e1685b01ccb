/* A run: the replicates of a shard on threads into a run folder, and what that will take.
 *
 * Offers: regret_run(), regret_run_cost(), regret_run_preview().
 * Way: shard_range.c cuts the replicates by their costs → run_describe.c makes run.json, run_means.c what it says of
 * the pool's outputs, with holes within the strata of run_holes.c, run_labelled.c of what few labels do, run_votes.c who has won from whom → run.c hands out batches
 * (run_batches.c) to threads and writes rows in order; run_probe.c measures one replicate, run_memory.c refuses what does not fit by rows and columns, run_cost.c multiplies
 * the dearest and the cheapest.
 * Uses: base/core, base/files, base/text, estimate/fit, experiment/config, experiment/external, experiment/features, experiment/inputs,
 * experiment/measures, experiment/pool, experiment/replicate, linalg/dense, pool/files, pool/grid, results/row, results/run, stats,
 * task/draw, task/reward, value/judged, value/strength, value/within.
 */
#ifndef REGRET_EXPERIMENT_RUN_ROOM_H
#define REGRET_EXPERIMENT_RUN_ROOM_H

#include "regret/run_cost.h"

#endif
