/* Rows in a table of CSV or TSV. */
#ifndef REGRET_RATE_READ_CSV_H
#define REGRET_RATE_READ_CSV_H

#include "rate/read/reading.h"

/* All rows of a table; its columns are in regret/rate.h. */
int read_table(struct reading *r, const char *path, char separator);

#endif
