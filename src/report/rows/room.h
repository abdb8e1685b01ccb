/* What is read from the rows of a run before it is a table, a figure or a sentence: cells in groups, means over cells and
 * seeds, paired differences over seeds, ranks, winners, lists by agent and context; and what is said of a run in words.
 * Every room of reports above stands on it; so does regret/report.h, which they share in implementing.
 *
 * Offers: struct slice and groups of cells with slice_estimate() and slice_paired() (slice.h); struct table_data, a run as
 * tables and figures take it; struct contenders (who recommends best), find_winner(), list_mean(),
 * regime_read(); enum report_part, where things stand in a page; slice_two_way() and sides_two_way(), differences with an interval for new contexts (lists.h); blocks of
 * a table that are about some cells; the facts of a run.
 * Way: regret_results_read() (results) → slice.c takes cells and their means → paired.c compares subjects over seeds →
 * contenders.c, winners.c, ranks.c (by resampled.c) and regime.c say what that means; lists.c reads the rows' lists and gathers what
 * contexts do to a mean; table_data.c groups cells and families; blocks.c puts keys into tables; head.c writes facts.
 * Uses: base/core, base/text, estimate, estimate/fit, experiment/replicate, report/render, results/read, stats, task/generator,
 * task/reward, value.
 */
#ifndef REGRET_REPORT_ROWS_ROOM_H
#define REGRET_REPORT_ROWS_ROOM_H

#include "regret/report.h"
#include "report/rows/blocks.h"
#include "report/rows/contenders.h"
#include "report/rows/head.h"
#include "report/rows/lists.h"
#include "report/rows/parts.h"
#include "report/rows/ranks.h"
#include "report/rows/regime.h"
#include "report/rows/slice.h"
#include "report/rows/table_data.h"
#include "report/rows/winners.h"

#endif
