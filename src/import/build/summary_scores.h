/* Scores and labels of summaries that are computed from the texts. */
#ifndef REGRET_IMPORT_SUMMARY_SCORES_H
#define REGRET_IMPORT_SUMMARY_SCORES_H

#include <stddef.h>
#include <stdint.h>

#include "import/build/builder.h"

/* What is made of the texts of a pool. */
struct summary_scores {
    int wanted;                  /* any of it */
    int conciseness, statistics; /* 1: this */
    size_t conciseness_value;    /* which of a row's values it is */
    size_t statistics_value;     /* the first of them */
    int cost; /* 1: the cost of an agent is the mean number of tokens of its outputs */
};

/* Conciseness lies between these. */
enum { SUMMARY_LEAST = 1, SUMMARY_MOST = 5 };

/* Fills in, of the values of each row, the conciseness (include/regret/import.h) and the columns of
 * regret_text_statistics(), and the costs. A context's reference is a good summary of it, NULL where none is
 * known. Texts of contexts must be there, and rows settled. */
int summary_scores_derive(struct import_builder *b, const struct summary_scores *wanted);

/* 1 + 4·L·(1 − ρ) of n tokens (given by their hashes) where `expected` tokens are wanted. `scratch`
 * holds n numbers. */
double summary_conciseness(const uint64_t *tokens, size_t n, double expected, uint64_t *scratch);

#endif
