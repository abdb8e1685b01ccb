/* What an evaluation is.
 *
 * Offers: struct regret_evaluation and regret_evaluation_free(), regret_evaluate_options_default(), names of verdicts and policies
 * (regret/evaluate.h).
 * Way: evaluate/worth and evaluate/answer fill the struct → whoever asked reads it.
 * Uses: base/core, estimate, estimate/fit, evaluate/diagnose.
 */
#ifndef REGRET_EVALUATE_CORE_ROOM_H
#define REGRET_EVALUATE_CORE_ROOM_H

#include "regret/evaluate.h"

#endif
