/* A result row (include/regret/results.h): one schema says which fields rows have, which kinds of
 * rows have which, and within which bounds. Writing, reading and results.csv go by it. */
#ifndef REGRET_RESULTS_ROW_H
#define REGRET_RESULTS_ROW_H

#include "regret/buffer.h"
#include "regret/json.h"
#include "regret/results.h"

enum { ROW_KINDS = 3, ROW_BASELINES = 9, ROW_BASELINES_ALWAYS = 4, ROW_FITS = 4 };

/* What a row of kind baseline or fit may be about, in the order in which a replicate has them. The
 * baselines behind ROW_BASELINES_ALWAYS are those by tag, of runs whose contexts have tags; best-ppi, of runs whose OBS
 * and EXP see different outcomes; and those by strengths, of pools of votes. The last two fits only where the pool has
 * "success", and statistics of patches. */
struct row_baseline {
    const char *name;
    enum regret_rule rule;
    const char *source; /* "EXP", "OBS", "PPI", "BT" or NULL */
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
    struct row_list list[REGRET_N_LISTS]; /* what is written; reading leaves it (row_lists.h) */
};

/* Every number NaN, every word and list NULL. */
struct row row_of(long long cell, long long seed, enum regret_row_kind kind, const char *name);

/* Appends the row as a line with every field of its kind; `key` is the JSON of the cell's keys. */
void row_write(struct regret_buffer *text, const struct row *row, const char *key);

/* Reading goes in two steps, so that a row that stands in the wrong place is told as that. Texts are
 * borrowed from `json`. */

/* What the row is about; cells are numbered to `last_cell`. Refuses fields that no row has. */
int row_read_head(struct row *row, const struct cJSON *json, long long last_cell,
                  struct regret_place at);
/* Its numbers; refuses those of other kinds of rows and those out of bounds. */
int row_read_measures(struct row *row, const struct cJSON *json, struct regret_place at);
int row_read_words(struct row *row, const struct cJSON *json, struct regret_place at);

/* 1 when the row has as many fields as row_write() gives one of its kind. */
int row_is_whole(const struct row *row, const struct cJSON *json);

/* What the numbers of a list are of. */
enum row_list_of { LIST_BY_CONTEXT /* held-out ones */, LIST_BY_AGENT, LIST_FIXED };

/* What a list is, and whether the row is one that has it. */
struct row_list_rule {
    const char *name;
    enum row_list_of of;
    int whole;        /* numbers of agents or contexts */
    int may_lack;     /* null may stand for a number */
    double low, high; /* of a number, unless it is whole */
    int is_rare;      /* 1: absent, not null, from rows that have nothing to say there */
    size_t length;    /* of LIST_FIXED */
};
const struct row_list_rule *row_list_rule(enum regret_list list);
int row_has_list(const struct row *row, enum regret_list list);

/* Names of the schema; static. */
const char *row_kind_name(enum regret_row_kind kind);
/* A hyper-parameter's symbol, "λ", and whether tables show its mean or the shares of its values; NULL
 * of other measures. */
const char *row_tuned_symbol(enum regret_measure measure, int *by_mean);
/* 1: it is in rows of runs with unobserved pairs alone. */
int row_measure_is_rare(enum regret_measure measure);
const char *row_measure_name(enum regret_measure measure);
const char *row_word_name(enum row_word word);

#endif
