/* Agents compared within requests, of which each has answered some.
 *
 * Offers: within_make(), within_gain(), within_level_se() (within.h).
 * Way: scores by request and agent → within.c finds who can be compared in each stratum, solves for agents' effects, and keeps
 * the influence of every request on them.
 * Uses: base/core, linalg/dense.
 */
#ifndef REGRET_VALUE_WITHIN_ROOM_H
#define REGRET_VALUE_WITHIN_ROOM_H

#include "value/within/within.h"

#endif
