/* A row of results. */
#ifndef RESULTS_ROW_H
#define RESULTS_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "regret/buffer.h"
#include "regret/results.h"

/* A result row (include/regret/results.h): one schema says which fields rows have, which kinds of
 * rows have which, and within which bounds. Writing, reading and results.csv go by it. */

enum { ROW_KINDS = 3, ROW_BASELINES = 8, ROW_BASELINES_ALWAYS = 4, ROW_FITS = 4 };

/* What a row of kind baseline or fit may be about, in the order in which a replicate has them. The
 * baselines behind ROW_BASELINES_ALWAYS are those by tag, of runs whose contexts have tags, and those by strengths, of pools of votes. The last two fits only where the pool has
 * "success", and statistics of patches. */
struct row_baseline {
    const char *name;
    enum regret_rule rule;
    const char *source; /* "EXP", "OBS", "BT" or NULL */
};
extern const struct row_baseline row_baselines[ROW_BASELINES];
/* Those that a run has, in that order; static ones. */
struct row_baseline_list {
    size_t n;
    const struct row_baseline *at[ROW_BASELINES];
};
extern const char *const row_fits[ROW_FITS];

/* The texts a row may hold. */
enum row_word {
    ROW_BASIS,
    ROW_CV,
    ROW_FAILURE, /* why a family of one's own has no fit; rows that have one have no such field */
    ROW_PICKED, /* of family mixed: words by which agents differ, blanks between; no field without one */
    ROW_WORDS
};

/* A list that is written: numbers, NaN where one is not defined; NULL: none. */
struct row_list {
    const double *number; /* borrowed */
    size_t n;
};

struct row {
    long long cell, seed;
    enum regret_row_kind kind;
    const char *name;                     /* borrowed */
    double measure[REGRET_N_MEASURES];    /* NaN: null, or not in rows of this kind */
    const char *word[ROW_WORDS];          /* NULL: likewise; borrowed */
    struct row_list list[REGRET_N_LISTS]; /* what is written; reading leaves it (row.h) */
};

/* Every number NaN, every word and list NULL. */
struct row row_of(long long cell, long long seed, enum regret_row_kind kind, const char *name);

/* Appends the row as a line with every field of its kind; `key` is the JSON of the cell's keys. */
void row_write(struct regret_buffer *text, const struct row *row, const char *key);

/* What the row is about; cells are numbered to `last_cell`. Refuses fields that no row has. */
int row_read_head(struct row *row, const struct cJSON *json, long long last_cell,
                  struct regret_place at);
/* Its numbers; refuses those of other kinds of rows and those out of bounds. */
int row_read_measures(struct row *row, const struct cJSON *json, struct regret_place at);
int row_read_words(struct row *row, const struct cJSON *json, struct regret_place at);

/* 1 when the row has as many fields as row_write() gives one of its kind. */
int row_is_whole(const struct row *row, const struct cJSON *json);

/* Names of the schema; static. */
const char *row_kind_name(enum regret_row_kind kind);
/* A hyper-parameter's symbol, "λ", and whether tables show its mean or the shares of its values; NULL
 * of other measures. */
const char *row_tuned_symbol(enum regret_measure measure, int *by_mean);
/* 1: it is in rows of runs with unobserved pairs alone. */
int row_measure_is_rare(enum regret_measure measure);
const char *row_measure_name(enum regret_measure measure);
const char *row_word_name(enum row_word word);

/* The lists of result rows (include/regret/results.h): their place in memory, and how they are read. */

/* The lists of rows, one after the other. */
struct row_lists {
    double *number; /* [n] owned */
    size_t n, capacity;
    size_t *begin;                      /* [rows] of the row's first list in `number`; owned */
    uint32_t (*length)[REGRET_N_LISTS]; /* [rows] 0 where there is none; owned */
    size_t rows, row_capacity;
};
void row_lists_clear(struct row_lists *lists); /* safe on a zeroed one */

/* Appends those of the next row, which must agree with what the row says and with its grid (NULL: the run
 * has none, and its rows no lists). */
int row_lists_read(struct row_lists *lists, const struct row *row, const struct cJSON *json,
                   const struct regret_run_grid *grid, struct regret_place at);

struct regret_list_view row_lists_view(const struct row_lists *lists, size_t row,
                                       enum regret_list list);

/* How many held-out contexts the lists of a row are about; 0 where it has none. */
size_t row_lists_contexts(const struct row_lists *lists, size_t row);
/* "the lists hold A contexts, but those of earlier rows of the replicate B" */
int row_lists_differ(size_t contexts, size_t before, struct regret_place at);

#endif
