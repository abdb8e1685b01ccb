/* Linear mixed models of a few variance components, chosen by restricted maximum likelihood.
 *
 * Offers: struct mixed_model, mixed_choose(), mixed_solve().
 * Way: alike.c rotates entries that are alike into as many as there are columns → whitened.c takes the intercepts of groups,
 * the effects of entries and the noise out of a model in closed form → mixed_model.c factorises what is left, solves it, and climbs the restricted likelihood.
 * Uses: base/core, linalg/dense.
 */
#ifndef REGRET_LINALG_MIXED_ROOM_H
#define REGRET_LINALG_MIXED_ROOM_H

#include "linalg/mixed/mixed_model.h"

#endif
