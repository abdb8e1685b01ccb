/* A log and a trial in memory.
 *
 * Offers: struct regret_log (regret/log.h), regret_log_free(), regret_log_source_name(); log_incumbent() (incumbent.h),
 * log_free_column(), log_free_tags() (parts.h); was_on_offer() (offer.h);
 * log_gone_find(), log_find_withdrawn(), is_withdrawn() (gone.h); as_given() and outcomes_are_alike() (given.h).
 * Way: log/read fills the struct → evaluate reads it.
 * Uses: base/core.
 */
#ifndef REGRET_LOG_CORE_ROOM_H
#define REGRET_LOG_CORE_ROOM_H

#include "log/core/given.h"
#include "log/core/gone.h"
#include "log/core/incumbent.h"
#include "log/core/offer.h"
#include "log/core/parts.h"
#include "regret/log.h"

#endif
