/* A table of texts and numbers. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"

/* A table before it has a format: a title, notes, and blocks of rows under column heads. Built by
 * appending; errors are sticky like those of struct regret_buffer, so a table is written down as it
 * is read and asked once, by table_check(), whether all went well. */

enum table_flag {
    TABLE_NUMBER = 1,      /* `value` is meant; not finite is shown as "–" */
    TABLE_SIGNED = 2,      /* shown with its sign */
    TABLE_SE = 4,          /* `se` is meant; not finite is shown as "± –" */
    TABLE_BEST = 8,        /* to be stressed */
    TABLE_LIMITS = 32,     /* `low` and `high` are meant; not finite is not shown */
    TABLE_SIGNIFICANT = 16 /* `decimals` are significant digits, as of C's %g */
};

struct table_cell {
    char *text; /* shown before the number; NULL where there is none; owned */
    double value, se, low, high;
    int decimals;
    unsigned flags;
};

struct table_row {
    char *label; /* the first column; NULL where that is a cell, too; owned */
    struct table_cell *cells;
    size_t n_cells; /* those of the columns after the label */
};

/* For whom a block is: what would be too much for a page stands in two, for people (Markdown, LaTeX, HTML) as far as a page
 * goes and for programs (CSV, JSON) as a whole. */
enum table_readers { TABLE_FOR_ALL, TABLE_FOR_PEOPLE, TABLE_FOR_DATA };

struct table_block {
    char *heading;  /* "" where there is one block only; owned */
    char **columns; /* column 0 heads the labels; owned */
    size_t n_columns;
    struct table_row *rows;
    size_t n_rows;
    enum table_readers readers;
};

struct table {
    char *name, *title; /* owned */
    struct table_block *blocks;
    size_t n_blocks;
    char **notes;
    size_t n_notes;
    int idle;   /* 1: it says nothing of the run that others do not; pages leave it out */
    int status; /* REGRET_OK, or the first error */
};

void table_begin(struct table *t, const char *name, const char *format, ...) REGRET_PRINTF(3, 4);
void table_note(struct table *t, const char *format, ...) REGRET_PRINTF(2, 3);
void table_block(struct table *t, const char *format, ...) REGRET_PRINTF(2, 3);
void table_block_readers(struct table *t, enum table_readers readers); /* of the last block */
void table_column(struct table *t, const char *format, ...) REGRET_PRINTF(2, 3);
/* Heads of the `n` columns; those that are named. */
void table_columns(struct table *t, const char *const *heads, size_t n);
#define TABLE_HEADS(t, ...)                                                                        \
    table_columns(t, (const char *const[]){__VA_ARGS__},                                           \
                  sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
void table_row(struct table *t, const char *format, ...) REGRET_PRINTF(2, 3);
void table_row_of_cells(struct table *t); /* without a label */

/* Cells go to the last row. */
void table_text(struct table *t, const char *format, ...) REGRET_PRINTF(2, 3);
void table_number(struct table *t, double value, int decimals);
void table_signed(struct table *t, double value, int decimals);
void table_estimate(struct table *t, double value, double se, int decimals);
void table_signed_estimate(struct table *t, double value, double se, int decimals);
/* All a cell can show at once: "text value ± se" by `flags`; `text` may be NULL. */
void table_cell(struct table *t, const char *text, double value, double se, int decimals,
                unsigned flags);
/* "value [low, high]". */
void table_limits(struct table *t, double value, double low, double high, int decimals,
                  unsigned flags);
/* The sticky status, or REGRET_E_INTERNAL when a row has not as many cells as columns. */
int table_check(const struct table *t);
void table_free(struct table *t);

/* The number of a cell as it is shown (without text), in `minus`, `plus_minus` and `dash` of the
 * format: "+0.0012", "0.0126 ± 0.0003", "–". */
struct table_signs {
    const char *minus, *plus_minus, *dash;
};
void table_cell_number(struct regret_buffer *out, const struct table_cell *cell,
                       const struct table_signs *signs);

void render_text(struct regret_buffer *out, const struct table *t);
int render(struct regret_buffer *out, const struct table *t, enum regret_format format);
/* The same of a table that was made with the outcome `made`, which is freed in any case. */
int render_made(struct regret_buffer *out, struct table *t, int made, enum regret_format format);

/* A text of unknown origin as a JSON string, made visible as in every other format; "null" of NULL. */
void table_json_string(struct regret_buffer *out, const char *text);

/* Parts of a page: the blocks and notes of a table without its section; <ELEMENT>text</ELEMENT> and a new
 * line, where the element may have attributes; the same of a text by printf. */
void html_table(struct regret_buffer *out, const struct table *t);
void html_element(struct regret_buffer *out, const char *element, const char *text);
void html_say(struct regret_buffer *out, const char *element, const char *format, ...)
    REGRET_PRINTF(3, 4);
/* Text that is HTML already, in which an estimate and its error stay on one line. */
void html_estimates(struct regret_buffer *out, const char *html);

/* Tables of data, beside the tables of the report: one block of rows without labels, every column of
 * which is a plain value. People read them in Markdown, in four significant digits; CSV and JSON have
 * every column, and numbers that read back exactly. LaTeX has what Markdown has. */

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

/* "## TITLE" and the table. */
void render_data_markdown(struct regret_buffer *out, const struct data_table *t);
/* A table with booktabs, and the title as its caption. */
void render_data_latex(struct regret_buffer *out, const struct data_table *t);
/* A line of names, and one a row. */
void render_data_csv(struct regret_buffer *out, const struct data_table *t);
/* "NAME": [an object a row]; to be put into an object. */
void render_data_json(struct regret_buffer *out, const struct data_table *t);

#endif
