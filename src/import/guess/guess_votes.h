/* Tables of votes recognised: two models and who has won. */
#ifndef REGRET_IMPORT_GUESS_VOTES_H
#define REGRET_IMPORT_GUESS_VOTES_H

#include "import/guess/profile.h"
#include "regret/buffer.h"

struct table_guess;

struct guess_votes {
    int is_found;
    size_t model[2];             /* columns */
    size_t winner[4], n_winners; /* one of words, or flags of model_a, model_b, tie, both bad */
    char *text[2];               /* fields of the answers; NULL: none; owned, as are the next two */
    char *context, *prompt; /* fields of id and text: the same where the text tells prompts apart */
    size_t tag;             /* a column; GUESS_NO_COLUMN: none */
    size_t blank, unknown;  /* rows without a winner, and with one that is not understood, … */
    char example[40];       /* … the first of these */
};

/* Looks for two columns of models and one that says who has won: with all of it, guess->votes.is_found, and the numbers of
 * contexts, agents and pairs are set. `path` is read once more. REGRET_E_INPUT: it is a table of votes, but lacks a prompt,
 * or winners that are understood. */
int guess_votes_find(struct table_guess *guess, const char *path);
void guess_votes_free(struct guess_votes *votes);

/* Append what stands behind "columns": { in the map, and what was assumed, for people. */
void guess_votes_map(struct regret_buffer *out, const struct table_guess *guess);
void guess_votes_explain(struct regret_buffer *out, const struct table_guess *guess);

#endif
