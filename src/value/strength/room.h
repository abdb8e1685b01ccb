/* How strong agents are, from votes between two of them: the model of Bradley and Terry.
 *
 * Offers: regret_bradley_terry_fit() (regret/bradley_terry.h); θ alone, drawn to what is known of it (strength.h);
 * parts of agents that nothing joins, and chains of wins (parts.h).
 * Way: compared.c numbers the agents with votes and refuses parts (parts.c) that no vote joins → bradley_terry.c finds θ by Newton's
 * method by the derivatives of information.c → uncertainty.c makes its variances, intervals and ranks.
 * Uses: base/core, base/text, linalg/dense, stats.
 */
#ifndef REGRET_VALUE_STRENGTH_ROOM_H
#define REGRET_VALUE_STRENGTH_ROOM_H

#include "regret/bradley_terry.h"
#include "value/strength/parts.h"
#include "value/strength/strength.h"

#endif
