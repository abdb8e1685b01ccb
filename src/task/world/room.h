/* The controlled world: the texts of a pool with an outcome law of our own, so that all is known.
 *
 * Offers: struct regret_controlled_world, made of features, and its task (regret/world.h).
 * Way: world_options.c checks → world_hidden.c hashes h(x, m) and its dim labels → world_score.c makes scores of it →
 * world_policy.c makes who chooses which agent → world.c tabulates means and targets.
 * Uses: base/core, linalg/spectrum, pool/grid.
 */
#ifndef REGRET_TASK_WORLD_ROOM_H
#define REGRET_TASK_WORLD_ROOM_H

#include "regret/world.h"

#endif
