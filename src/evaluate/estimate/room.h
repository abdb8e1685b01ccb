/* A log and a trial become values, policies and a verdict.
 *
 * Offers: regret_evaluate() (regret/evaluate.h).
 * Way: struct regret_log → struct regret_evaluation.
 * Uses: base/core.
 */
#ifndef REGRET_EVALUATE_ESTIMATE_ROOM_H
#define REGRET_EVALUATE_ESTIMATE_ROOM_H

#include "regret/evaluate.h"

#endif
