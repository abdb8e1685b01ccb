/* Making a feature set of the texts of a pool. */
#ifndef REGRET_EXPERIMENT_FEATURE_BUILD_H
#define REGRET_EXPERIMENT_FEATURE_BUILD_H

#include "experiment/features/feature_set.h"

/* `config` has the largest budgets of the cells that will use the set. `texts_wanted`: statistics and terms of the outputs are made in a sparse set too. */
int feature_set_create(struct feature_set **out, const struct regret_config *config,
                       const struct regret_pool *pool, int texts_wanted);

#endif
