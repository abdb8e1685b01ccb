/* Tables of data, beside the tables of the report: one block of rows without labels, every column of
 * which is a plain value. People read them in Markdown, in four significant digits; CSV and JSON have
 * every column, and numbers that read back exactly. LaTeX has what Markdown has. */
#ifndef REGRET_REPORT_DATA_TABLE_H
#define REGRET_REPORT_DATA_TABLE_H

#include "report/render/table.h"

struct data_column {
    const char *name;
    int detail; /* left out of Markdown and LaTeX */
};

struct data_table {
    struct table table;
    const struct data_column *columns; /* borrowed */
    size_t n_columns, cells;
};

void data_table_begin(struct data_table *t, const char *name, const char *title,
                      const struct data_column *columns, size_t n_columns);

/* Cells, in the order of the columns; the one after the last column begins a row. */
/* NULL: missing. Characters that could steer a terminal are escaped in every format. */
void data_cell_text(struct data_table *t, const char *text);
void data_cell_number(struct data_table *t, double value); /* not finite: missing */
void data_cell_numbers(struct data_table *t, const double *values, size_t n);
void data_cell_count(struct data_table *t, size_t value);

/* The renderers, of a table that table_check() finds whole. */
/* "## TITLE" and the table. */
void render_data_markdown(struct regret_buffer *out, const struct data_table *t);
/* A table with booktabs, and the title as its caption. */
void render_data_latex(struct regret_buffer *out, const struct data_table *t);
/* A line of names, and one a row. */
void render_data_csv(struct regret_buffer *out, const struct data_table *t);
/* "NAME": [an object a row]; to be put into an object. */
void render_data_json(struct regret_buffer *out, const struct data_table *t);

#endif
