/* 64-bit keys of tokens, bigrams and features; the same numbers on every machine. */
#ifndef REGRET_TEXT_KEYS_H
#define REGRET_TEXT_KEYS_H

#include <stdint.h>

/* Writes x as 8 little-endian bytes. */
void key_store(unsigned char *bytes, uint64_t x);

/* XXH3 of the two token hashes (16 little-endian bytes), seed 0. */
uint64_t key_bigram(uint64_t first, uint64_t second);

int key_compare(const void *a, const void *b); /* for qsort of uint64_t */

#endif
