/* The agent that differences are taken to. */
#ifndef REGRET_LOG_INCUMBENT_H
#define REGRET_LOG_INCUMBENT_H

#include "regret/log.h"

/* The agent that the log names; else that of most rows of OBS or, without a log, of EXP, among those that take part
 * ([n_agents], 1: it does): chosen by its outcomes it would seem better than it is. n_agents where none takes part. */
int log_incumbent(size_t *out, const struct regret_log *log, const unsigned char *takes_part);

#endif
