/* `init` for a log and a trial: what their columns are, and the evaluate.json that says so. */
#ifndef LOG_GUESS_H
#define LOG_GUESS_H

#include <stddef.h>

#include "import/init.h"
#include "log/config.h"
#include "regret/buffer.h"

/* What was assigned as one, found by the rows of the trial. */
struct log_unit {
    enum { LOG_UNIT_NONE, LOG_UNIT_AGENT, LOG_UNIT_OUTCOME } why; /* what is alike within it */
    int column;
    size_t values, alike; /* of the column; those within which the agent is one */
};

/* One of the tables; columns are numbers, INIT_NONE: there is none. */
struct log_guess_table {
    struct init_table table;   /* its path is NULL where there is none */
    int at[LOG_COVARIATES];    /* the column of each role */
    int unfit[LOG_COVARIATES]; /* of none, one that is named so and holds something else */
    int covariate[REGRET_LOG_MAX_COLUMNS]; /* by number of the covariate */
    double low, high;                      /* of outcomes, … */
    int direction;                         /* … of which more is better, 1, or less, -1 */
};

struct log_guess {
    struct init_known known;
    const char *outcome; /* its column, as it was said; NULL */
    struct log_guess_table of[LOG_INPUTS];
    size_t n_covariates;
    char *pattern; /* of outputs with a column an agent; NULL: a row is one; owned */
    struct log_unit unit;
    struct regret_log *log; /* what reading by the guess gives; set by log_guess_try(); owned */
};

/* Looks at the tables, of which NULL are not there; at least one of OBS and EXP is. REGRET_E_INPUT: a fault of a file, or a
 * question, which log_guess_asked() has. Free it even on failure; what `known` and the paths hold is borrowed. */
int log_guess_make(struct log_guess **out, const char *const path[LOG_INPUTS],
                   const struct init_known *known, const char *outcome);
void log_guess_free(struct log_guess *guess);
/* The table that the question is about; NULL: there is none. */
const struct init_table *log_guess_asked(const struct log_guess *guess);

/* Appends evaluate.json, in which each table is called as `file` has it; and what was assumed, for people. */
void log_guess_config(struct regret_buffer *out, const struct log_guess *guess,
                      const char *const file[LOG_INPUTS]);
void log_guess_explain(struct regret_buffer *out, const struct log_guess *guess);
/* Reads the log by the configuration that was written; what reading leaves out is no covariate or tag then, and log_guess_explain() says
 * what came of it. */
int log_guess_try(struct log_guess *guess, const char *config);

/* How `file` is called from the folder of `config`, to be freed: both may be relative to the working folder. */
int log_guess_file(char **out, const char *file, const char *config);

#endif
