/* How small a difference of regret a run can tell from none. */
#ifndef REGRET_REPORT_DETECTABLE_H
#define REGRET_REPORT_DETECTABLE_H

#include "report/rows/ranks.h"

/* The test that is meant, two-sided, and how often it shall find a difference that is there. */
#define DETECTABLE_SIZE 0.05
#define DETECTABLE_POWER 0.8

/* Two families and what their paired difference over seeds scatters by. */
struct family_pair {
    size_t a, b;           /* the one of lower mean regret first; equals in the run's order */
    struct paired moments; /* of a less b, without an interval */
};

/* Every pair of the ranked families over the slice's cells: the best with the second, the third, …, then
 * the second with the third. Free *out. */
int family_pairs(struct family_pair **out, size_t *n, const struct slice *s,
                 const struct ranking *ranking);

/* The deviation of the pair's differences over seeds. */
double pair_deviation(const struct family_pair *pair);
/* The least difference that many seeds detect (regret/power.h); NaN of fewer than two. */
double detectable_with(double deviation, size_t seeds);

#endif
