/* Features of units that assignment must not depend on. */
#ifndef REGRET_EVALUATE_BALANCE_BLOCK_H
#define REGRET_EVALUATE_BALANCE_BLOCK_H

#include "evaluate/balance/triplets.h"

int block_tags(struct block *out, const struct regret_log *log, const struct assignment *d);
/* Ranks of numbers and whether one is missing; words one by one. */
int block_covariates(struct block *out, const struct regret_log *log, const struct assignment *d);
int block_length(struct block *out, const struct regret_log *log, const struct assignment *d);
/* The rank, and eighths of the rows in order of time. */
int block_time(struct block *out, const struct regret_log *log, const struct assignment *d);
/* Whether a text has a word (no stop words), of the words that most units have, at most 1,000, each in ten units or more. */
int block_words(struct block *out, const struct regret_log *log, const struct assignment *d);

/* The word of a text that dimension `j` of block_words() is of, as it is written there. Found by trying the texts again. */
int block_word(char **out, const struct block *block, size_t j, const struct regret_log *log,
               const struct assignment *d);

/* ranks[i] in (0,1) of values[i], alike where they are equal; NaN of a NaN. O(n log n). */
int block_ranks(double *ranks, const double *values, size_t n);

#endif
