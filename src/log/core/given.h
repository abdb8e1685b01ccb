/* Outcomes on the scale that they were given on. */
#ifndef REGRET_LOG_GIVEN_H
#define REGRET_LOG_GIVEN_H

#include "regret/log.h"

/* A difference of two outcomes of [0,1], and an outcome: of those of which less is better, high is below low. */
static inline double gap_as_given(const struct regret_log *log, double d)
{
    return (log->high - log->low) * d;
}

static inline double as_given(const struct regret_log *log, double y)
{
    return log->low + gap_as_given(log, y);
}

#endif
