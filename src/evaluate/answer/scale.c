#include <math.h>

#include "evaluate/answer/answer.h"

double as_given(const struct regret_log *log, double y)
{
    return log->low + gap_as_given(log, y);
}

double gap_as_given(const struct regret_log *log, double d)
{
    return (log->high - log->low) * d;
}

static struct regret_valued scaled(const struct regret_log *log, const struct regret_valued *v,
                                   double add)
{
    double low = add + gap_as_given(log, v->low), high = add + gap_as_given(log, v->high);
    int is_turned = log->high < log->low;
    return (struct regret_valued){.value = add + gap_as_given(log, v->value),
                                  .error = fabs(gap_as_given(log, v->error)),
                                  .df = v->df,
                                  .low = is_turned ? high : low,
                                  .high = is_turned ? low : high};
}

struct regret_valued value_as_given(const struct regret_log *log, const struct regret_valued *v)
{
    return scaled(log, v, log->low);
}

struct regret_valued difference_as_given(const struct regret_log *log,
                                         const struct regret_valued *v)
{
    return scaled(log, v, 0.0);
}

struct regret_valued bounds_as_given(const struct regret_log *log,
                                     const struct regret_agent_value *agent)
{
    const struct regret_valued bounds = {.low = agent->simultaneous_low,
                                         .high = agent->simultaneous_high};
    return scaled(log, &bounds, 0.0);
}
