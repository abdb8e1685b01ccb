/* What is gained for what is spent: policies that weigh a predicted value against a cost, and what points of cost and
 * value come to.
 *
 * Offers: regret_priced_policy(), regret_price_within(), regret_cost_hull() and what is read of a hull (regret/costs.h).
 * Way: a replicate hands surfaces and costs to costs.c, a price at a time → a report hands points of cost and value,
 * means of those, to hull.c → areas and the cost of a value.
 * Uses: nothing.
 */
#ifndef REGRET_VALUE_COSTS_ROOM_H
#define REGRET_VALUE_COSTS_ROOM_H

#include "regret/costs.h"

#endif
