/* What everything stands on: error codes with a message on the thread and how they travel up, memory that says what
 * it was for (texts_free(): arrays of texts), threads over a range of jobs, streams of random numbers, hashes, quantiles and the χ² distribution, time that only goes
 * forward.
 *
 * Offers: regret_fail() and TRY, regret_calloc() and the like, regret_parallel_for(), gather_rows(), regret_stop_check(), regret_rng_at(),
 * regret_hash64(), struct id_table (the number of a name), struct names (such a table with its names), sticky_append() for things built with a sticky error, sorted_below(), FOR_EACH_PROCESSOR.
 * Way: none; every file stands by itself over status.c and alloc.c.
 * Uses: nothing.
 */
#ifndef REGRET_BASE_CORE_ROOM_H
#define REGRET_BASE_CORE_ROOM_H

#include "base/core/chi_square.h"
#include "base/core/clock.h"
#include "base/core/digest.h"
#include "base/core/gather.h"
#include "base/core/id_table.h"
#include "base/core/names.h"
#include "base/core/processor.h"
#include "base/core/sorted.h"
#include "base/core/sticky.h"
#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"
#include "regret/parallel.h"
#include "regret/quantile.h"
#include "regret/rng.h"
#include "regret/status.h"
#include "regret/stop.h"

#endif
