/* Recommendations that want no estimator: what families are held against. */
#ifndef REGRET_EXPERIMENT_BASELINES_H
#define REGRET_EXPERIMENT_BASELINES_H

#include "experiment/replicate/steps.h"

/* How many of row_baselines the run has: those by tag only where a grid has two tags, so that every replicate of a run
 * has the same rows. */
size_t baselines_count(const struct run_inputs *inputs);

/* What the first n recommend on the held-out contexts of a fold, from its rows on training contexts. The caller frees
 * out->choice. */
int baselines_make(struct baselines *out, const struct setting *setting, const struct draws *draws,
                   size_t n);

#endif
