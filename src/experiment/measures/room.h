/* How good the fits of a replicate are on what was held out, beside rules without an estimator.
 *
 * Offers: measures_take(), baselines_*, observed_*, curves_*; the values that the steps of a replicate hand on (steps.h).
 * Way: surfaces.c has what agents are worth on contexts; baselines.c and, of votes, strengths.c say what simple rules take agents to be worth → measures.c scores families and baselines,
 * observed.c where pairs are unobserved, patch_fit.c by statistics of patches, leaks.c whether a family of one's own
 * has seen what was held out → curves.c has value and cost by price.
 * Uses: base/core, estimate/fit, estimate/proxy, experiment/config, experiment/external, experiment/inputs, experiment/pool, pool/grid,
 * pool/votes, results/row, task/reward, text/patch, value, value/costs, value/judged, value/leak, value/strength.
 */
#ifndef REGRET_EXPERIMENT_MEASURES_ROOM_H
#define REGRET_EXPERIMENT_MEASURES_ROOM_H

#include "experiment/measures/baselines.h"
#include "experiment/measures/curves.h"
#include "experiment/measures/measures.h"
#include "experiment/measures/observed.h"
#include "experiment/measures/steps.h"
#include "experiment/measures/surfaces.h"

#endif
