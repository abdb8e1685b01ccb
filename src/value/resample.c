#include "value/resample.h"

#include <string.h>

#include "regret/rng.h"

void resample_draw(uint32_t *drawn, size_t n, uint64_t seed, uint64_t number)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, number);
    for (size_t i = 0; i < n; i++) {
        drawn[i] = regret_rng_below(&rng, (uint32_t)n);
    }
}

void resample_weigh(double *weight, size_t n, uint64_t seed, uint64_t number)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, number);
    memset(weight, 0, n * sizeof *weight);
    for (size_t i = 0; i < n; i++) {
        weight[regret_rng_below(&rng, (uint32_t)n)] += 1.0;
    }
}
