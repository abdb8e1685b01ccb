/* What a log names: agents, tags and words of covariates (struct names), put into their order, and ids of contexts and clusters of which
 * there may be as many as rows: of these only a hash is kept. */
#ifndef REGRET_LOG_READ_NAMES_H
#define REGRET_LOG_READ_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/core/names.h"

/* Hands the texts over in natural order, [n] at *out, to be freed each; *rank, to be freed, has the place of each number in
 * it. The names are empty then. */
int log_names_rank(char ***out, uint32_t **rank, struct names *names);

/* Hashes in the order they were first met: 8 bytes each, and 5 to 11 of a table. Two ids of 10 million have one hash by
 * chance in one log of 400,000: they would then be one context. */
struct log_keys {
    uint64_t *hash; /* owned */
    uint32_t *slot; /* owned; index + 1, 0: free */
    size_t n, capacity, n_slots;
};

/* The number of a hash, a new one where it is new. */
int log_keys_put(uint32_t *out, struct log_keys *keys, uint64_t hash);
/* Gives the table back and keeps the hashes: no more can be put. */
void log_keys_forget(struct log_keys *keys);
void log_keys_free(struct log_keys *keys);

#endif
