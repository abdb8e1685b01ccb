/* Two runs side by side: cells matched by their keys, seeds by their numbers, families by name.
 *
 * Offers: regret_report_compare().
 * Way: two runs' rows → compare.c matches them, takes paired differences over seeds, and makes a table.
 * Uses: base/core, report/cautions, report/render, report/rows, results/read, results/run.
 */
#ifndef REGRET_REPORT_COMPARE_ROOM_H
#define REGRET_REPORT_COMPARE_ROOM_H

#endif
