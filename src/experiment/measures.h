/* The last step of a replicate: how good its estimates and baselines are. */
#ifndef REGRET_EXPERIMENT_MEASURES_H
#define REGRET_EXPERIMENT_MEASURES_H

#include "experiment/replicate.h"

int measures_take(struct measures *out, const struct setting *setting, const struct draws *draws,
                  const struct fitted_proxy *proxy, const struct estimates *estimates,
                  const struct values *values);

#endif
