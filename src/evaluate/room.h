/* `regret evaluate`: everything that is made of a log and a trial.
 *
 * Offers: regret_evaluate() and regret_evaluation_free() (regret/evaluate.h).
 * Way: struct regret_log → evaluate/estimate makes the surfaces, evaluate/worth the numbers of them, evaluate/diagnose
 * questions the log → evaluate/answer makes the verdict and its sentences.
 * Uses: base/core, evaluate/answer, evaluate/diagnose, evaluate/worth.
 */
#ifndef REGRET_EVALUATE_ROOM_H
#define REGRET_EVALUATE_ROOM_H

#include "regret/evaluate.h"

#endif
