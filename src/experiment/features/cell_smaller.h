/* What of a cell would have to be smaller. */
#ifndef REGRET_EXPERIMENT_CELL_SMALLER_H
#define REGRET_EXPERIMENT_CELL_SMALLER_H

#include "experiment/features/feature_set.h"
#include "regret/buffer.h"

/* Appends each of the budgets and sizes that by itself lets a replicate fit into `bytes` by cell_bytes(), with the `shared`
 * ones that the features take now, as large as it may be: "--set n_obs=5200, or 400 contexts (regret pool select
 * --sample)"; nothing where none does. */
int cell_smaller(struct regret_buffer *out, const struct regret_config *cell,
                 const struct feature_set *features, double shared, double bytes);

#endif
