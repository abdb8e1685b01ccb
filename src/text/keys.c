#include "text/keys.h"

#include <xxhash.h>

void key_store(unsigned char *bytes, uint64_t x)
{
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(x >> (8 * i));
    }
}

uint64_t key_bigram(uint64_t first, uint64_t second)
{
    unsigned char bytes[16];
    key_store(bytes, first);
    key_store(bytes + 8, second);
    return XXH3_64bits(bytes, sizeof bytes);
}

int key_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
