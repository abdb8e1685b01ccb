#include "experiment/measures/leaks.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "experiment/measures/surfaces.h"
#include "regret/alloc.h"
#include "value/leak/leak.h"

/* Over the pairs of some contexts that are known. */
static double mean_square(const double *error, size_t n_agents, const size_t *contexts, size_t n)
{
    double sum = 0.0, known = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < n_agents; a++) {
            double e = error[contexts[i] * n_agents + a];
            sum += isnan(e) ? 0.0 : e * e;
            known += !isnan(e);
        }
    }
    return known > 0.0 ? sum / known : NAN;
}

static void mark(unsigned char *of, const size_t *contexts, size_t n, unsigned char part)
{
    for (size_t i = 0; i < n; i++) {
        of[contexts[i]] = part;
    }
}

int leaks_take(double out[REGRET_N_LEAK], const struct setting *s, const double *prediction)
{
    const struct regret_split *split = s->split.contexts;
    size_t n = s->task->n_contexts, n_agents = s->task->n_agents;
    FREED double *error = NULL; /* mu − f of every context and agent */
    FREED size_t *contexts = NULL;
    FREED unsigned char *held = NULL;
    TRY(REGRET_NEW(&error, n * n_agents));
    TRY(REGRET_NEW(&contexts, n));
    TRY(REGRET_NEW(&held, n));
    for (size_t x = 0; x < n; x++) {
        contexts[x] = x;
    }
    measures_surface_of(error, s, prediction, contexts, n);
    for (size_t i = 0; i < n * n_agents; i++) {
        error[i] = s->task->target[i] - error[i];
    }
    memset(held, 2, n);
    mark(held, split->train, split->n_train, 0);
    mark(held, split->reference, split->n_reference, 1);
    mark(held, split->test, split->n_test, 1);
    const struct leak_problem problem = {error, held,     s->features->grid->kind,
                                         n,     n_agents, s->features->grid->n_tags};
    TRY(leak_probability(&out[REGRET_LEAK_PROBABILITY], &problem));
    out[REGRET_LEAK_TRAINED] = mean_square(error, n_agents, split->train, split->n_train);
    out[REGRET_LEAK_HELD_OUT] = mean_square(error, n_agents, split->test, split->n_test);
    return REGRET_OK;
}
