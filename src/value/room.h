/* What is measured of a replicate, and what is known of a number: values of agents by direct method, doubly robust and
 * self-normalised, with cross-fitting and intervals; regret, ranks and errors; bootstrap, power, and
 * corrections for many comparisons. Numbers in, numbers out: no run, no family, no file.
 *
 * Offers: regret_value_dm() and its like with intervals and half-widths (regret/value.h), the measures of
 * regret/measure.h, regret_bootstrap(), regret_holm(), regret_two_way(), regret_detectable_difference(); and to
 * other rooms the draws of every resampling (resample.h) and the law of what surfaces miss (miss.h).
 * Way: value.c values agents; gathered.c sums a problem by context and agent → moderate.c draws variances together, miss.c
 * says what surfaces miss → intervals.c resamples the sums (bootstrap.c) or half_widths.c linearises them; measure.c, multiplicity.c, power.c,
 * two_way.c stand alone.
 * Uses: base/core, linalg/dense, stats.
 */
#ifndef REGRET_VALUE_ROOM_H
#define REGRET_VALUE_ROOM_H

#include "regret/bootstrap.h"
#include "regret/measure.h"
#include "regret/multiplicity.h"
#include "regret/power.h"
#include "regret/two_way.h"
#include "regret/value.h"
#include "value/miss.h"
#include "value/resample.h"

#endif
