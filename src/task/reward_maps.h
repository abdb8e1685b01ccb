/* One reward map a file, which describes itself; reward.c lists them. */
#ifndef REGRET_TASK_REWARD_MAPS_H
#define REGRET_TASK_REWARD_MAPS_H

#include "regret/task.h"

extern const struct regret_reward_map map_smooth, map_sharpened, map_utility;

#endif
