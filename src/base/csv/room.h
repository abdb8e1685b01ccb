/* CSV by RFC 4180, streamed from a file or a function: the one reader of tables that the importers, the rows of
 * attribute effects and predictions share; and CSV as it is written for spreadsheets.
 *
 * Offers: regret_csv_open() and regret_csv_next(); csv_table_open() and csv_table_next() for tables of others, TSV
 * as it is in the wild, fields checked to be text; regret_csv_guard().
 * Way: csv.c scans one record into fields (csv_bytes.h finds the bytes that matter) → csv_table.c checks them and
 * their place; what a field means is the caller's: import/table/table_cell.h, rate/rows.
 * Uses: base/core, base/files, base/json, base/text.
 */
#ifndef REGRET_BASE_CSV_ROOM_H
#define REGRET_BASE_CSV_ROOM_H

#include "base/csv/csv_table.h"
#include "regret/csv.h"

#endif
