/* 64-bit keys of tokens, bigrams and features; the same numbers on every machine. */
#ifndef REGRET_TEXT_KEYS_H
#define REGRET_TEXT_KEYS_H

#include <stdint.h>

#include "text/words/hash.h"

/* Writes x as 8 little-endian bytes. */
static inline void key_store(unsigned char *bytes, uint64_t x)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(x >> (8 * i));
    }
}

/* XXH3 of the two token hashes (16 little-endian bytes), seed 0. */
static inline uint64_t key_bigram(uint64_t first, uint64_t second)
{
    unsigned char bytes[16];
    key_store(bytes, first);
    key_store(bytes + 8, second);
    return XXH3_64bits(bytes, sizeof bytes);
}

int key_compare(const void *a, const void *b); /* for qsort of uint64_t */

#endif
