/* The schema: one line of results, its numbers, words and lists, and the names of the files that hold such lines.
 *
 * Offers: regret/results.h (what results are); struct row, row_write() and row_read_*; row_lists_*; row_file_*.
 * Way: a replicate fills struct row → row.c writes it as a line of a file that row_file.c names → row.c and
 * row_lists.c read such a line.
 * Uses: base/core, base/files, base/json, base/text, value/costs.
 */
#ifndef REGRET_RESULTS_ROW_ROOM_H
#define REGRET_RESULTS_ROW_ROOM_H

#include "regret/results.h"
#include "results/row/row.h"
#include "results/row/row_file.h"
#include "results/row/row_lists.h"

#endif
