/* A look at a table before anybody has said what stands where: what every column holds, and which columns
 * follow from others. */
#ifndef REGRET_IMPORT_PROFILE_H
#define REGRET_IMPORT_PROFILE_H

#include <stddef.h>
#include <stdint.h>

enum {
    PROFILE_COLUMNS = 1024,  /* wider tables are refused */
    PROFILE_CELLS = 16 << 20 /* looked at; of a larger table the first rows */
};

struct profile_column {
    char *name; /* owned */
    size_t
        filled; /* rows with something in it; of a column of numbers, more than that one is missing */
    size_t missing; /* rows that say so (table_source_is_missing()) */
    size_t numbers; /* of them, finite numbers; true and false are 1 and 0 */
    size_t whole;   /* of them, whole numbers */
    size_t
        nearly; /* rows that people read as a number, and import does not: 0,5 or 45% or $1,200 */
    size_t
        commas; /* of these, those with a comma for a point: they are `numbers` in the end, where commas are that … */
    size_t
        clear_commas; /* … and of them those that no comma between thousands makes: 3,5 but not 1,200 */
    double comma_least, comma_most;
    size_t words;  /* of the numbers, words: yes, failed */
    size_t grades; /* rows that are a letter grade: A+ … F */
    size_t
        other_row; /* the first row, from 1, that is neither a number nor says that one is missing; 0: none */
    char other[24];     /* what stands there */
    char example[24];   /* the first of them; "" without */
    double least, most; /* of the numbers */
    double mean_bytes;  /* of what is filled */
    size_t longest;     /* bytes */
    size_t diffs;       /* rows that begin as a patch does */
    size_t distinct;    /* different values, the empty one among them */
};

struct table_profile {
    size_t n_columns, rows; /* rows looked at */
    int cut;                /* 1: there are more rows */
    int is_nested;          /* 1: the rows are elements of a list of each record */
    int decimal_comma;      /* 1: a column has commas for decimal points, and so may all */
    struct profile_column *column;
    uint64_t *cell;  /* rows × n_columns, by row: a hash of each */
    size_t capacity; /* rows that `cell` has room for */
};

/* Reads a CSV file with a header, or JSONL. Errors as import's: "FILE:LINE: …". O(cells log rows). The columns of JSONL
 * are the fields of its records by their paths, as maps name them, in the order in which they come first; those in
 * lists of more than eight are left out, and a field is empty where it is absent or null. A list of objects with an agent
 * each, in records without an agent of their own, is one of rows: "answers.*.model". */
int table_profile_read(struct table_profile *out, const char *path, char separator);
int table_profile_read_json(struct table_profile *out, const char *path);
void table_profile_free(struct table_profile *profile);

/* For whoever reads a table: a row more, to be filled from the first column on; *full where no more are looked at. */
int table_profile_begin_row(struct table_profile *profile, int *full);
void table_profile_cell(struct table_profile *profile, size_t column, const char *text,
                        size_t length);
/* After the last row. REGRET_E_INPUT where there is none. */
int table_profile_finish(struct table_profile *profile, const char *path);
/* REGRET_E_INPUT where a table cannot have `n` columns; one to import has at least three, a log fewer. */
int table_profile_check_columns(size_t n, size_t least, const char *path);

/* The character that separates the header: a comma, semicolon, tab or bar, whichever gives the most columns. */
int table_profile_separator(char *out, const char *path);

/* 1 where rows alike in column `from` are alike in `to`. */
int table_profile_follows(int *out, const struct table_profile *profile, size_t to, size_t from);
/* The cells of a row in two columns, by their hashes. */
struct profile_pair {
    uint64_t a, b;
};
/* By a, then b; for qsort() and bsearch(). */
int profile_pair_compare(const void *x, const void *y);
/* The different pairs of two columns, ascending; of one column with itself, its values. To be freed. */
int table_profile_distinct(struct profile_pair **out, size_t *n,
                           const struct table_profile *profile, size_t a, size_t b);
/* How many these are. */
int table_profile_pairs(size_t *out, const struct table_profile *profile, size_t a, size_t b);

#endif
