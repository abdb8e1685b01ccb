/* One seed's split, by contexts and by pairs. */
#ifndef REGRET_EXPERIMENT_PAIR_SPLIT_H
#define REGRET_EXPERIMENT_PAIR_SPLIT_H

#include "regret/pool.h"
#include "regret/task.h"

struct pair_split {
    struct regret_split *contexts;
    unsigned char *train, *test; /* [pairs] */
};

int pair_split_make(struct pair_split *out, const struct regret_grid *grid, double train_share,
                    uint64_t seed);
void pair_split_clear(struct pair_split *split);

#endif
