/* The ranking of the families in lines for a terminal, with bars where there is room.
 *
 * Offers: regret_report_ranking().
 * Way: who is best by tag (report/tables) and contenders over all cells (report/rows) →
 * terminal.c lays out names, numbers and bars by the width.
 * Uses: base/core, base/text, report/cautions, report/rows, report/tables.
 */
#ifndef REGRET_REPORT_TERMINAL_ROOM_H
#define REGRET_REPORT_TERMINAL_ROOM_H

#endif
