/* What families are worth for what they cost, of the rows' lists by price (protocol §7): what the table and the figure
 * `costs` show.
 *
 * Offers: struct cost_board and cost_board_make().
 * Way: rows' lists over the cells and seeds of a slice (report/rows) → cost_board.c takes means by price, their hulls and
 * areas (value/costs), and what leaving out a seed does to them.
 * Uses: base/core, report/rows, results/read, value/costs.
 */
#ifndef REGRET_REPORT_COSTS_ROOM_H
#define REGRET_REPORT_COSTS_ROOM_H

#include "report/costs/cost_board.h"

#endif
