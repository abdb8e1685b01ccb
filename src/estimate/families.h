/* One fit function a family, one file a function; family.c has the table. Each fills the estimate's
 * prediction and, when it is not NULL, cross_fit, and records what it chose. */
#ifndef REGRET_ESTIMATE_FAMILIES_H
#define REGRET_ESTIMATE_FAMILIES_H

#include "regret/estimate.h"

int fit_exp_only(struct regret_estimate *estimate, struct regret_session *session);
int fit_obs_only(struct regret_estimate *estimate, struct regret_session *session);
int fit_representation_exp(struct regret_estimate *estimate, struct regret_session *session);
int fit_grounded(struct regret_estimate *estimate, struct regret_session *session);
int fit_cvci(struct regret_estimate *estimate, struct regret_session *session);
int fit_cvci_residual(struct regret_estimate *estimate, struct regret_session *session);
int fit_grounded_linear(struct regret_estimate *estimate, struct regret_session *session);
int fit_grounded_anchored(struct regret_estimate *estimate, struct regret_session *session);

#endif
