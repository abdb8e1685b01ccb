/* The resamples of the bootstrap: everything that is resampled here draws by one of these. */
#ifndef REGRET_VALUE_RESAMPLE_H
#define REGRET_VALUE_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

/* Resample `number` of n observations (1 to 2^32 - 1), from regret_rng_at(seed, REGRET_RNG_BOOTSTRAP, number): which
 * ones, in the order in which they are drawn. */
void resample_draw(uint32_t *drawn, size_t n, uint64_t seed, uint64_t number);

#endif
