/* A pool's scores, drawn closer or pushed apart: between contexts, between agents, inside a context, and by noise
 * that nothing predicts.
 *
 * Offers: regret_pool_spread(); struct spread_pool, the same of a pool that stays as it is.
 * Way: a pool → spread.c takes the means of contexts and agents, component by component → new scores, and how many
 * of them had to be moved into their range.
 * Uses: base/core, pool/files.
 */
#ifndef REGRET_POOL_SPREAD_ROOM_H
#define REGRET_POOL_SPREAD_ROOM_H

#include "pool/spread/spread.h"
#include "regret/spread.h"

#endif
