/* What the replicates of a run plan share: feature sets, controlled worlds, target populations, each distinct one
 * made once.
 *
 * Offers: struct run_inputs, run_open_inputs(), population_*, proxy_memo_*.
 * Way: run_open.c reads the run plan and holds it against the pool → run_inputs.c makes features, worlds and
 * populations (population.c) for its cells, of votes what agents are worth (grid_votes.c) → replicates read them; proxy_memo.c keeps proxies from one replicate
 * to the next.
 * Uses: base/core, base/files, base/json, base/text, estimate/proxy, experiment/config, experiment/external,
 * experiment/features, experiment/pool, linalg/spectrum, pool/files, pool/grid, pool/spread, pool/votes, task/draw, task/reward, task/world, value, value/strength.
 */
#ifndef REGRET_EXPERIMENT_INPUTS_ROOM_H
#define REGRET_EXPERIMENT_INPUTS_ROOM_H

#include "experiment/inputs/grid_votes.h"
#include "experiment/inputs/proxy_memo.h"
#include "experiment/inputs/run_inputs.h"
#include "experiment/inputs/run_open.h"

#endif
