/* One split of a seed, by contexts and by pairs. */
#ifndef REGRET_EXPERIMENT_PAIR_SPLIT_H
#define REGRET_EXPERIMENT_PAIR_SPLIT_H

#include "regret/config.h"
#include "regret/pool.h"
#include "regret/task.h"

struct pair_split {
    struct regret_split *contexts;
    unsigned char *train, *test, *reference; /* [pairs] 1: observed, and of such a context */
};

/* The folds of a seed: 1 with a single split, those of contexts.folds, or one a tag of the grid's
 * contexts. */
size_t context_folds(const struct regret_config *config, const struct regret_grid *grid);
/* The contexts of one. REGRET_E_INPUT: contexts.split asks for tags that the contexts have not. */
int context_split_make(struct regret_split **out, const struct regret_grid *grid,
                       const struct regret_config *config, size_t fold, uint64_t seed);

int pair_split_make(struct pair_split *out, const struct regret_grid *grid,
                    const struct regret_config *config, size_t fold, uint64_t seed);
void pair_split_clear(struct pair_split *split);

#endif
