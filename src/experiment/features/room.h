/* The features of a grid, which every replicate of the same feature options shares, and what a replicate will take
 * by them.
 *
 * Offers: struct feature_set and feature_set_create(); covariates_*; cell_cost(), cell_bytes(), cell_solver().
 * Way: covariates.c makes numbers of the columns of contexts, feature_build.c tokenises the grid's texts and makes φ, terms and
 * statistics → feature_set.c holds them → cell_cost.c estimates work, by which sparse or dense (with rows as long as
 * row_sample.c finds them), solver and shards are chosen, and bounds memory.
 * Uses: base/core, base/text, estimate/fit, estimate/proxy, experiment/config, experiment/pool,
 * linalg/iterative, linalg/ridge, linalg/sparse, linalg/spectrum, pool/files, pool/grid, text/features,
 * text/words.
 */
#ifndef REGRET_EXPERIMENT_FEATURES_ROOM_H
#define REGRET_EXPERIMENT_FEATURES_ROOM_H

#include "experiment/features/cell_cost.h"
#include "experiment/features/covariates.h"
#include "experiment/features/feature_build.h"
#include "experiment/features/feature_set.h"

#endif
