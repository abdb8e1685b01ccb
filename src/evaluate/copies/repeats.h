/* Rows that stand in a log again, in sequence. */
#ifndef REGRET_EVALUATE_COPIES_REPEATS_H
#define REGRET_EVALUATE_COPIES_REPEATS_H

#include "regret/log.h"

enum { REPEATS_WINDOW = 8 /* rows in sequence that do not come again by chance */ };

/* The share of sequences of so many rows, not all of one kind, that came before: context, agent, cluster, outcome and time all the
 * same. Of at most about 2^20 sequences, chosen by their hash, *windows is the number. O(rows). */
int repeats_count(double *share, size_t *windows, const struct regret_log_rows *rows);

/* How often every row stands in the source, whatever its context is called: the greatest number that divides the counts of all
 * kinds of rows (agent, outcome, time, tag, covariates). 1 where the kinds are so few that chance may do it, or where not all
 * contexts have their covariates. Finds a table pasted or joined so that each of its rows is there k
 * times. O(rows · (covariates + log rows)). */
int repeats_times(size_t *times, const struct regret_log *of, enum regret_log_source source);

#endif
