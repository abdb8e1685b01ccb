/* Numbers that somebody has printed: those of the paper (data/paper, built into the library) or a file
 * of the user's own in the same columns. docs/paper.md describes them. */
#ifndef REGRET_REPORT_PUBLISHED_H
#define REGRET_REPORT_PUBLISHED_H

#include "regret/results.h"
#include "report/paper/shape.h"

/* ---------------------------------------------------------------- what a number is */

enum published_kind {
    PUBLISHED_NOTHING, /* printed, but no number of cells */
    PUBLISHED_MEAN,    /* of the measure, over cells and seeds */
    PUBLISHED_RANK,    /* of the mean regrets of a cell, mean over cells */
    PUBLISHED_TOP3,    /* cells in which that is at most 3 */
    PUBLISHED_EXCESS,  /* % over the cell's best mean regret, mean over cells */
    PUBLISHED_CHANGE,  /* the measure less the DM error */
    PUBLISHED_WINS,    /* cells in which the mean of the measure is the best */
    PUBLISHED_LEAD     /* how far the mean regret is below that of the best other family */
};
struct published_statistic {
    const char *word;
    enum published_kind kind;
    enum regret_measure measure;
    int better; /* −1: lower numbers are; +1: higher; 0: its sign says it */
    int decimals;
};

/* ---------------------------------------------------------------- a file of them */

enum { PUBLISHED_LONGEST = 200 }; /* bytes of a field of a file of the user's own */

/* The columns that every file has; each other is a key of the cells. */
enum published_column {
    PUBLISHED_TABLE,
    PUBLISHED_ROW,
    PUBLISHED_COLUMN,
    PUBLISHED_STATISTIC,
    PUBLISHED_SUBJECT,
    PUBLISHED_VALUE,
    N_PUBLISHED_COLUMNS
};

struct published_number {
    char **field; /* of each column of the sheet; borrowed */
    const struct published_statistic *statistic;
    double value;
};

struct published {
    struct sheet sheet;
    size_t at[N_PUBLISHED_COLUMNS]; /* where each of those stands */
    size_t keys[SHEET_MOST_COLUMNS];
    size_t n_keys; /* columns that are keys */
    struct published_number *numbers;
    size_t n;
};

/* Reads a file, `text` called `name`, or a file of data/paper. Errors name the line. Free with published_free(). */
int published_read(struct published *out, const char *path);
int published_parse(struct published *out, const char *text, const char *name);
int published_of_paper(struct published *out, const char *name);
void published_free(struct published *p);

/* The text of a number in one of those columns. */
const char *published_field(const struct published *p, const struct published_number *number,
                            enum published_column column);

/* The i-th table of the file by its first number: *first is where; 0 past the last. */
int published_table_at(size_t *first, const struct published *p, size_t i);

/* ---------------------------------------------------------------- the paper's (paper_tables.c) */

struct paper_table {
    const char *name;    /* "T4" */
    const char *file;    /* "table4.csv" of data/paper; "" where no number of it is known */
    const char *title;   /* what it shows */
    const char *reading; /* how its cells were told from the run's, beyond what it prints; or "" */
    struct shape shape;  /* of a run that it is held against */
};
struct paper_tables {
    struct sheet sheet;
    struct paper_table *items;
    size_t n;
};
int paper_tables_read(struct paper_tables *out);
void paper_tables_free(struct paper_tables *t);

/* The table of that name; REGRET_E_INPUT with a list where there is none. Borrowed. */
int paper_table_find(const struct paper_table **out, const struct paper_tables *t,
                     const char *name);
/* 1 when numbers of the table are known and the run of these cells has its shape. */
int paper_table_fits(const struct paper_table *t, const struct slice *all);
int paper_table_read(struct published *out, const struct paper_table *t);

#endif
