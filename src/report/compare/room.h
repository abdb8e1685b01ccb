/* Two runs side by side: cells matched by their keys, seeds by their numbers, families by name.
 *
 * Offers: regret_report_compare() and regret_report_compare_draw().
 * Way: two runs' rows → compare.c matches them, takes paired differences over seeds, and makes a table or a chart.
 * Uses: base/core, chart, report/cautions, report/figures, report/render, report/rows, results/read, results/run.
 */
#ifndef REGRET_REPORT_COMPARE_ROOM_H
#define REGRET_REPORT_COMPARE_ROOM_H

#endif
