/* Scores of summaries and winners of votes. */
#ifndef IMPORT_SUMMARY_SCORES_H
#define IMPORT_SUMMARY_SCORES_H

#include <stddef.h>
#include <stdint.h>

#include "import/builder.h"

/* Scores and labels of summaries that are computed from the texts. */

/* What is made of the texts of a pool. */
struct summary_scores {
    int wanted;                  /* any of it */
    int conciseness, statistics; /* 1: this */
    size_t conciseness_value;    /* which of a row's values it is */
    size_t statistics_value;     /* the first of them */
    int cost; /* 1: the cost of an agent is the mean number of tokens of its outputs */
};

/* Conciseness lies between these. Where there is no reference a good summary has one token for so many of its source: SummEval's
 * have. */
enum { SUMMARY_LEAST = 1, SUMMARY_MOST = 5, SUMMARY_SHARE = 8 };

/* Fills in, of the values of each row, the conciseness (below) and the columns of
 * regret_text_statistics(), and the costs. A context's reference is a good summary of it, NULL where none is
 * known. Texts of contexts must be there, and rows settled. */
int summary_scores_derive(struct import_builder *b, const struct summary_scores *wanted);

/* 1 + 4·L·(1 − ρ), to four decimals, of n tokens (given by their hashes) where r, `expected`, are wanted [C]: L = clip((3 − n/r)/2, 0,
 * 1) is 1 up to r tokens and 0 from 3r on, ρ = 1 − distinct trigrams / trigrams the share of those that are repeated; 1 of no
 * token. `scratch` holds n numbers. */
double summary_conciseness(const uint64_t *tokens, size_t n, double expected, uint64_t *scratch);

/* Who has won a vote, in the words that people and arenas write. */

enum vote_winner { WINNER_A, WINNER_B, WINNER_NONE, WINNER_BOTH_BAD, WINNER_UNKNOWN };

/* model_a, a, 1, left and their like, the model's own name; tie, draw; tie (bothbad), both bad. Letters alone of either case
 * and digits count, but for names. */
enum vote_winner winner_of(const char *word, const char *model_a, const char *model_b);
/* The words of the first kind, for messages. */
#define WINNER_WORDS                                                                               \
    "\"model_a\" or \"model_b\" (also a or b, 1 or 2, left or right, or the model's name), "       \
    "\"tie\", "                                                                                    \
    "or \"both bad\""

#endif
