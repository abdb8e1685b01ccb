/* How sure numbers are: the one place of limits and of the distributions that they come from. Numbers in, numbers out.
 *
 * Offers: regret_student_cdf(), regret_student_quantile() (regret/student.h), beta_quantile() (distributions.h), limits of means of outcomes of a
 * known range, of their differences, and of heavy tails (limits.h).
 * Way: distributions.c has the incomplete beta function and Student's t → limits.c makes limits of them.
 * Uses: nothing.
 */
#ifndef REGRET_STATS_ROOM_H
#define REGRET_STATS_ROOM_H

#include "regret/student.h"
#include "stats/distributions.h"
#include "stats/limits.h"

#endif
