/* Numbers that somebody has printed: those of the paper (data/paper, built into the library) or a file
 * of the user's own in the same columns. docs/paper.md describes them. */
#ifndef REGRET_REPORT_PUBLISHED_H
#define REGRET_REPORT_PUBLISHED_H

#include "regret/results.h"

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

enum {
    PUBLISHED_MOST = 4096,         /* numbers of a file */
    PUBLISHED_MOST_COLUMNS = 32,   /* of a file */
    PUBLISHED_LONGEST = 200,       /* bytes of a field */
    PUBLISHED_MOST_BYTES = 1 << 20 /* of a file */
};

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
    char **field; /* of each column of the file; owned */
    const struct published_statistic *statistic;
    double value;
};

struct published {
    char **heads; /* n_columns names; owned */
    size_t n_columns;
    size_t at[N_PUBLISHED_COLUMNS]; /* where each of those stands */
    size_t keys[PUBLISHED_MOST_COLUMNS];
    size_t n_keys; /* columns that are keys */
    struct published_number *numbers;
    size_t n, capacity;
};

/* Reads a file, or `text` called `name`. Errors name the line. Free with published_free(). */
int published_read(struct published *out, const char *path);
int published_parse(struct published *out, const char *text, const char *name);
void published_free(struct published *p);

/* The text of a number in one of those columns. */
const char *published_field(const struct published *p, const struct published_number *number,
                            enum published_column column);

/* The i-th table of the file by its first number: *first is where; 0 past the last. */
int published_table_at(size_t *first, const struct published *p, size_t i);

/* ---------------------------------------------------------------- the paper's (published_paper.c) */

/* Which runs a table of the paper is about. */
enum paper_task { PAPER_SUMMARIES, PAPER_WORLD, PAPER_CODING };
enum { PAPER_KEYS = 4 };
struct paper_table {
    const char *name;  /* "T4" */
    const char *title; /* what it shows */
    const char *file;  /* "data/paper/table4.csv"; NULL where no number of it is known */
    enum paper_task task;
    struct {
        const char *key;
        size_t n_values;
    } swept[PAPER_KEYS];     /* what a run of its shape sweeps */
    const char *variants_of; /* the family whose variants it compares; NULL: none */
    const char
        *reading; /* how its cells were told from the run's, beyond what it prints; or NULL */
};

/* Table i; NULL past the last. */
const struct paper_table *paper_table_at(size_t i);
const struct paper_table *paper_table_find(const char *name); /* or NULL */
/* Every name, ", " between them. */
void paper_table_names(struct regret_buffer *out);

/* What the run is of, by its reward maps: those of the controlled world and of coding are their own. */
enum paper_task paper_task_of(const struct regret_results *r);
/* 1 when the run ranks at least three of the paper's six: a sweep of fewer is not about their order. */
int ranks_families(const struct regret_results *r);
/* 1 when a family of the run is compared with the named one only. */
int has_variant_of(const struct regret_results *r, const char *family);

/* 1 when the run is of the table's task, and of its shape too: the keys swept, and the variants or families
 * that the table ranks. */
int paper_table_is_about(const struct paper_table *t, const struct regret_results *r);
int paper_table_fits(const struct paper_table *t, const struct regret_results *r);

int paper_table_read(struct published *out, const struct paper_table *t);

/* A file of data/paper, built in. Made by cmake/embed.cmake; a NULL name ends them. */
struct paper_file {
    const char *name, *text;
};
extern const struct paper_file paper_files[];

#endif
