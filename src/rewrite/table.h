/* One table in three formats, written cell by cell. */
#ifndef REGRET_REWRITE_TABLE_H
#define REGRET_REWRITE_TABLE_H

#include "regret/rewrite_report.h"

struct table_column {
    const char *name;
    int detail; /* left out of Markdown */
};

struct table {
    struct regret_text *out;
    enum regret_table_format format;
    const struct table_column *columns;
    size_t n_columns, column, n_rows;
};

/* A document of tables: JSON needs a frame around them. */
void document_begin(struct regret_text *out, enum regret_table_format format);
void document_end(struct regret_text *out, enum regret_table_format format);

/* `name` is the JSON key; `title` the Markdown heading. `first` of the document? */
void table_begin(struct table *t, struct regret_text *out, enum regret_table_format format,
                 const char *name, const char *title, int first, const struct table_column *columns,
                 size_t n_columns);
/* Cells, in the order of the columns; after the last one the row is over by itself. */
void table_text(struct table *t, const char *text); /* NULL: missing */
void table_number(struct table *t, double value);   /* NaN: missing */
void table_count(struct table *t, size_t value);
void table_end(struct table *t);

#endif
