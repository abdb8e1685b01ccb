/* One replicate, a pure function of (pool, cell, seed): setting → draws → features → proxy → estimates → values →
 * baselines → measures.
 *
 * Offers: replicate_run(), cross_fit() (all folds of a seed), rows_write().
 * Way: replicate.c makes the values of steps.h one after the other (external_fit.c and external_problem.c:
 * families of one's own) → experiment/measures says how good they are → cross_fit.c joins folds, details.c the
 * lists → rows.c writes lines; grid_losses.c words what grid.policy left out.
 * Uses: base/core, base/files, base/text, estimate/fit, experiment/config, experiment/external,
 * experiment/features, experiment/inputs, experiment/measures, experiment/pool, external, linalg/design,
 * pool/grid, results/row, task/draw, value.
 */
#ifndef REGRET_EXPERIMENT_REPLICATE_ROOM_H
#define REGRET_EXPERIMENT_REPLICATE_ROOM_H

#include "experiment/replicate/cross_fit.h"
#include "experiment/replicate/grid_losses.h"
#include "experiment/replicate/replicate.h"
#include "experiment/replicate/rows.h"

#endif
