/* What the readers of rows share: JSONL and JSON documents (read.c) and tables (read_csv.c). */
#ifndef REGRET_RATE_READING_H
#define REGRET_RATE_READING_H

#include "rate/read/row.h"
#include "regret/rate.h"

/* What all the files of one call share. */
struct reading {
    struct regret_rate_rows *rows;
    const struct regret_rate_read_options *options;
    struct row_reader reader;
    size_t number; /* of the row in its file, from 1 */
    char id[32];   /* of a row that is known by its number */
};

/* Adds the reader's row, which stands at `line` of the last file. */
int reading_add(struct reading *r, size_t line);
/* What to do about a row that cannot be read: REGRET_OK where it is to be skipped, and is noted, or
 * else rc. */
int reading_pass_over(struct reading *r, int rc, size_t line);

#endif
