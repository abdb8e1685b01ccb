/* Sorting of short keys without comparisons. */
#ifndef REGRET_TEXT_SORT_H
#define REGRET_TEXT_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts n items by their `bits` bits from bit `from` up, 1 <= bits <= 32; items alike in these keep their
 * order. n < 2^32; `spare` has room for n items. O(n · bits / 8). */
void sort_by_bits(uint64_t *item, uint64_t *spare, size_t n, unsigned from, unsigned bits);

/* Bits that are needed for the numbers below n; at least 1. */
unsigned bits_below(uint64_t n);

#endif
