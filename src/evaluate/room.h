/* `regret evaluate`: everything that is made of a log and a trial.
 *
 * Offers: regret_evaluate() and regret_evaluate_options_read().
 * Way: struct regret_log → evaluate/estimate makes the surfaces, evaluate/worth the numbers of them, evaluate/diagnose
 * questions the log → evaluate/answer makes the verdict and its sentences.
 * Uses: base/core, base/json, estimate, evaluate/answer, evaluate/core, evaluate/diagnose, evaluate/worth, experiment/config,
 * linalg/dense, log/read.
 */
#ifndef REGRET_EVALUATE_ROOM_H
#define REGRET_EVALUATE_ROOM_H

#endif
