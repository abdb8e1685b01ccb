/* What stands in a log more than once.
 *
 * Offers: texts_find_copies(), repeats_count(), repeats_times(), same_rows_count().
 * Way: none; texts.c looks at contexts, repeats.c at rows of one source, same_rows.c at those of both.
 * Uses: base/core, base/text, log/core.
 */
#ifndef REGRET_EVALUATE_COPIES_ROOM_H
#define REGRET_EVALUATE_COPIES_ROOM_H

#include "evaluate/copies/repeats.h"
#include "evaluate/copies/same_rows.h"
#include "evaluate/copies/texts.h"

#endif
