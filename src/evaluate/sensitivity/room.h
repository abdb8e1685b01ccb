/* How strong would something unrecorded have to be to overturn what a log says?
 *
 * Offers: struct regression, regression_build(), robustness_of(), benchmark_of() (Cinelli and Hazlett 2020); odds_build(),
 * odds_of_change() (marginal sensitivity: Tan 2006, Zhao, Small and Bhattacharya 2019).
 * Way: regression.c sums products of two agents' rows, their outcome and what is recorded → sweep.c takes columns out of them →
 * robustness.c makes partial R² and what follows; odds.c makes histograms of outcomes by agent and bounds their weighted means.
 * Uses: base/core, evaluate/clusters, log/core, stats.
 */
#ifndef REGRET_EVALUATE_SENSITIVITY_ROOM_H
#define REGRET_EVALUATE_SENSITIVITY_ROOM_H

#include "evaluate/sensitivity/odds.h"
#include "evaluate/sensitivity/regression.h"
#include "evaluate/sensitivity/robustness.h"

#endif
