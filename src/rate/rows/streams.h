/* Streams of this room under the one purpose REGRET_RNG_RATE: never renumber. */
#ifndef REGRET_RATE_STREAMS_H
#define REGRET_RATE_STREAMS_H

#include <stdint.h>

enum stream_kind {
    STREAM_SHIFT = 1,   /* (group, level and cell) */
    STREAM_WORLD = 2,   /* (replicate) */
    STREAM_TYPO = 3,    /* (percent, text) */
    STREAM_CONTRAST = 6 /* (0): draws behind simultaneous intervals; 4, 5 and 7 are of the past */
};

static inline uint64_t stream_index(enum stream_kind kind, uint32_t high, uint32_t low)
{
    return (uint64_t)kind << 56 | (uint64_t)(high & 0xFFFFFFU) << 32 | low;
}

#endif
