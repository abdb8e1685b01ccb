/* One family a file, which describes itself; family.c lists them. A fit function fills the estimate's
 * prediction and, when it is not NULL, cross_fit, and records what it chose. */
#ifndef REGRET_ESTIMATE_FAMILIES_H
#define REGRET_ESTIMATE_FAMILIES_H

#include "regret/estimate.h"

extern const struct regret_family family_exp_only, family_obs_only, family_representation_exp,
    family_grounded, family_cvci, family_cvci_residual, family_grounded_linear,
    family_grounded_anchored;

#endif
