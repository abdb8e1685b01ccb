/* What stands in a log more than once.
 *
 * Offers: texts_find_copies(), repeats_count().
 * Way: none; texts.c looks at contexts, repeats.c at rows.
 * Uses: base/core, base/text, log/core.
 */
#ifndef REGRET_EVALUATE_COPIES_ROOM_H
#define REGRET_EVALUATE_COPIES_ROOM_H

#include "evaluate/copies/repeats.h"
#include "evaluate/copies/texts.h"

#endif
