/* Experiments that show the estimators at work, and the example set. Rewriter and reward models are simulated.
 *
 * Offers: regret/rate_study.h: distribution shift, typos, worlds with a known truth, predicted labels in them, and
 * regret_rate_example().
 * Way: shift.c samples rows of each level and estimates them, shift_slope.c fits the line; texts.c reads texts, typos.c
 * spoils and scores them (simulated.c), typos_scored.c takes rows that were scored elsewhere; world.c draws rows of a
 * known truth, world_predicted.c hides labels of them; corpus.c and simulated.c make what example.c writes.
 * Uses: base/core, base/csv, base/files, base/json, base/text, rate/estimate, rate/labels, rate/rows, stats.
 */
#ifndef REGRET_RATE_STUDIES_ROOM_H
#define REGRET_RATE_STUDIES_ROOM_H

#include "regret/rate_study.h"

#endif
