/* Outcomes: on the scale that they were given on, and whether they differ. */
#ifndef REGRET_LOG_GIVEN_H
#define REGRET_LOG_GIVEN_H

#include "regret/log.h"

/* 1 where rows have one outcome, all of them, by which nothing tells agents apart. */
static inline int outcomes_are_alike(const struct regret_log_rows *rows)
{
    size_t i = 1;
    while (i < rows->n && !(rows->outcome[i] < rows->outcome[0]) &&
           !(rows->outcome[i] > rows->outcome[0])) {
        i++;
    }
    return i >= rows->n;
}

/* A difference of two outcomes of [0,1], and an outcome: of those of which less is better, high is below low. */
static inline double gap_as_given(const struct regret_log *log, double d)
{
    return (log->high - log->low) * d;
}

/* The bounds of such a difference, the lower first. */
static inline void bounds_of_gap(const struct regret_log *log, double *low, double *high)
{
    double ends[2] = {gap_as_given(log, *low), gap_as_given(log, *high)};
    int is_turned = log->high < log->low;
    *low = ends[is_turned];
    *high = ends[!is_turned];
}

static inline double as_given(const struct regret_log *log, double y)
{
    return log->low + gap_as_given(log, y);
}

#endif
