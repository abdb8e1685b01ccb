/* Rewards. */
#ifndef TASK_REWARD_H
#define TASK_REWARD_H

#include "regret/task.h"

/* Every map, in the order in which they are listed; the first is the default. */
#define EACH_REWARD_MAP(X)                                                                         \
    X(smooth)                                                                                      \
    X(sharpened)                                                                                   \
    X(utility)                                                                                     \
    X(priced)

#define DECLARE_MAP(name) extern const struct regret_reward_map map_##name;
EACH_REWARD_MAP(DECLARE_MAP)

/* From now on none can be registered: configurations have been made by those there are. */
void reward_maps_seal(void);

#endif
