/* A pool's scores, drawn closer or pushed apart: between contexts, between agents, inside a context, and by noise
 * that nothing predicts. */
#ifndef REGRET_SPREAD_H
#define REGRET_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "regret/pool.h"
#include "regret/status.h"

/* How far apart the normalised components q of a pool are to lie, as factors, and noise. */
struct regret_spread_options {
    double within;   /* w: inside a context */
    double agents;   /* g: between the agents' means, inside contexts */
    double contexts; /* c: between the contexts' means */
    double noise;    /* s: deviation of noise, in units of the component's range */
    uint64_t seed;   /* of the noise */
};
#define REGRET_SPREAD_OPTIONS_INIT                                                                 \
    {                                                                                              \
        1.0, 1.0, 1.0, 0.0, 0                                                                      \
    }

/* 1 when the options change anything. */
REGRET_API int regret_spread_is_on(const struct regret_spread_options *options);

/* Changes the scores of a pool, component by component. With m the mean over all outputs, m + C(x) that over the
 * outputs on x, A(a) the mean of q - m - C over the outputs of a, and I the rest of an output, its draw's included,
 *
 *   q' = clip(m + c C(x) + w (g A(a) + I) + s ε, 0, 1)
 *
 * with ε standard normal, keyed by the seed and the ids of context, agent and component and the draw: of one
 * output it is the same whatever other outputs there are, in any order. Missing outputs are left missing; the means
 * are over those there are. Counts, aux labels and texts stay. Options that are not on leave every bit.
 * *clipped, which may be NULL: how many scores were moved into their range. REGRET_E_INPUT for a number that is
 * negative or not finite. The pool is one that regret_pool_check() passed. O(outputs × components). */
REGRET_API int regret_pool_spread(struct regret_pool *pool,
                                  const struct regret_spread_options *options, size_t *clipped);

#endif
