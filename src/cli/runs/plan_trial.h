/* `regret plan` of a trial. */
#ifndef REGRET_CLI_RUNS_PLAN_TRIAL_H
#define REGRET_CLI_RUNS_PLAN_TRIAL_H

#include "cli/terminal/cli.h"
#include "regret/format.h"

/* What is asked. Lists are numbers and names as they were given. */
struct plan_trial_call {
    const char *config, *incumbent;
    size_t rows;
    double half_width; /* NaN: not wanted */
    struct cli_list grid, agents;
};
#define PLAN_TRIAL_CALL_INIT                                                                       \
    {                                                                                              \
        .half_width = NAN                                                                          \
    }

/* Its options, an entry each of a table of struct cli_option. */
#define PLAN_TRIAL_OPTIONS(call)                                                                   \
    {"rows", 'n', CLI_SIZE, &(call)->rows, "N", "of the trial that is planned (default 1000)",     \
     2,      1e12},                                                                                \
        {"at",     0,                                                                              \
         CLI_LIST, &(call)->grid,                                                                  \
         "N",      "tell of so many rows, too; may be given many times",                           \
         0,        0},                                                                             \
        {"agent", 0, CLI_LIST, &(call)->agents, "NAME", "an agent that takes part (default: all)", \
         0,       0},                                                                              \
        {"incumbent", 0,                                                                           \
         CLI_STRING,  &(call)->incumbent,                                                          \
         "NAME",      "the agent that others are held against",                                    \
         0,           0},                                                                          \
    {                                                                                              \
        "half-width", 'w', CLI_DOUBLE, &(call)->half_width, "W",                                   \
            "how sure differences to the incumbent shall be, +-W", 0, 0                            \
    }

/* 1 where the file is JSON with "obs" or "exp" at its top, and so for `regret evaluate`. What cannot be read, but for want of
 * memory, is left to whoever reads it in earnest. */
int plan_trial_is_config(int *is_one, const char *path);
int plan_trial_is_asked(const struct plan_trial_call *call); /* 1: any of its options was given */
/* Prints it; returns the exit code. */
int plan_trial(const struct plan_trial_call *call, enum regret_format format);

#endif
