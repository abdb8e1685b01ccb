/* Numbers that must be slips of somebody's pen: a few, and far beyond all others; or codes for "none". */
#ifndef REGRET_IMPORT_SLIP_H
#define REGRET_IMPORT_SLIP_H

#include <stddef.h>

/* How many of n finite numbers are slips: of twenty numbers one at most, at least five times as large as any other, and
 * more where the others are skewed themselves, as costs and counts are; or however many that are a code and apart from the others, as -1 is
 * from shares. Fewer than twenty have none. x is reordered: slips are the last. O(n log n), where all are alike O(n). */
size_t slip_count(double *x, size_t n);
/* -1, -9, 99, -99, 999 …, by which people say that there is none. */
int slip_is_code(double x);

#endif
