/* Scores and labels of summaries that are computed from the texts. */
#ifndef REGRET_IMPORT_SUMMARY_SCORES_H
#define REGRET_IMPORT_SUMMARY_SCORES_H

#include <stddef.h>
#include <stdint.h>

#include "import/builder.h"

/* Fills in, of the values of each row, the conciseness (include/regret/import.h) as number
 * `conciseness` and the columns of regret_text_statistics() from number `statistics` on; the cost of
 * an agent becomes the mean number of tokens of its outputs. references[x] is a good summary of
 * context x, NULL where none is known. Texts of contexts must be there. */
int summary_scores_derive(struct import_builder *b, const char *const *references,
                          size_t conciseness, size_t statistics);

/* 1 + 4·L·(1 − ρ) of n tokens (given by their hashes) where `expected` tokens are wanted. `scratch`
 * holds n numbers. */
double summary_conciseness(const uint64_t *tokens, size_t n, double expected, uint64_t *scratch);

#endif
