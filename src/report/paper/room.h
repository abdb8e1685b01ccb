/* What the paper prints, as data (data/paper, built in), and a run held against it or against a file of the user's own.
 *
 * Offers: struct sheet, a CSV of short texts with errors by file and line; struct shape, which runs a table or a view is
 * about; the tables of the paper and their numbers (published.h); against_read() and put_against(), a run beside them.
 * Way: sheet.c reads a CSV into records → shape.c, paper_tables.c and published.c make shapes, the paper's tables and
 * numbers of them → against.c chooses those that the run has the shape of → against_numbers.c puts the run's number
 * beside each, with its interval → against_order.c compares places, winners and signs → table_against.c shows it all.
 * Uses: base/core, base/csv, base/json, base/text, estimate, experiment/config, report/render, report/rows,
 * results/read, results/row, value.
 */
#ifndef REGRET_REPORT_PAPER_ROOM_H
#define REGRET_REPORT_PAPER_ROOM_H

#include "report/paper/against.h"
#include "report/paper/published.h"
#include "report/paper/shape.h"
#include "report/paper/sheet.h"

#endif
