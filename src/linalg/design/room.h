/* What a ridge is fitted on: samples, which are rows gathered by their pair, and designs, the features of pairs:
 * dense, sparse in two parts, or reduced to coordinates of a few pairs.
 *
 * Offers: struct regret_sample, regret_design, regret_coordinates and their makers; design_* (lines, moments,
 * products); struct sparse_rows, the rows of some pairs packed for products.
 * Way: sample.c gathers rows (pair, y) → design.c reads lines of the design for them → coordinates.c factorises
 * their Gram matrix where a direct solver wants it, or sparse_rows.c packs them where conjugate gradients do.
 * Uses: base/core, linalg/dense, linalg/sparse.
 */
#ifndef REGRET_LINALG_DESIGN_ROOM_H
#define REGRET_LINALG_DESIGN_ROOM_H

#include "linalg/design/design.h"
#include "linalg/design/sparse_rows.h"
#include "regret/design.h"

#endif
