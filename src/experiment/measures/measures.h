/* The last step of a replicate: how good its estimates and baselines are. */
#ifndef REGRET_EXPERIMENT_MEASURES_H
#define REGRET_EXPERIMENT_MEASURES_H

#include "experiment/measures/steps.h"

int measures_take(struct measures *out, const struct setting *setting, const struct draws *draws,
                  const struct fitted_proxy *proxy, const struct estimates *estimates,
                  const struct values *values, const struct baselines *baselines);

/* How many rows of kind "fit" a replicate over the pool has. */
size_t measures_fits(const struct regret_pool *pool);

#endif
