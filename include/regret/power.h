/* How small a difference of means a comparison can see, and how much data a wanted one needs. */
#ifndef REGRET_POWER_H
#define REGRET_POWER_H

#include <stddef.h>

#include "regret/status.h"

/* The least detectable difference: a true mean difference of this size is found different from zero
 * by a two-sided t test of the given size, .05, with at least the given power, .8, when its estimate has
 * the standard error `se` with `df` degrees of freedom. (t_{1−size/2,df} + t_{power,df}) · se: the
 * usual approximation of the noncentral t (Bloom, "Minimum detectable effects", Evaluation Review 19,
 * 1995), 1.2 % below the exact one at df 4 and within .2 % of it from df 9 on. NaN where a quantile is. */
REGRET_API double regret_detectable_difference(double se, double df, double size, double power);

/* The fewest independent observations, 2 to `most`, whose mean detects a difference as small as that: the
 * least n with regret_detectable_difference(sd / sqrt(n), n − 1, size, power) <= difference, `sd` the
 * deviation of one. 0 when `most` are too few, or the difference is not above 0 or sd no number.
 * O(log most). */
REGRET_API size_t regret_observations_needed(double sd, double difference, double size,
                                             double power, size_t most);

/* The upper end of a one-sided confidence interval of a deviation that was estimated as `sd` with `df`
 * degrees of freedom from normal observations: sd·sqrt(df / χ²_{1−confidence,df}). A pilot's deviation is
 * as often too small as too large, and one planned by it misses its power half of the time; the bound is
 * what to plan with to be on the safe side (Browne, Statistics in Medicine 14, 1995,
 * doi:10.1002/sim.4780141709). The quantile of χ² is that of Wilson and Hilferty (1931): the bound is
 * within .5 % of the exact one from df 2 on at confidence .8. NaN of df < 1. */
REGRET_API double regret_deviation_bound(double sd, double df, double confidence);

#endif
