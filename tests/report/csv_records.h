/* A small RFC 4180 reader, so that the tests read what a user's tools would read. */
#ifndef CSV_RECORDS_H
#define CSV_RECORDS_H

#include <stddef.h>

struct csv_records {
    char ***fields; /* fields[record][field] */
    size_t *widths; /* fields of each record */
    size_t n;
};

struct csv_records csv_parse(const char *text);
void csv_free(struct csv_records *c);

/* Of a table in long form: the record of (block, row, column), or -1. */
long csv_find(const struct csv_records *c, const char *block, const char *row, const char *column);

/* The same in whichever block has it first. */
long csv_find_row(const struct csv_records *c, const char *row, const char *column);

/* Its number ("value" or "se"); NaN where empty; the test fails where there is no such record. */
double csv_value(const struct csv_records *c, const char *block, const char *row,
                 const char *column);
double csv_se(const struct csv_records *c, const char *block, const char *row, const char *column);
const char *csv_text(const struct csv_records *c, const char *block, const char *row,
                     const char *column);

#endif
