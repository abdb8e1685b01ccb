/* Rows that stand twice, and trials within logs. */
#ifndef EVALUATE_REPEATS_H
#define EVALUATE_REPEATS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/evaluate.h"

/* Rows that stand in a log again, in sequence. */

enum { REPEATS_WINDOW = 8 /* rows in sequence that do not come again by chance */ };

/* The share of sequences of so many rows, not all of one kind, that came before: context, agent, cluster, outcome and time all the
 * same. Of at most about 2^20 sequences, chosen by their hash, *windows is the number. O(rows). */
int repeats_count(double *share, size_t *windows, const struct regret_log_rows *rows);

/* How often every row stands in the source, whatever its context is called: the greatest number that divides the counts of all
 * kinds of rows (agent, outcome, time, tag, covariates). 1 where the kinds are so few that chance may do it, or where not all
 * contexts have their covariates. Finds a table pasted or joined so that each of its rows is there k
 * times. O(rows · (covariates + log rows)). */
int repeats_times(size_t *times, const struct regret_log *of, enum regret_log_source source);

/* Contexts with the same text. */

/* first[x] of every context: the first one with the same text, ASCII letters made small and white space made one blank, none at the
 * ends; x itself where it has none. *n_texts: contexts with a text. Texts are told by 64-bit hashes. O(bytes). */
int texts_find_copies(uint32_t *first, size_t *n_texts, const struct regret_log *log);

/* Rows of the trial that are rows of the log as well. */

struct same_rows {
    size_t
        n; /* rows of EXP of which OBS has one that says the same: context, agent, cluster, outcome and time */
    double share; /* of EXP's rows that are copies; 0: no more are alike than chance makes */
    uint64_t exp_line, obs_line; /* the first such rows; 0: only their sequence tells */
};

/* Of a context that both have, chance gives the agent of the log with a known probability, and with it perhaps the same outcome: what
 * is alike beyond that is copied. Where all contexts have rows of all agents this says nothing, and rows in sequence do. Contexts are
 * compared by their names and, for copies may have others or none, by all that they are told by (text, tag, covariates): what finds
 * more copies counts. Both sources have rows. O(rows). */
int same_rows_count(struct same_rows *out, const struct regret_log *log);

#endif
