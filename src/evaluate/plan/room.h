/* Planning a trial from a log and a pilot.
 *
 * Offers: regret_trial_plan() and regret_anytime_half_width() (regret/trial_plan.h).
 * Way: pilot.c reads means and variances of cells (a tag and an agent) from the log → shares.c divides the rows, by
 * information.c where by what they are worth, with the integral of expected_max.c → widths.c says what n rows leave,
 * looks.c how often they would be stopped, by anytime.c → trial_plan.c puts the plan together.
 * Uses: base/core, log/core, stats, value.
 */
#ifndef REGRET_EVALUATE_PLAN_ROOM_H
#define REGRET_EVALUATE_PLAN_ROOM_H

#include "regret/trial_plan.h"

#endif
