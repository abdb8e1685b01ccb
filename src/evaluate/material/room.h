/* What estimators are given of a log: the rows that take part, folds of what was sampled as one, pairs, features.
 *
 * Offers: struct drawn (drawn.h), struct material (material.h).
 * Way: drawn.c takes rows, in whole clusters, and deals folds → material.c lays out pairs and gives rows their pair → features.c
 * makes φ, e(x) and z of them.
 * Uses: base/core, estimate/fit, estimate/practice, evaluate/core, linalg/design, linalg/sparse, log/core, task/draw, task/reward,
 * text/features, text/words.
 */
#ifndef REGRET_EVALUATE_MATERIAL_ROOM_H
#define REGRET_EVALUATE_MATERIAL_ROOM_H

#include "evaluate/material/drawn.h"
#include "evaluate/material/material.h"

#endif
