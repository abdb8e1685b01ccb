/* The table of a planned trial.
 *
 * Offers: regret_report_trial_plan() (regret/report.h).
 * Way: struct regret_trial_plan → trial_table.c → report/render.
 * Uses: base/core, evaluate/plan, report/render, report/rows.
 */
#ifndef REGRET_REPORT_TRIAL_ROOM_H
#define REGRET_REPORT_TRIAL_ROOM_H

#endif
