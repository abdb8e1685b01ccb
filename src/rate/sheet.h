/* One table in three formats, written cell by cell. */
#ifndef REGRET_RATE_SHEET_H
#define REGRET_RATE_SHEET_H

#include "regret/rate_report.h"

struct sheet_column {
    const char *name;
    int detail; /* left out of Markdown */
};

struct sheet {
    struct regret_text *out;
    enum regret_rate_format format;
    const struct sheet_column *columns;
    size_t n_columns, column, n_rows;
};

/* A document of tables: JSON needs a frame around them. */
void document_begin(struct regret_text *out, enum regret_rate_format format);
void document_end(struct regret_text *out, enum regret_rate_format format);

/* `name` is the JSON key; `title` the Markdown heading. `first` of the document? */
void sheet_begin(struct sheet *t, struct regret_text *out, enum regret_rate_format format,
                 const char *name, const char *title, int first, const struct sheet_column *columns,
                 size_t n_columns);
/* Cells, in the order of the columns; after the last one the row is over by itself. */
/* NULL: missing. Characters that could steer a terminal are escaped in every format. */
void sheet_text(struct sheet *t, const char *text);
void sheet_number(struct sheet *t, double value); /* NaN: missing */
void sheet_count(struct sheet *t, size_t value);
void sheet_end(struct sheet *t);

#endif
