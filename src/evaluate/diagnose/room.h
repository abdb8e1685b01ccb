/* Whether a log and a trial can be trusted, asked of their rows.
 *
 * Offers: regret_diagnose(), regret_log_gaps() (regret/diagnose.h).
 * Way: diagnose.c hands a log to one file a question (gaps.c makes the table that gap_findings.c tells of) → findings.c adjusts
 * the p-values together, decides, and puts the gravest first.
 * Uses: base/core, base/text, evaluate/balance, evaluate/clusters, evaluate/copies, evaluate/sensitivity, log/core, stats, value.
 */
#ifndef REGRET_EVALUATE_DIAGNOSE_ROOM_H
#define REGRET_EVALUATE_DIAGNOSE_ROOM_H

#include "regret/diagnose.h"

#endif
