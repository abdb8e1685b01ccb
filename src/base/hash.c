#include <stdio.h>

#include "regret/file.h"

#include <xxhash.h>

uint64_t regret_hash64(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}

void regret_digest(char out[33], const void *data, size_t length)
{
    XXH128_hash_t h = XXH3_128bits(data, length);
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
}
