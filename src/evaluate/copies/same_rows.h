/* Rows of the trial that are rows of the log as well. */
#ifndef REGRET_EVALUATE_COPIES_SAME_ROWS_H
#define REGRET_EVALUATE_COPIES_SAME_ROWS_H

#include "regret/log.h"

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
