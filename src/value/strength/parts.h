/* Agents in parts that no comparison joins, and chains of wins between them. */
#ifndef REGRET_VALUE_PARTS_H
#define REGRET_VALUE_PARTS_H

#include <stdint.h>

#include "regret/buffer.h"

/* part[i] = i, of n agents; then a call for every two that something compares; then part[i] is the lowest agent of i's part, and
 * returned is how many there are. */
void parts_begin(uint32_t *part, size_t n);
void parts_join(uint32_t *part, uint32_t a, uint32_t b);
size_t parts_end(uint32_t *part, size_t n);

/* Whom chains of wins lead to from agent `first` or, backwards, from whom they lead to it: marks them in seen[n], and returns how many.
 * won[a · n + b]: a has won from b, or tied, at least once. queue: scratch [n]. O(n²). */
size_t chains_reach(unsigned char *seen, uint32_t *queue, const unsigned char *won, size_t n,
                    uint32_t first, int backwards);

/* Appends "{a, b, …}, {c}", of more than a few parts, or agents of one, only that there are others. */
void parts_name(struct regret_buffer *out, const uint32_t *part, size_t n,
                const char *const *names);

#endif
