/* Whether a log and a trial can be trusted, asked of their rows.
 *
 * Offers: regret_diagnose(), regret_log_gaps() (regret/diagnose.h).
 * Way: a log → one file a question → entries with verdicts → diagnose.c adjusts their p-values together and puts the gravest first.
 * Uses: nothing.
 */
#ifndef REGRET_EVALUATE_DIAGNOSE_ROOM_H
#define REGRET_EVALUATE_DIAGNOSE_ROOM_H

#include "regret/diagnose.h"

#endif
