/* Experiments that show the estimators at work.
 *
 * Offers: regret/rate_study.h: distribution shift, typos, and worlds with a known truth.
 * Way: shift.c samples rows of each level and estimates them, shift_slope.c fits the line; texts.c reads texts, typos.c
 * spoils them, typos_scored.c takes rows that were scored elsewhere; world.c draws rows of a known truth.
 * Uses: base/core, base/csv, base/files, base/json, base/text, rate/estimate, rate/rows.
 */
#ifndef REGRET_RATE_STUDIES_ROOM_H
#define REGRET_RATE_STUDIES_ROOM_H

#include "regret/rate_study.h"

#endif
