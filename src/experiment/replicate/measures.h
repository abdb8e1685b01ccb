/* The last step of a replicate: how good its estimates and baselines are. */
#ifndef REGRET_EXPERIMENT_MEASURES_H
#define REGRET_EXPERIMENT_MEASURES_H

#include "experiment/replicate/steps.h"

int measures_take(struct measures *out, const struct setting *setting, const struct draws *draws,
                  const struct fitted_proxy *proxy, const struct estimates *estimates,
                  const struct values *values);

/* How many rows of kind "fit" a replicate over the pool has. */
size_t measures_fits(const struct regret_pool *pool);
/* f of a prediction on the held-out contexts, averaged over draws: [n_test × n_agents]. */
void measures_surface(double *surface, const struct setting *setting, const double *prediction);
/* The mean outcome of every agent over some rows, NaN without one, as a surface on the held-out contexts: an agent's
 * mean on each of them. By it the best single agent is recommended, and where that is unobserved the next best. */
int measures_agents_surface(double *surface, const struct setting *setting,
                            const struct regret_rows *rows);

#endif
