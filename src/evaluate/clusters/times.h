/* Times as places in their order. */
#ifndef REGRET_EVALUATE_CLUSTERS_TIMES_H
#define REGRET_EVALUATE_CLUSTERS_TIMES_H

#include <stddef.h>

/* The order of a source's times: sorted, every k-th of them where there are more than 2^16. */
struct time_order {
    double *sorted; /* [n] */
    size_t n;
};

/* Of times[0..n), those that are NaN left out. */
int time_order_build(struct time_order *out, const double *times, size_t n);
void time_order_free(struct time_order *order);

/* The share of times before `time`, those at it counted half: 0 to 1; NaN of a NaN. O(log n). */
double time_place(const struct time_order *order, double time);

#endif
