/* How much agents differ: a normal prior of their means. */
#ifndef REGRET_EVALUATE_PLAN_PRIOR_H
#define REGRET_EVALUATE_PLAN_PRIOR_H

#include <stddef.h>

/* The prior normal with mean `centre` and deviation `deviation`, of n agents whose means have the errors se² (infinite: no
 * mean). The deviation is the median of its posterior under a flat prior on (0, 1/2], the centre given it. */
struct prior {
    double centre, deviation;
};
struct prior prior_fit(const double *mean, const double *se2, size_t n);

#endif
