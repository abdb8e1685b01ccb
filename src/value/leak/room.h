/* Whether a predictor has seen what was held out, asked of its errors alone.
 *
 * Offers: leak_probability().
 * Way: a replicate hands errors by context and agent to leak.c, which sums them over training and held-out contexts, and
 * says how likely so little is left of them.
 * Uses: base/core.
 */
#ifndef REGRET_VALUE_LEAK_ROOM_H
#define REGRET_VALUE_LEAK_ROOM_H

#include "value/leak/leak.h"

#endif
