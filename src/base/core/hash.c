#include "regret/hash.h"

#include <stdio.h>

#include <xxhash.h>

#include "base/core/digest.h"

uint64_t regret_hash64(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}

void regret_hash128(uint64_t out[2], const void *data, size_t length)
{
    XXH128_hash_t hash = XXH3_128bits(data, length);
    out[0] = hash.low64;
    out[1] = hash.high64;
}

void digest_write(char out[33], const uint64_t hash[2])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash[1], (unsigned long long)hash[0]);
}

void regret_digest(char out[33], const void *data, size_t length)
{
    uint64_t hash[2];
    regret_hash128(hash, data, length);
    digest_write(out, hash);
}
