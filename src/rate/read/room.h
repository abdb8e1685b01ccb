/* Files of rows into the table, and the table back into a file.
 *
 * Offers: regret_rate_read() and regret_rate_write_rows() (regret/rate.h).
 * Way: read.c tells by name and content what a file is → JSONL by line, or one document whose rows document.c finds →
 * row.c makes a struct regret_rate_row of the text, value by value (values.c), without a tree; read_csv.c makes one of a
 * record → reading.c gives it the names it lacks and adds it to rate/rows. write_rows.c writes JSONL.
 * Uses: base/core, base/csv, base/files, base/json, base/text, rate/rows.
 */
#ifndef REGRET_RATE_READ_ROOM_H
#define REGRET_RATE_READ_ROOM_H

#endif
