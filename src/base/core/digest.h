/* How a digest is written. */
#ifndef REGRET_BASE_DIGEST_H
#define REGRET_BASE_DIGEST_H

#include <stdint.h>

/* A hash of 128 bits, its low half first, as 32 hexadecimal digits and a zero. */
void digest_write(char out[33], const uint64_t hash[2]);

#endif
