/* Agents in parts that no comparison joins, and chains of wins between them. */
#ifndef REGRET_VALUE_PARTS_H
#define REGRET_VALUE_PARTS_H

#include <stdint.h>

#include "regret/bradley_terry.h"
#include "regret/buffer.h"

/* part[i] = i, of n agents; then a call for every two that something compares; then part[i] is the lowest agent of i's part, and
 * returned is how many there are. */
void parts_begin(uint32_t *part, size_t n);
void parts_join(uint32_t *part, uint32_t a, uint32_t b);
size_t parts_end(uint32_t *part, size_t n);

/* Sets won[a · n + b], the numbers by which chains are followed, of votes: a has won from b, or tied, at least once. */
void chains_mark(unsigned char *won, size_t n, const struct regret_vote *vote, size_t n_votes);

/* Whom chains of wins lead to from agent `from` or, backwards, from whom they lead to it: marks them in seen[n], and returns how many.
 * queue: scratch [n]. O(n²). */
size_t chains_reach(unsigned char *seen, uint32_t *queue, const unsigned char *won, size_t n,
                    size_t from, int backwards);

/* *joined: whether chains of wins lead from every agent to every other; if not, *outside (NULL: not asked) is the first whom those
 * from agent 0, or to it, leave out. */
int chains_join(int *joined, uint32_t *outside, const unsigned char *won, size_t n);

/* *pairs: how many pairs of agents no chain of wins joins, either way; such a pair, if there is one. O(n³). */
int chains_apart(size_t *pairs, size_t pair[2], const unsigned char *won, size_t n);

/* Appends "{a, b, …}, {c}", of more than a few parts, or agents of one, only that there are others. */
void parts_name(struct regret_buffer *out, const uint32_t *part, size_t n,
                const char *const *names);

#endif
