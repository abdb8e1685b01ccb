/* One replicate as files that another language can check, and the splits of all.
 *
 * Offers: regret_export_cell(), regret_export_splits() (regret/experiment.h).
 * Way: export.c runs the replicate and writes each file: export_phi.c the features, export_hyper.c what was
 * chosen, export_values.c values and intervals. splits.c cuts the grid of each cell and splits it for every seed.
 * Uses: base/core, base/files, base/text, estimate/fit, estimate/proxy, experiment/config, experiment/features,
 * experiment/inputs, experiment/pool, experiment/replicate, linalg/dense, linalg/design, linalg/sparse,
 * pool/files, pool/grid, pool/spread, task/draw, value.
 */
#ifndef REGRET_EXPERIMENT_EXPORT_ROOM_H
#define REGRET_EXPERIMENT_EXPORT_ROOM_H

#endif
