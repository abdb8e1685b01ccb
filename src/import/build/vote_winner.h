/* Who has won a vote, in the words that people and arenas write. */
#ifndef REGRET_IMPORT_VOTE_WINNER_H
#define REGRET_IMPORT_VOTE_WINNER_H

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
