/* What columns of a log are. */
#ifndef LOG_ROLES_H
#define LOG_ROLES_H

#include <stddef.h>

#include "import/profile.h"
#include "log/config.h"
#include "regret/buffer.h"

/* What is known before looking; zero: nothing. */
struct log_known {
    char separator;
    const char *context, *agent, *outcome; /* columns; borrowed */
    const double *range; /* of outcomes, the worst first; borrowed; NULL: guessed */
};

#define LOG_NO_COLUMN ((size_t)-1)

struct log_guess_table {
    const char *path; /* borrowed; NULL: there is none */
    struct table_profile profile;
    size_t at[LOG_COVARIATES];    /* the column of each role; LOG_NO_COLUMN: none */
    size_t unfit[LOG_COVARIATES]; /* of none, one that is named so and holds something else */
    unsigned char *taken;         /* [n_columns] 1: it has a role; owned */
    size_t covariate[REGRET_LOG_MAX_COLUMNS]; /* columns */
    size_t n_covariates;
    char *pattern; /* of outputs with a column an agent; NULL: a row is one; owned */
    struct profile_pair
        *agents; /* [n_agents] different cells of agents, by log_guess_wide(); owned */
    size_t n_agents;
};

/* What was assigned as one, found by the rows of the trial. */
struct log_unit {
    enum { LOG_UNIT_NONE, LOG_UNIT_AGENT, LOG_UNIT_OUTCOME } why; /* what is alike within it */
    size_t column, rows;                                          /* of the table; looked at */
    size_t values, alike; /* of the column; those within which the agent is one */
    size_t others;        /* columns of which the same is true, of more values */
};

struct log_guess {
    struct log_known known;
    struct log_unit unit;
    struct log_guess_table table[LOG_INPUTS];
    struct regret_log *log; /* what reading by the guess gives; set by log_guess_try(); owned */
};

/* Looks at the tables, of which NULL are not there; at least one of OBS and EXP is. REGRET_E_INPUT: no column is who
 * answered, or how good it was; the message says what was looked for and how to name it. Free it even on failure. */
int log_guess_make(struct log_guess *out, const char *const path[LOG_INPUTS],
                   const struct log_known *known);
void log_guess_free(struct log_guess *guess);

/* Appends evaluate.json, in which each table is called as `file` has it; and what was assumed, for people. */
void log_guess_config(struct regret_buffer *out, const struct log_guess *guess,
                      const char *const file[LOG_INPUTS]);
void log_guess_explain(struct regret_buffer *out, const struct log_guess *guess);
/* Reads the log by the configuration that was written; what reading leaves out is no covariate or tag then, and log_guess_explain() says
 * what came of it. */
int log_guess_try(struct log_guess *guess, const char *config);

/* How `file` is called from the folder of `config`, to be freed: both may be relative to the working folder. */
int log_guess_file(char **out, const char *file, const char *config);
/* Internal: takes for the cluster what the rows of the trial show to be assigned as one. */
int log_guess_unit(struct log_guess *guess);
/* Internal: by its name a column came with the answer, or is known of the request. */
int log_guess_is_after(const char *name);
int log_guess_is_before(const char *name);
/* Internal, too: whether the table of outputs has columns of agents that OBS or EXP have; these are taken then. */
int log_guess_wide(struct log_guess *guess);
/* The name of the column that has the role, or the pattern of such columns; NULL where none has. */
const char *log_guess_column(const struct log_guess_table *table, enum log_field field);

#endif
