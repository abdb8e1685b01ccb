/* Logs for tests of planning: rows are added one by one. */
#ifndef REGRET_TESTS_PLAN_MADE_LOG_H
#define REGRET_TESTS_PLAN_MADE_LOG_H

#include "regret/evaluate.h"
#include "regret/task.h"

/* A log of agents "a0", "a1", … and, with n_tags above 0, as many tags; contexts are rows. */
struct regret_log *made_log(size_t n_agents, size_t n_tags);
void made_row(struct regret_log *log, enum regret_log_source source, size_t tag, size_t agent,
              double outcome, double propensity, size_t cluster);

/* Beta(mean, variance) on [0,1]; the mean itself where the variance is 0. */
double made_outcome(struct regret_rng *rng, double mean, double variance);

/* A pilot in which agent a's outcomes have mean[a] and sd[a], of `rows` rows dealt in turn; a cluster a row. */
struct regret_log *made_pilot(size_t n_agents, const double *mean, const double *sd, size_t rows,
                              uint64_t seed);

#endif
