#include <math.h>

#include "evaluate/answer/answer.h"

static double within(double x, double least)
{
    return x < least ? least : x > 1.0 ? 1.0 : x;
}

/* On the scale that was given, and within it: values of corrected surfaces may be outside, as no mean of outcomes is (protocol §13). */
static struct regret_valued scaled(const struct regret_log *log, const struct regret_valued *v,
                                   double add, double least)
{
    double low = within(v->low, least), high = within(v->high, least);
    bounds_of_gap(log, &low, &high);
    return (struct regret_valued){.value = add + gap_as_given(log, within(v->value, least)),
                                  .error = fabs(gap_as_given(log, v->error)),
                                  .df = v->df,
                                  .low = add + low,
                                  .high = add + high,
                                  .rows = v->rows};
}

struct regret_valued value_as_given(const struct regret_log *log, const struct regret_valued *v)
{
    return scaled(log, v, log->low, 0.0);
}

struct regret_valued difference_as_given(const struct regret_log *log,
                                         const struct regret_valued *v)
{
    return scaled(log, v, 0.0, -1.0);
}

struct regret_valued bounds_as_given(const struct regret_log *log,
                                     const struct regret_agent_value *agent)
{
    const struct regret_valued bounds = {.low = agent->simultaneous_low,
                                         .high = agent->simultaneous_high};
    return scaled(log, &bounds, 0.0, -1.0);
}
