/* A family of one's own in a replicate. */
#ifndef REGRET_EXPERIMENT_EXTERNAL_FIT_H
#define REGRET_EXPERIMENT_EXTERNAL_FIT_H

#include "experiment/measures/steps.h"

/* Puts its predictions, moved into [0,1], into estimates->family[i] and, where it has them, those out of fold. What it
 * does wrong is no error but said in estimates->failure[i], and the estimate is NaN throughout. An error is what the
 * program itself could not do, or REGRET_E_CANCELLED. */
int external_fit(struct estimates *estimates, size_t i, const struct setting *setting,
                 const struct draws *draws, const struct fitted_proxy *proxy);

#endif
