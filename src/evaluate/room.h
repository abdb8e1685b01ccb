/* `regret evaluate`: everything that is made of a log and a trial.
 *
 * Offers: regret_evaluate() and regret_evaluation_free() (regret/evaluate.h).
 * Way: struct regret_log → evaluate/estimate makes the numbers → evaluate/answer the verdict and its sentences.
 * Uses: base/core, evaluate/answer, evaluate/estimate.
 */
#ifndef REGRET_EVALUATE_ROOM_H
#define REGRET_EVALUATE_ROOM_H

#include "regret/evaluate.h"

#endif
