/* The pool of a configuration, and the splits of its contexts.
 *
 * Offers: pool_source_open(), spare_contexts_*; pair_split_*, context_folds().
 * Way: pool_source.c opens or generates the pool → the grid is cut by pool/grid → pair_split.c splits its contexts
 * and pairs for a seed and a fold.
 * Uses: base/core, base/files, experiment/config, pool/files, pool/grid, task/draw, task/generator,
 * task/reward.
 */
#ifndef REGRET_EXPERIMENT_POOL_ROOM_H
#define REGRET_EXPERIMENT_POOL_ROOM_H

#include "experiment/pool/pair_split.h"
#include "experiment/pool/pool_source.h"

#endif
