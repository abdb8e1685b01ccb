/* Numbers that must be slips of somebody's pen: a few, and far beyond all others. */
#ifndef REGRET_IMPORT_SLIP_H
#define REGRET_IMPORT_SLIP_H

#include <stddef.h>

/* How many of n finite numbers are slips: of twenty numbers one at most, at least five times as large as any other, and
 * more where the others are skewed themselves, as costs and counts are. Fewer than twenty have none. x is ordered by
 * magnitude where there are slips: they are the last. O(n log n), where all are alike O(n). */
size_t slip_count(double *x, size_t n);

#endif
