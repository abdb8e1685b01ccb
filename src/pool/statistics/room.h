/* What `regret pool stats` and an import say of a pool: scores of agents, difficulty, correlations, shares of
 * variance, and outputs far outside the others.
 *
 * Offers: regret_pool_statistics() and its text and JSON, regret_pool_extremes().
 * Way: a pool → statistics.c computes → statistics_text.c prints (aligned.c: costs); extremes.c looks for what decides a whole pool.
 * Uses: base/core, base/files, base/text, pool/files, pool/grid, pool/votes.
 */
#ifndef REGRET_POOL_STATISTICS_ROOM_H
#define REGRET_POOL_STATISTICS_ROOM_H

#include "regret/pool_stats.h"

#endif
