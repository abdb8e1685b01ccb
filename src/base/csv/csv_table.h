/* Tables of others, in CSV or TSV: TSV in the wild has quotes that RFC 4180 does not allow, and they are text. */
#ifndef REGRET_BASE_CSV_TABLE_H
#define REGRET_BASE_CSV_TABLE_H

#include "regret/csv.h"
#include "regret/json.h"

/* ',' for a path that ends in .csv, in any case, a tab for .tsv, else 0. */
char csv_separator_of(const char *path);
/* regret_csv_open() with a separator; of tabs with stray quotes. */
int csv_table_open(struct regret_csv **out, const char *path, char separator);
/* The same where blanks around a field are none of it: of ids and numbers, not of texts that are looked at by the letter. */
int csv_table_open_trimmed(struct regret_csv **out, const char *path, char separator);
/* The next record and its line, its fields checked to be UTF-8 without zero bytes; *n_fields is 0 at
 * the end of the file. */
int csv_table_next(struct regret_csv *csv, size_t *n_fields, struct regret_place *at);
/* 1 after a quote that is opened and never closed: all behind it, perhaps many rows, was read as one field. */
int csv_is_unclosed(const struct regret_csv *csv);

#endif
