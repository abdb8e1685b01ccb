/* Hashes of bytes: XXH3, the same on every machine. */
#ifndef REGRET_HASH_H
#define REGRET_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"

/* XXH3 64-bit hash of a block (seed 0). */
REGRET_API uint64_t regret_hash64(const void *data, size_t length);
/* XXH3 128-bit hash: the low half, and the high one. */
REGRET_API void regret_hash128(uint64_t out[2], const void *data, size_t length);
/* XXH3 128-bit digest as 32 hexadecimal digits and a zero. */
REGRET_API void regret_digest(char out[33], const void *data, size_t length);

#endif
