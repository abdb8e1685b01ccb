/* Tables of texts and rows in CSV, and in TSV, where quotes that RFC 4180 does not allow are text. */
#ifndef REGRET_RATE_CSV_RECORD_H
#define REGRET_RATE_CSV_RECORD_H

#include "base/csv/csv_table.h"
#include "regret/csv.h"
#include "regret/json.h"

/* ',' for a path that ends in .csv, in any case, a tab for .tsv, else 0. */
char csv_separator_of(const char *path);
/* The next record and its line, its fields checked to be UTF-8 without zero bytes; *n_fields is 0 at
 * the end of the file. */
int csv_record_next(struct regret_csv *csv, size_t *n_fields, struct regret_place *at);

#endif
