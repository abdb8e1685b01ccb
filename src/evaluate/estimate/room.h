/* Families fitted to a log and a trial, without each fold and as a whole, and the policies that follow from them.
 *
 * Offers: struct surface_list (surfaces.h).
 * Way: struct material → surfaces.c fits every family without each fold → policies.c learns who answers from each fit → evaluate/worth
 * holds all of it against the rows of the fold.
 * Uses: base/core, base/text, estimate, estimate/fit, evaluate/material, linalg/design, log/core, task/draw.
 */
#ifndef REGRET_EVALUATE_ESTIMATE_ROOM_H
#define REGRET_EVALUATE_ESTIMATE_ROOM_H

#include "evaluate/estimate/surfaces.h"

#endif
