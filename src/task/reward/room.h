/* What an answer is worth: the maps from scores to rewards, and the target that they average to.
 *
 * Offers: the registry of reward maps, a task's rewards and targets (regret/task.h).
 * Way: reward_maps.h lists the maps, one a file (reward_smooth.c …) → reward.c checks and finds them, applies the one
 * that is chosen to every pair of a grid → the reward of each segment and pair, and μ(x, m) as its mean.
 * Uses: base/core, base/text, pool/grid.
 */
#ifndef REGRET_TASK_REWARD_ROOM_H
#define REGRET_TASK_REWARD_ROOM_H

#include "regret/task.h"
#include "task/reward/reward_maps.h"

#endif
