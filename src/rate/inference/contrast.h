/* The parts of regret_rate_contrast(). */
#ifndef REGRET_RATE_CONTRAST_H
#define REGRET_RATE_CONTRAST_H

#include "rate/estimate/influence.h"
#include "regret/rate_inference.h"

/* One effect of one estimate as a sum over units. */
struct side {
    size_t estimate;
    enum regret_rate_effect_kind effect;
    int is_d;
    double *psi; /* by cluster of its group; owned; NULL where the effect is missing */
};

/* All estimates, and the sides of the contrasts. */
struct evidence {
    const struct regret_rate_estimate *estimates; /* borrowed */
    size_t n_estimates;
    struct influence *influence; /* n_estimates; owned */
    uint32_t **units;            /* n_estimates: the unit of each cluster of its group; owned */
    size_t n_units;
    uint32_t *unit;     /* by row; owned */
    double *dense;      /* n_units, zero between uses; owned */
    struct side *sides; /* n_sides; owned */
    size_t n_sides, capacity;
};

/* The interval of all contrasts together, and Holm's p: sides[2 * k] and sides[2 * k + 1] are the sides
 * of contrast k, in `products` of n_sides. */
int contrasts_together(struct regret_rate_contrasts *c, const size_t *sides, const double *products,
                       size_t n_sides, uint64_t seed);

#endif
