/* regret init --obs LOG --exp TRIAL. */
#ifndef REGRET_CLI_POOLS_INIT_LOG_H
#define REGRET_CLI_POOLS_INIT_LOG_H

#include "log/guess/guess.h"

struct init_log {
    const char *path[LOG_INPUTS]; /* NULL: not given */
    const char *config;           /* the file to write */
    struct log_known known;
    int force; /* 1: one that is there is replaced */
};

/* Writes the configuration and says what was assumed; nothing is written where the log cannot be read by it. */
int init_log(const struct init_log *o);

#endif
