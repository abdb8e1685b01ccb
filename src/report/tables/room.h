/* The tables of a report: each is an entry of data in tables.c, which names its title, its blocks, lines and notes, and
 * what a run must have for it. A new one is an entry; what an entry cannot say is a part in a file of its own.
 *
 * Offers: table_make(), the table of a name; the public regret_report_tables(), regret_report_table()
 * and regret_report_power(); how small a difference a run can tell (detectable.h); who is best by
 * tag in the pool itself (means.h).
 * Way: table_data of the run (report/rows) → tables.c finds the entry → spec_table.c makes blocks of it, cell by cell by
 * line.c → parts: table_means.c by means.c, table_summary.c, table_winners.c, table_tags.c, table_costs.c, table_tuning.c, detectable.c → report/render. table_power.c is the table of `regret plan`.
 * Uses: base/core, base/text, estimate, estimate/fit, experiment/config, report/costs, report/render,
 * report/rows, results/read, results/row, stats, value.
 */
#ifndef REGRET_REPORT_TABLES_ROOM_H
#define REGRET_REPORT_TABLES_ROOM_H

#include "report/tables/detectable.h"
#include "report/tables/means.h"
#include "report/tables/spec.h"

#endif
