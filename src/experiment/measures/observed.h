/* What a grid with unobserved pairs asks of a replicate (protocol §3, §6, §7). */
#ifndef REGRET_EXPERIMENT_OBSERVED_H
#define REGRET_EXPERIMENT_OBSERVED_H

#include "experiment/measures/steps.h"

/* How EXP draws over the training contexts of the split, as estimates weigh them; zeroes where nothing is unobserved. */
int observed_support(struct exp_support *out, const struct setting *setting);
void observed_support_clear(struct exp_support *support);

/* REGRET_E_INPUT: no held-out context has two observed agents. */
int observed_check_split(const struct setting *setting);

/* out[a]: the mean of mu(x,a) over those of n contexts on which the agent is observed, as the target population has
 * them; NaN of an agent observed on none. */
void observed_means(double *out, const struct setting *setting, const size_t *contexts, size_t n);

/* What a surface [n_test × n_agents] recommends of all agents that EXP could draw on any context, whether observed on
 * the held-out context or not: choice [n_test]; where propensities know no such agent on contexts of this kind, too. Only where
 * pairs are unobserved. */
void observed_recommend(size_t *choice, const struct setting *setting, const double *surface);

/* The value of that policy over the held-out contexts: REGRET_MEASURE_POLICY_IPS and the two after it; they stay as they
 * are where nothing is unobserved. */
int observed_policy_value(double policy[MEASURED_POLICY], const struct setting *setting,
                          const double *surface);

#endif
