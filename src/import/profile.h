/* Columns of a table: what they hold. */
#ifndef IMPORT_PROFILE_H
#define IMPORT_PROFILE_H

#include <stddef.h>
#include <stdint.h>

enum {
    PROFILE_NUMBER = 24,     /* bytes that a number may have */
    PROFILE_COLUMNS = 4096,  /* wider tables are refused */
    PROFILE_CELLS = 16 << 20 /* looked at; of a larger table the first rows */
};

/* A cell that is told of. */
struct profile_cell {
    size_t at;     /* its line (of JSON, record), from 1; 0: there is none */
    char text[24]; /* as much of it as there is room for */
};

struct profile_column {
    char *name; /* owned */
    size_t
        filled; /* rows with something in it; of a column of numbers, more than that one is missing */
    size_t missing; /* rows that say so (table_source_is_missing()) */
    size_t numbers; /* of them, finite numbers; true and false are 1 and 0 */
    size_t whole;   /* of them, whole numbers */
    size_t
        commas; /* of `others`, numbers with a comma for a point: they are `numbers` in the end, where commas are that … */
    size_t
        clear_commas; /* … and of them those that no comma between thousands makes: 3,5 but not 1,200 */
    double comma_least, comma_most;
    size_t comma_least_at, comma_most_at;
    size_t words;  /* of the numbers, words: yes, failed */
    size_t grades; /* rows that are a letter grade: A+ … F */
    size_t others; /* rows that are none of these, and do not say that a number is missing */
    struct profile_cell other; /* the first that is neither a number nor says that one is missing */
    struct profile_cell beyond; /* the first of them that has no comma for a point, either */
    double least, most;         /* of the numbers but `slips`, and … */
    size_t least_at, most_at;   /* … of all, the lines (records) on which they stand first */
    size_t slips, slip_at;      /* numbers far beyond all others (profile_json.h), … */
    double slip;                /* … and the farthest of them; … */
    int is_sentinel;   /* … or 1: that one, which stands for numbers that are missing … */
    int is_next;       /* … but may be one more of whole numbers (struct slip) */
    int is_mixed;      /* 1: on two scales (scales_are_mixed()) */
    double mean_bytes; /* of what is filled */
    size_t longest;    /* bytes */
    size_t distinct;   /* different values, the empty one among them */
};

struct table_profile {
    size_t n_columns, rows; /* rows looked at */
    int cut;                /* 1: there are more rows */
    int is_nested;          /* 1: the rows are elements of a list of each record */
    size_t at;              /* the line (record) that is looked at */
    int decimal_comma; /* 1: a column has commas for decimal points but for slips, and so may all */
    struct profile_column *column;
    uint64_t *cell;  /* rows × n_columns, by row: a hash of each, and … */
    double *number;  /* … its number, with a comma for a point, too; NaN: none */
    size_t capacity; /* rows that there is room for */
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

/* Fails for the slips of a column, with the remedy where they are right. */
int profile_column_fail_slip(const char *path, const struct profile_column *column,
                             const char *remedy);

/* REGRET_E_INPUT where a name of scores speaks for both directions: nobody knows whether more or less of it is better. */
int profile_column_check_direction(const struct profile_column *column, const char *path);

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

/* A number, and whose it is; by owner, then number, for qsort(). */
struct owned_number {
    uint64_t owner;
    double x;
};
int owned_number_compare(const void *left, const void *right);
/* Whether some owners have numbers from 0 to 1, and all others mostly beyond, up to 8 and more, or 0 and such alone; of n that are
 * sorted so. */
struct two_scales {
    size_t shares, points; /* owners of either kind */
    double most;
};
int owners_are_on_two_scales(struct two_scales *out, const struct owned_number *r, size_t n);
/* REGRET_E_INPUT where column k is on two scales: it mixes them; or of the agents of column `agent` (of a wide table: none,
 * SIZE_MAX) some have numbers from 0 to 1 and all others mostly beyond, up to 8 and more; or a rater's scale ends far above
 * another's. O(columns · rows log rows). */
int table_profile_check_units(const struct table_profile *profile, size_t k, size_t agent,
                              const char *path);

#endif
