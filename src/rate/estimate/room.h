/* Attribute effects with their standard errors, intervals and bootstrap.
 *
 * Offers: regret_rate_estimate() (regret/rate.h); for the rooms above, clusters of rows (clusters.h), the rows of one
 * reward model side by side (columns.h), estimates as sums over clusters (influence.h), rows linked across groups
 * (units.h) and sums that lose nothing (summation.h).
 * Way: clusters.c sorts rows by group and numbers their clusters → columns.c gathers one reward model's rows →
 * influence.c makes each effect a sum over clusters, with CR2 and Satterthwaite's degrees of freedom → estimate.c fills
 * the estimates, estimate_bootstrap.c their bootstrap. units.c visits them once more for those that compare.
 * Uses: base/core, rate/rows, stats, value.
 */
#ifndef REGRET_RATE_ESTIMATE_ROOM_H
#define REGRET_RATE_ESTIMATE_ROOM_H

#include "rate/estimate/clusters.h"
#include "rate/estimate/columns.h"
#include "rate/estimate/influence.h"
#include "rate/estimate/summation.h"
#include "rate/estimate/units.h"

#endif
