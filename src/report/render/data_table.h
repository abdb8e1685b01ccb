/* Tables of data, beside the tables of the report: one block of rows without labels, every column of
 * which is a plain value. People read them in Markdown, in four significant digits; CSV and JSON have
 * every column, and numbers that read back exactly. LaTeX has what Markdown has. */
#ifndef REGRET_REPORT_DATA_TABLE_H
#define REGRET_REPORT_DATA_TABLE_H

#include <stdint.h>

#include "report/render/table.h"

struct data_table {
    struct table table;
    uint64_t details; /* bit k: column k is left out of Markdown and LaTeX */
    size_t n_columns, cells;
};

/* `columns` names up to 64 of them, a blank between; those in parentheses are details. */
void data_table_begin(struct data_table *t, const char *name, const char *title,
                      const char *columns);
/* The columns whose names hold `part` are no details after all. */
void data_table_show(struct data_table *t, const char *part);

int data_is_detail(const struct data_table *t, size_t k);

/* Cells, in the order of the columns; the one after the last column begins a row. */
/* NULL: missing. Characters that could steer a terminal are escaped in every format. */
void data_cell_text(struct data_table *t, const char *text);
void data_cell_number(struct data_table *t, double value); /* not finite: missing */
void data_cell_count(struct data_table *t, size_t value);
/* Several of them. */
#define DATA_NUMBERS(t, ...)                                                                       \
    data_cell_numbers(t, (const double[]){__VA_ARGS__},                                            \
                      sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
#define DATA_COUNTS(t, ...)                                                                        \
    data_cell_counts(t, (const size_t[]){__VA_ARGS__},                                             \
                     sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))
void data_cell_numbers(struct data_table *t, const double *values, size_t n);
void data_cell_counts(struct data_table *t, const size_t *values, size_t n);

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
