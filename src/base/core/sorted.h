/* Places among ascending numbers. */
#ifndef REGRET_BASE_SORTED_H
#define REGRET_BASE_SORTED_H

#include <stddef.h>

/* How many of n ascending numbers are below x: the place of the first that is not. O(log n). */
static inline size_t sorted_below(const double *sorted, size_t n, double x)
{
    size_t low = 0;
    for (size_t high = n; low < high;) {
        size_t middle = low + (high - low) / 2;
        low = sorted[middle] < x ? middle + 1 : low;
        high = sorted[middle] < x ? high : middle;
    }
    return low;
}

#endif
