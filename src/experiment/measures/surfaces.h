/* What agents are worth on some contexts, a row a context: by predictions, and in truth. */
#ifndef REGRET_EXPERIMENT_SURFACES_H
#define REGRET_EXPERIMENT_SURFACES_H

#include "experiment/measures/steps.h"

/* The predictions by which an agent is chosen. */
static inline const double *measures_choosing(const struct regret_estimate *e)
{
    return e->unclipped != NULL ? e->unclipped : e->prediction;
}

/* f of a prediction on the held-out contexts, averaged over draws: [n_test × n_agents]. */
void measures_surface(double *surface, const struct setting *setting, const double *prediction);
/* The same on n contexts of the caller's choice. */
void measures_surface_of(double *surface, const struct setting *setting, const double *prediction,
                         const size_t *contexts, size_t n);
/* mu on n contexts: [n × n_agents]. */
void measures_target_of(double *surface, const struct setting *setting, const size_t *contexts,
                        size_t n);

#endif
