/* Numbers of what a log names: texts that are kept (agents, tags, words of covariates), and ids of contexts and clusters
 * of which there may be as many as rows: of these only a hash is. */
#ifndef REGRET_LOG_READ_NAMES_H
#define REGRET_LOG_READ_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/core/id_table.h"

/* Texts in the order they were first met. {0} is empty. */
struct log_names {
    char **text; /* owned, and what it holds */
    size_t n, capacity;
    struct id_table ids;
};

/* The number of a text, a new one where it is new. */
int log_names_put(uint32_t *out, struct log_names *names, const char *text);
/* SIZE_MAX where it is not there. */
size_t log_names_find(const struct log_names *names, const char *text);
/* Hands the texts over in natural order, [n] at *out, to be freed each; *rank, to be freed, has the place of each number in
 * it. The names are empty then. */
int log_names_rank(char ***out, uint32_t **rank, struct log_names *names);
void log_names_free(struct log_names *names);

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
