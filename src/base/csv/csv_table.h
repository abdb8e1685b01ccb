/* How tables of others are opened: TSV in the wild has quotes that RFC 4180 does not allow, and they are text. */
#ifndef REGRET_BASE_CSV_TABLE_H
#define REGRET_BASE_CSV_TABLE_H

#include "regret/csv.h"

/* regret_csv_open() with a separator; of tabs with stray quotes. */
int csv_table_open(struct regret_csv **out, const char *path, char separator);

#endif
