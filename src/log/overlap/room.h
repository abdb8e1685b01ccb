/* Kinds of requests on which a log without a trial never has an agent: nothing says what it is worth there.
 *
 * Offers: log_find_overlap().
 * Way: features.c makes what is recorded of requests into levels (tag, covariates, the length of the text, its words) →
 * overlap.c looks through them, one by one and two by two, for parts that an agent has no rows on → there it is not on offer (log/core/offer.h),
 * and everything that is told of it is of the other requests.
 * Uses: base/core, base/text, linalg/sparse, log/core, text/features.
 */
#ifndef REGRET_LOG_OVERLAP_ROOM_H
#define REGRET_LOG_OVERLAP_ROOM_H

#include "log/overlap/overlap.h"

#endif
