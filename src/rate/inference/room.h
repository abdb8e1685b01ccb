/* What follows from the effects, and what the rows say of their assumptions.
 *
 * Offers: regret/rate_inference.h: contrasts of effects, reward models against people, and the check of the assumptions.
 * Way: contrast.c makes each difference a sum over units, contrast_together.c intervals for all; human.c holds rewards
 * against people's choices (logit_fit.c); check.c measures movements and wins on rows by group (check_rows.c),
 * check_flips.c the flips of W.
 * Uses: base/core, base/text, linalg/dense, rate/estimate, rate/labels, rate/rows, stats, value.
 */
#ifndef REGRET_RATE_INFERENCE_ROOM_H
#define REGRET_RATE_INFERENCE_ROOM_H

#include "regret/rate_inference.h"

#endif
