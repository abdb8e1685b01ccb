/* Planning a trial from a log and a pilot.
 *
 * Offers: regret_trial_plan() (regret/trial_plan.h).
 * Way: pilot.c reads means and variances of cells (a tag and an agent) from the log, prior.c how much agents differ →
 * shares.c divides the rows among agents → widths.c says what n rows leave → trial_plan.c puts the plan together.
 * Uses: base/core, log/core, stats, value.
 */
#ifndef REGRET_EVALUATE_PLAN_ROOM_H
#define REGRET_EVALUATE_PLAN_ROOM_H

#include "regret/trial_plan.h"

#endif
