/* What the sources of this folder share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include <math.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "base/status.h"
#include "chart/figure.h"
#include "regret/estimate.h"
#include "regret/report.h"
#include "report/slice.h"
#include "report/table.h"
#include "stats/limits.h"
#include "table/sql.h"
#include "value/costs.h"

/* ---- power.c: what differences a run could have found. ---- */

/* The test that is meant, two-sided, and how often it shall find a difference that is there. */
#define DETECTABLE_SIZE 0.05
#define DETECTABLE_POWER 0.8

/* Two families and what their paired difference over seeds scatters by. */
struct family_pair {
    size_t a, b;           /* the one of lower mean regret first; equals in the run's order */
    struct paired moments; /* of a less b, without an interval */
};

/* Every pair of the ranked families over the slice's cells: the best with the second, the third, …, then
 * the second with the third. Free *out. */
int family_pairs(struct family_pair **out, size_t *n, const struct slice *s,
                 const struct ranking *ranking);

/* The deviation of the pair's differences over seeds. */
double pair_deviation(const struct family_pair *pair);
/* The least difference that many seeds detect (stats/multiplicity.h); NaN of fewer than two. */
double detectable_with(double deviation, size_t seeds);

/* ---- means.c: means of agents. ---- */

/* The agent of the largest mean and the second, of all contexts together (group 0) or of those of a tag. */
struct means_best {
    size_t first, second; /* agents; REGRET_NO_ROW: there is none */
    /* Over contexts where both have an output; where some are missing by effects within contexts (struct regret_run_means), by
     * Student's t; of votes by all votes. */
    struct paired lead;
    size_t pairs;  /* contexts where both have an output */
    double p;      /* that the lead is 0, by Holm over the groups; NaN of fewer than FEW_CONTEXTS */
    int separable; /* the lead is above 0, and p at most .05 */
};

/* One a group, n_tags + 1; the caller frees *out. */
int means_best(struct means_best **out, const struct regret_run_means *means);

/* "all", "no tag" or the tag. */
const char *means_group_name(const struct regret_run_means *means, size_t group);
double means_of(const struct regret_run_means *means, size_t group, size_t agent);
/* The 95 % interval over contexts; NaN of fewer than two. */
struct limits means_limits(const struct regret_run_means *means, size_t group, size_t agent);
/* The agents by their mean over all contexts, the largest first; those without an output last. */
int means_order_agents(size_t **out, const struct regret_run_means *means);
/* All contexts, then the tags of most contexts; equals in the order of the pool. */
int means_order_groups(size_t **out, const struct regret_run_means *means);

/* The cells that have the item, of which there is one at least. */
int means_cells(struct slice *out, const struct regret_results *r, size_t item);
/* What these cells share and others do not, "reward.map = smooth"; nothing where every cell has the same item. */
void means_heading(struct regret_buffer *out, const struct slice *cells);

/* ---- run_tables.c: a run as tables of SQL. ---- */

/* The numbers in the run of a grid's contexts and agents, and what a context of the run is called in the grid (NAMES_NONE: it has
 * it not). */
struct run_grid {
    uint32_t *context, *number, *agent; /* owned, as is: */
    uint32_t *cluster;                  /* of a context: the number of the first of the same id */
};

enum { BOOTSTRAPS_KEPT = 512 };
struct run_sql {
    const struct regret_results *r; /* borrowed */
    struct sql *sql;
    struct names contexts, agents; /* of all grids */
    struct run_grid *grid;         /* [r->n_grids] owned */
    struct run_sql *other;         /* a run that this one is compared with; NULL: none */
    uint32_t *drawn;               /* resamples of n_drawn seeds, PAIRED_RESAMPLES of them; owned */
    size_t n_drawn;
    struct bootstrapped { /* ends of intervals, by the hash of the differences that they are of */
        uint64_t hash[2];
        double low, high;
    } ends[BOOTSTRAPS_KEPT];
};

/* Open as long as the results are. What comes after may only read. */
int run_sql_open(struct run_sql **out, const struct regret_results *r);
/* Another run beside it: other_results, and cell_pairs, to be filled before sql_guard(). */
int run_sql_other(struct run_sql *s, const struct regret_results *r);
void run_sql_close(struct run_sql *s); /* NULL is fine */
FREED_POINTER(struct run_sql, run_sql_close)

/* run_rows.c, estimates.c and statistics.c: the rows as tables; functions over them. */
int run_rows_add(struct run_sql *run);
int run_rows_add_other(struct run_sql *run);
int estimates_add(struct run_sql *run);
int statistics_add(struct run_sql *run);

/* A function of queries, or an aggregate. */
struct query_function {
    const char *name;
    int arguments;
    void (*call)(sqlite3_context *context, int n, sqlite3_value **v);
    void (*step)(sqlite3_context *context, int n, sqlite3_value **v);
    void (*end)(sqlite3_context *context);
};
int functions_add(struct run_sql *run,
                  const struct query_function *functions); /* up to one without a name */
/* The message on the thread; a number, NULL of what is not finite; the number of a value, NaN of NULL. */
void query_fail(sqlite3_context *context, int rc);
void query_give(sqlite3_context *context, double x);
double query_number(sqlite3_value *v);

/* A row of an aggregate: what it is of, and a number. */
struct entry {
    sqlite3_int64 key[3]; /* in the order in which they are sorted */
    double x, y;
};

struct entries {
    struct entry *item; /* owned */
    size_t n, capacity;
};

/* One more of an aggregate; NULL where there is no memory, which is told. */
struct entry *entries_add(sqlite3_context *context);
/* All of it, sorted; nothing where there were none. */
struct entries entries_take(sqlite3_context *context);
void entries_free(struct entries *e);

/* ---- the parts of the page of a run, in their order: every table and figure names its own. ---- */

enum report_part {
    PART_FIRST, /* what is seen first, and is made by the page itself */
    PART_TAGS,
    PART_FAMILIES,
    PART_SWEEP,
    PART_VALUES,
    PART_DIAGNOSTICS,
    PART_RUN,
    N_PARTS
};

/* ---- query.c: files of queries, each a head of comments and statements. ---- */

/* Files of data/report that come with the program, and the text of one. */
struct report_file {
    const char *name, *text;
};
extern const struct report_file report_files[]; /* ended by {0} */
const char *report_file(const char *name);

/* How numbers of a column are shown. */
struct column_format {
    char *names; /* "a | b", or "*"; owned */
    int decimals;
    unsigned flags;
};

/* "-- WORD: …" in a head: of tables and figures, of tables, of figures. */
enum query_word {
    QUERY_TITLE,
    QUERY_WHEN,
    QUERY_OTHERWISE,
    QUERY_IDLE,
    QUERY_OF,
    QUERY_KIND,
    QUERY_DRAW,
    QUERY_X,
    QUERY_Y,
    QUERY_INTERVALS,
    QUERY_FACTS,
    QUERY_DECIMALS,
    QUERY_ACROSS,
    N_QUERY_WORDS
};

struct query_file {
    const char *name, *text;      /* borrowed */
    char *word[N_QUERY_WORDS];    /* owned, or NULL */
    struct column_format *format; /* owned */
    size_t n_formats;
};
int query_read(struct query_file *q, const char *name, const char *text);
void query_file_free(struct query_file *q);

/* The entry of comments at p, "-- WORD: …" with the lines that go on with it, and what is behind it. */
int query_entry(struct regret_buffer *out, const char **p);
/* Past the blanks before the next comment or statement; the line of a place. */
const char *query_skip_blanks(const char *p);
size_t query_line(const char *text, const char *p);

/* Those that come with the program, by their order. */
enum query_folder { QUERY_TABLES, QUERY_FIGURES };
size_t query_names(const char *const **out, enum query_folder folder);
/* REGRET_E_INPUT: there is none, with a suggestion. */
int query_find(struct query_file *q, enum query_folder folder, const char *name);
/* Where the table or figure of that name stands in a page. */
enum report_part query_part(enum query_folder folder, const char *name);

/* What an entry of the head says: of a query what it gives, NULL where that is nothing; else the entry, as it is. */
int query_said(char **out, const char *entry, const struct query_file *q, struct run_sql *run);
/* 1 where it gives something but 0; without the word what is assumed. */
int query_asks(int *out, enum query_word word, int assumed, const struct query_file *q,
               struct run_sql *run);
/* 1 where "a | b" has the name. */
int query_lists(const char *list, const char *name);

/* What stands in a column of a row; "" and NaN of NULL, and of a column that is not there (-1). */
static inline const char *text_at(sqlite3_stmt *s, int column)
{
    const char *text = column >= 0 ? (const char *)sqlite3_column_text(s, column) : NULL;
    return text != NULL ? text : "";
}

static inline double number_at(sqlite3_stmt *s, int column)
{
    return column < 0 || sqlite3_column_type(s, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(s, column);
}

/* ---- queries.c, figures.c: tables and figures as queries. ---- */

/* The table of that name (REGRET_E_INPUT with a suggestion where there is none); one that is a part of a page, of data/report; the one
 * that a user's file says. */
int table_make(struct table *t, struct run_sql *run, const char *name);
int table_part(struct table *t, struct run_sql *run, const char *name);
int table_of_file(struct table *t, struct run_sql *run, const char *path);

/* Those that say something of the run, in the order of the report. */
int figures_make(struct figures *out, struct run_sql *run);

#endif
