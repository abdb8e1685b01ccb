/* Tables as queries: a file of SQL says what a table is (docs/extending.md). */
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/report.h"
#include "regret/status.h"
#include "report/internal.h"

/* ---- the files ---- */

/* How numbers of a column are shown. */
struct column_format {
    char *names; /* "a | b", or "*"; owned */
    int decimals;
    unsigned flags;
};

struct query_file {
    const char *name, *text;                                   /* borrowed */
    char *title, *otherwise, *when, *idle, *order, *part, *of; /* owned, or NULL */
    struct column_format *format;                              /* owned */
    size_t n_formats;
};

static void query_file_free(struct query_file *q)
{
    char *const texts[] = {q->title, q->otherwise, q->when, q->idle, q->order, q->part, q->of};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        regret_free(texts[i]);
    }
    for (size_t i = 0; i < q->n_formats; i++) {
        regret_free(q->format[i].names);
    }
    regret_free(q->format);
}

/* ".4", "+.3", "~2" (significant digits), "+~2" */
static int add_format(struct query_file *q, const char *entry, size_t line)
{
    const char *colon = strrchr(entry, ':'),
               *p = colon != NULL ? colon + 1 + (colon[1] == ' ') : "";
    struct column_format f = {.flags = *p == '+' ? TABLE_SIGNED : 0};
    p += *p == '+';
    f.flags |= *p == '~' ? TABLE_SIGNIFICANT : 0;
    if ((*p != '.' && *p != '~') || p[1] < '0' || p[1] > '9' || p[2] != '\0') {
        return regret_json_error(
            (struct regret_place){q->name, line},
            "a column is \"column NAME | NAME: FORMAT\", where the format is .4 "
            "(decimals), +.4 (with a sign) or ~3 (significant digits)");
    }
    f.decimals = p[1] - '0';
    TRY(regret_realloc((void **)&q->format, q->n_formats + 1, sizeof *q->format, "columns"));
    TRY(regret_strndup(&f.names, entry, (size_t)(colon - entry)));
    q->format[q->n_formats++] = f;
    return REGRET_OK;
}

/* The entry of comments at p, "-- WORD: …" with the lines that go on with it, and what is behind it. */
static int read_entry(struct regret_buffer *out, const char **p)
{
    regret_buffer_clear(out);
    do {
        const char *begin = *p + 2;
        begin += strspn(begin, " ");
        size_t n = strcspn(begin, "\n");
        regret_buffer_append(out, out->length > 0 ? " " : "");
        regret_buffer_append_n(out, begin, n);
        *p = begin + n + (begin[n] == '\n');
    } while (strncmp(*p, "--  ", 4) == 0);
    return regret_buffer_status(out);
}

/* Past the blanks before the next comment or statement. */
static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n;");
}

static size_t line_of(const char *text, const char *p)
{
    size_t n = 1;
    for (; text < p; text++) {
        n += *text == '\n';
    }
    return n;
}

static int take_entry(struct query_file *q, const char *entry, size_t line)
{
    static const char *const words[] = {
        "title: ", "otherwise: ", "when: ", "idle: ", "order: ", "part: ", "of: "};
    char **const texts[] = {&q->title, &q->otherwise, &q->when, &q->idle,
                            &q->order, &q->part,      &q->of};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (strncmp(entry, words[i], n) == 0 && *texts[i] == NULL) {
            return regret_strdup(texts[i], entry + n);
        }
    }
    return strncmp(entry, "column ", 7) == 0 ? add_format(q, entry + 7, line) : REGRET_OK;
}

/* The head: the comments before the first statement. */
static int read_head(struct query_file *q, const char *name, const char *text)
{
    FREED_BY(regret_buffer_free) struct regret_buffer entry = REGRET_BUFFER_INIT;
    *q = (struct query_file){.name = name, .text = text};
    for (const char *p = skip_blanks(text); strncmp(p, "--", 2) == 0; p = skip_blanks(p)) {
        size_t line = line_of(text, p);
        TRY(read_entry(&entry, &p));
        TRY(take_entry(q, regret_buffer_get(&entry), line));
    }
    return REGRET_OK;
}

/* ---- those that come with the program ---- */

enum { MOST_TABLES = 64, MOST_FILE = 1 << 20 };

static struct query_file known[MOST_TABLES];
static const char *names[MOST_TABLES];
static size_t n_known;
static pthread_once_t listed = PTHREAD_ONCE_INIT;

static int by_order(const void *a, const void *b)
{
    const struct query_file *x = a, *y = b;
    double i = strtod(x->order, NULL), j = strtod(y->order, NULL);
    return i < j ? -1 : i > j;
}

/* Files are data/report/tables/NAME.sql. */
static void list_tables(void)
{
    static char stems[MOST_TABLES][32];
    static const char folder[] = "data/report/tables/";
    for (const struct report_file *f = report_files; f->name != NULL; f++) {
        if (n_known < MOST_TABLES && strncmp(f->name, folder, strlen(folder)) == 0 &&
            read_head(&known[n_known], f->name, f->text) == REGRET_OK &&
            known[n_known].order != NULL) {
            n_known++;
        }
    }
    qsort(known, n_known, sizeof *known, by_order);
    for (size_t i = 0; i < n_known; i++) {
        const char *stem = known[i].name + strlen(folder);
        snprintf(stems[i], sizeof stems[i], "%.*s", (int)strcspn(stem, "."), stem);
        names[i] = stems[i];
    }
}

size_t regret_report_tables(const char *const **out)
{
    (void)pthread_once(&listed, list_tables);
    *out = names;
    return n_known;
}

const char *report_file(const char *name)
{
    const struct report_file *f = report_files;
    while (f->name != NULL && strcmp(f->name, name) != 0) {
        f++;
    }
    return f->text != NULL ? f->text : "";
}

static const struct query_file *find_table(const char *name)
{
    const char *const *all = NULL;
    size_t n = regret_report_tables(&all), i = texts_find(all, n, name);
    return i < n ? &known[i] : NULL;
}

enum report_part table_part_of(const char *name)
{
    static const char *const parts[N_PARTS] = {
        [PART_ANSWER] = "answer",           [PART_TAGS] = "tags",   [PART_REQUESTS] = "requests",
        [PART_FAMILIES] = "families",       [PART_SWEEP] = "sweep", [PART_VALUES] = "values",
        [PART_DIAGNOSTICS] = "diagnostics", [PART_RUN] = "run"};
    const struct query_file *q = find_table(name);
    size_t i = q != NULL && q->part != NULL ? texts_find(parts, N_PARTS, q->part) : N_PARTS;
    return i < N_PARTS ? (enum report_part)i : PART_DIAGNOSTICS;
}

/* ---- what every table says ---- */

static size_t count_null_regrets(const struct regret_results *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_rows; i++) {
        n += r->subjects[r->row_subject[i]].kind != REGRET_ROW_FIT &&
             r->row_failure[i] == REGRET_NO_ROW && /* those are told apart */
             !isfinite(r->measure[REGRET_MEASURE_REGRET][i]);
    }
    return n;
}

/* What rows and seeds lack. */
static void note_gaps(struct table *t, const struct regret_results *r)
{
    if (r->gaps != NULL) {
        table_note(t,
                   "%s Means use the replicates that are there; standard errors and intervals "
                   "only the seeds that are whole.",
                   r->gaps);
    }
    if (r->unmade != NULL) {
        table_note(t, "%s", r->unmade);
    }
    size_t nulls = count_null_regrets(r);
    if (nulls > 0) {
        table_note(t, "%zu row%s no finite regret and count%s as missing.", nulls,
                   nulls == 1 ? " has" : "s have", nulls == 1 ? "s" : "");
    }
    if (r->n_seeds == 1) {
        table_note(t, "One seed only: standard errors and intervals are undefined (–), and no two "
                      "families can be told apart.");
    } else if (r->n_seeds < FEW_SEEDS) {
        table_note(t, "%zu seeds only: bootstrap intervals over so few are too narrow.",
                   r->n_seeds);
    }
}

static void note_run(struct table *t, const struct query_file *q, const struct regret_results *r)
{
    if (r->run.synthetic) {
        table_note(t,
                   "SYNTHETIC: the pool %s was generated; these numbers say nothing about any "
                   "real task.",
                   r->run.pool_name);
    }
    if (q->of == NULL) { /* else of the pool, not of rows */
        note_gaps(t, r);
    }
}

/* ---- filling a table ---- */

/* Columns that are not shown. */
enum hidden {
    H_AT,
    H_BLOCK,
    H_FOR,
    H_COLUMN,
    H_VALUE,
    H_SE,
    H_LOW,
    H_HIGH,
    H_TEXT,
    H_DECIMALS,
    H_SIGNED,
    H_PLAIN,
    H_BEST,
    N_HIDDEN
};
static const char *const HIDDEN[N_HIDDEN] = {"_at",     "_block", "_for",  "_column", "_value",
                                             "_se",     "_low",   "_high", "_text",   "_decimals",
                                             "_signed", "_plain", "_best"};
enum { MOST_COLUMNS = 64 };

/* A cell of a table that is turned, until its block is over. */
struct turned {
    uint32_t row, column;
    struct table_cell cell;
};

struct filler {
    struct table *t;
    const struct query_file *q;
    char **at; /* what orders each block of t; owned, as are the others */
    size_t n_at;
    /* The statement at hand: where its hidden columns are, -1: nowhere; and those that are shown. */
    int hidden[N_HIDDEN];
    int shown[MOST_COLUMNS];
    int half[MOST_COLUMNS]; /* of the column that is shown: that of its standard error, or -1 */
    size_t n_shown;
    int is_note, is_open;
    struct names rows, columns;
    struct turned *turned;
    size_t n_turned, capacity;
};

static void turned_clear(struct filler *f)
{
    for (size_t i = 0; i < f->n_turned; i++) {
        regret_free(f->turned[i].cell.text);
    }
    f->n_turned = 0;
    names_free(&f->rows);
    names_free(&f->columns);
}

static void filler_free(struct filler *f)
{
    turned_clear(f);
    regret_free(f->turned);
    texts_free(f->at, f->n_at);
}

static const char *text_at(sqlite3_stmt *s, int column)
{
    const char *text = column >= 0 ? (const char *)sqlite3_column_text(s, column) : NULL;
    return text != NULL ? text : "";
}

static double number_at(sqlite3_stmt *s, int column)
{
    return column < 0 || sqlite3_column_type(s, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(s, column);
}

static int is_in(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = list; p != NULL;
         p = strstr(p, " | ") != NULL ? strstr(p, " | ") + 3 : NULL) {
        if (strncmp(p, name, n) == 0 && (p[n] == '\0' || strncmp(p + n, " | ", 3) == 0)) {
            return 1;
        }
    }
    return 0;
}

/* The format of a column: the first that names it, else the one of all others. */
static struct column_format format_of(const struct filler *f, const char *name)
{
    struct column_format found = {NULL, 4, 0};
    for (size_t i = f->q->n_formats; i-- > 0;) {
        const struct column_format *x = &f->q->format[i];
        found = is_in(x->names, name) || (found.names == NULL && is_in(x->names, "*")) ? *x : found;
    }
    return found;
}

/* A statement begins: what its columns are. */
static int see_columns(void *context, sqlite3_stmt *s)
{
    struct filler *f = context;
    int n = sqlite3_column_count(s);
    f->n_shown = 0;
    f->is_open = 0;
    f->is_note = n == 1 && strcmp(sqlite3_column_name(s, 0), "note") == 0;
    for (size_t h = 0; h < N_HIDDEN; h++) {
        f->hidden[h] = -1;
    }
    for (int i = 0; i < n; i++) {
        const char *name = sqlite3_column_name(s, i);
        size_t length = strlen(name), h = texts_find(HIDDEN, N_HIDDEN, name);
        const char *before = f->n_shown > 0 ? sqlite3_column_name(s, f->shown[f->n_shown - 1]) : "";
        if (h < N_HIDDEN) {
            f->hidden[h] = i;
        } else if (length == strlen(before) + strlen("±") &&
                   strncmp(before, name, strlen(before)) == 0 &&
                   strcmp(name + strlen(before), "±") == 0) {
            f->half[f->n_shown - 1] = i;
        } else if (name[0] != '_') {
            if (f->n_shown == MOST_COLUMNS) {
                return regret_fail(REGRET_E_INPUT, "a table has %d columns at most", MOST_COLUMNS);
            }
            f->shown[f->n_shown] = i;
            f->half[f->n_shown++] = -1;
        }
    }
    return REGRET_OK;
}

static int open_block(struct filler *f, sqlite3_stmt *s)
{
    const char *readers = text_at(s, f->hidden[H_FOR]);
    char *at = NULL;
    table_block(f->t, "%s", text_at(s, f->hidden[H_BLOCK]));
    table_block_readers(f->t, strcmp(readers, "people") == 0 ? TABLE_FOR_PEOPLE
                              : strcmp(readers, "data") == 0 ? TABLE_FOR_DATA
                                                             : TABLE_FOR_ALL);
    TRY(regret_realloc((void **)&f->at, f->n_at + 1, sizeof *f->at, "blocks"));
    TRY(regret_strdup(&at, text_at(s, f->hidden[H_AT])));
    f->at[f->n_at++] = at;
    f->is_open = 1;
    for (size_t i = 0; i < (f->hidden[H_COLUMN] >= 0 ? 1 : f->n_shown); i++) {
        table_column(f->t, "%s", f->n_shown > 0 ? sqlite3_column_name(s, f->shown[i]) : "");
    }
    return f->t->status;
}

/* Puts what was gathered of a turned block down. */
static int close_block(struct filler *f)
{
    size_t n = f->columns.n;
    FREED const struct table_cell **cell = NULL;
    if (!f->is_open || n == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&cell, f->rows.n * n));
    for (size_t i = 0; i < f->n_turned; i++) {
        cell[f->turned[i].row * n + f->turned[i].column] = &f->turned[i].cell;
    }
    for (size_t j = 0; j < n; j++) {
        table_column(f->t, "%s", f->columns.name[j]);
    }
    for (size_t i = 0; i < f->rows.n * n; i++) {
        const struct table_cell none = {.value = NAN, .flags = TABLE_NUMBER}, *c = cell[i];
        if (i % n == 0) {
            table_row(f->t, "%s", f->rows.name[i / n]);
        }
        c = c != NULL ? c : &none;
        if (c->flags & TABLE_LIMITS) {
            table_limits(f->t, c->value, c->low, c->high, c->decimals, c->flags);
        } else {
            table_cell(f->t, c->text, c->value, c->se, c->decimals, c->flags);
        }
    }
    turned_clear(f);
    return f->t->status;
}

static int take_turned(struct filler *f, sqlite3_stmt *s)
{
    const int *h = f->hidden;
    const char *text = text_at(s, h[H_TEXT]), *column = text_at(s, h[H_COLUMN]);
    struct column_format format = format_of(f, column);
    double decimals = number_at(s, h[H_DECIMALS]), value = number_at(s, h[H_VALUE]);
    struct turned x = {.cell = {.value = value,
                                .se = number_at(s, h[H_SE]),
                                .low = number_at(s, h[H_LOW]),
                                .high = number_at(s, h[H_HIGH]),
                                .decimals = isfinite(decimals) ? (int)decimals : format.decimals,
                                .flags = format.flags}};
    x.cell.flags |= text[0] == '\0' || isfinite(value) ? TABLE_NUMBER : 0;
    x.cell.flags |= h[H_SE] >= 0 && x.cell.flags & TABLE_NUMBER && !(number_at(s, h[H_PLAIN]) > 0.0)
                        ? TABLE_SE
                        : 0;
    x.cell.flags |= number_at(s, h[H_SIGNED]) > 0.0 ? TABLE_SIGNED : 0;
    x.cell.flags |= number_at(s, h[H_BEST]) > 0.0 ? TABLE_BEST : 0;
    x.cell.flags |= h[H_LOW] >= 0 ? TABLE_LIMITS : 0;
    TRY(regret_grow((void **)&f->turned, &f->capacity, f->n_turned, sizeof *f->turned, "cells"));
    TRY(names_enter(&x.row, &f->rows, text_at(s, f->shown[0])));
    TRY(names_enter(&x.column, &f->columns, column));
    TRY(text[0] != '\0' ? regret_strdup(&x.cell.text, text) : REGRET_OK);
    f->turned[f->n_turned++] = x;
    return REGRET_OK;
}

/* An estimate is what functions of it are of. */
static int refuse_blob(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) != SQLITE_BLOB
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "column \"%s\" is an estimate: show it by mean(e), se(e), low(e), "
                             "high(e), t_low(e), t_high(e) or p_value(e)",
                             sqlite3_column_name(s, column));
}

static int take_cell(struct filler *f, sqlite3_stmt *s, size_t i)
{
    const char *name = sqlite3_column_name(s, f->shown[i]), *best = text_at(s, f->hidden[H_BEST]);
    struct column_format format = format_of(f, name);
    unsigned stressed = strcmp(best, name) == 0 ? TABLE_BEST : 0;
    int type = sqlite3_column_type(s, f->shown[i]);
    TRY(refuse_blob(s, f->shown[i]));
    if (type == SQLITE_TEXT) {
        table_cell(f->t, text_at(s, f->shown[i]), NAN, NAN, 0, stressed);
    } else {
        int decimals = type == SQLITE_INTEGER && format.names == NULL ? 0 : format.decimals;
        table_cell(f->t, NULL, number_at(s, f->shown[i]), number_at(s, f->half[i]), decimals,
                   format.flags | stressed | TABLE_NUMBER | (f->half[i] >= 0 ? TABLE_SE : 0));
    }
    return REGRET_OK;
}

static int take_plain(struct filler *f, sqlite3_stmt *s)
{
    int labelled = sqlite3_column_type(s, f->shown[0]) == SQLITE_TEXT;
    if (labelled) {
        table_row(f->t, "%s", text_at(s, f->shown[0]));
    } else {
        table_row_of_cells(f->t);
    }
    for (size_t i = (size_t)labelled; i < f->n_shown; i++) {
        TRY(take_cell(f, s, i));
    }
    return f->t->status;
}

static int take_row(void *context, sqlite3_stmt *s)
{
    struct filler *f = context;
    if (f->is_note) {
        if (sqlite3_column_type(s, 0) != SQLITE_NULL) {
            table_note(f->t, "%s", text_at(s, 0));
        }
        return f->t->status;
    }
    if (f->n_shown == 0) {
        return regret_fail(REGRET_E_INPUT, "%s: a query without a column to show", f->q->name);
    }
    const struct table_block *last = f->is_open ? &f->t->blocks[f->t->n_blocks - 1] : NULL;
    if (last == NULL || strcmp(last->heading, text_at(s, f->hidden[H_BLOCK])) != 0 ||
        strcmp(f->at[f->n_at - 1], text_at(s, f->hidden[H_AT])) != 0) {
        TRY(close_block(f));
        TRY(open_block(f, s));
    }
    return f->hidden[H_COLUMN] >= 0 ? take_turned(f, s) : take_plain(f, s);
}

/* The blocks of all statements by what orders them; equals as they came. */
static void order_blocks(struct filler *f)
{
    for (size_t i = 1; i < f->n_at; i++) {
        struct table_block block = f->t->blocks[i];
        char *at = f->at[i];
        size_t j = i;
        for (; j > 0 && strcmp(f->at[j - 1], at) > 0; j--) {
            f->t->blocks[j] = f->t->blocks[j - 1];
            f->at[j] = f->at[j - 1];
        }
        f->t->blocks[j] = block;
        f->at[j] = at;
    }
}

/* The notes and statements of the file, in their order. */
static int run_file(struct table *t, const struct query_file *q, struct run_sql *run)
{
    FREED_BY(filler_free) struct filler f = {.t = t, .q = q};
    FREED_BY(regret_buffer_free) struct regret_buffer entry = REGRET_BUFFER_INIT;
    for (const char *p = skip_blanks(q->text); *p != '\0'; p = skip_blanks(p)) {
        const struct regret_place at = {q->name, line_of(q->text, p)};
        if (strncmp(p, "--", 2) != 0) {
            TRY(sql_statement(run->sql, &p, &at, see_columns, take_row, &f));
            TRY(close_block(&f));
            continue;
        }
        TRY(read_entry(&entry, &p));
        if (strncmp(regret_buffer_get(&entry), "note: ", 6) == 0) {
            table_note(t, "%s", regret_buffer_get(&entry) + 6);
        }
    }
    order_blocks(&f);
    return table_check(t);
}

/* The first text of a query. */
static int take_text(void *context, sqlite3_stmt *s)
{
    char **out = context;
    return *out == NULL && sqlite3_column_type(s, 0) != SQLITE_NULL
               ? regret_strdup(out, text_at(s, 0))
               : REGRET_OK;
}

/* What an entry of the head says: of a query what it gives, NULL where that is nothing; else the entry, as it is. */
static int said(char **out, const char *entry, const struct query_file *q, struct run_sql *run)
{
    const struct regret_place at = {q->name, 1};
    *out = NULL;
    return entry == NULL ? REGRET_OK
           : strncmp(entry, "SELECT ", 7) != 0
               ? regret_strdup(out, entry)
               : sql_statement(run->sql, &entry, &at, NULL, take_text, out);
}

/* 1 where the query says so; of none what is assumed. */
static int asks(int *out, const char *query, int assumed, const struct query_file *q,
                struct run_sql *run)
{
    FREED char *text = NULL;
    TRY(said(&text, query, q, run));
    *out = query == NULL ? assumed : text != NULL && strcmp(text, "0") != 0;
    return REGRET_OK;
}

static int fill(struct table *t, const struct query_file *q, const char *name, struct run_sql *run)
{
    const struct regret_results *r = run->r;
    FREED char *title = NULL, *otherwise = NULL;
    int is_shown = 0, is_idle = 0;
    TRY(said(&title, q->title, q, run));
    const char *called = title != NULL ? title : name;
    if (q->of != NULL && strcmp(q->of, "page") == 0) {
        table_begin(t, name, "%s", called);
    } else {
        table_begin(t, name, "%s: %s (%s)", called, r->run.pool_name,
                    r->run.synthetic ? "SYNTHETIC data" : "real task");
        note_run(t, q, r);
    }
    TRY(asks(&is_shown, q->when, 1, q, run));
    TRY(asks(&is_idle, q->idle, 0, q, run));
    if (is_shown) {
        TRY(run_file(t, q, run));
    } else if (q->otherwise != NULL) {
        TRY(said(&otherwise, q->otherwise, q, run));
        table_note(t, "%s", otherwise != NULL ? otherwise : "");
    }
    t->idle = is_idle || t->n_blocks == 0;
    return sql_clear(run->sql);
}

int table_make(struct table *t, struct run_sql *run, const char *name)
{
    const struct query_file *q = find_table(name);
    const char *const *all = NULL;
    size_t n = regret_report_tables(&all);
    return q != NULL ? fill(t, q, name, run) : name_unknown("table", name, all, n);
}

int table_part(struct table *t, struct run_sql *run, const char *name)
{
    FREED_BY(query_file_free) struct query_file q = {0};
    char file[64];
    snprintf(file, sizeof file, "data/report/%s.sql", name);
    TRY(read_head(&q, file, report_file(file)));
    return fill(t, &q, name, run);
}

int table_of_file(struct table *t, struct run_sql *run, const char *path)
{
    FREED_BY(query_file_free) struct query_file q = {0};
    FREED char *text = NULL, *name = NULL;
    const char *file = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    size_t length = 0;
    TRY(regret_file_read(&text, &length, path, MOST_FILE));
    TRY(regret_strndup(&name, file, strcspn(file, ".")));
    TRY(read_head(&q, path, text));
    return fill(t, &q, name, run);
}

int regret_report_table(struct regret_buffer *out, const struct regret_results *r, const char *name,
                        enum regret_format format)
{
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    struct table t = {0};
    TRY(run_sql_open(&run, r));
    return render_made(out, &t, table_make(&t, run, name), format);
}

int regret_report_file(struct regret_buffer *out, const struct regret_results *r, const char *path,
                       enum regret_format format)
{
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    struct table t = {0};
    TRY(run_sql_open(&run, r));
    return render_made(out, &t, table_of_file(&t, run, path), format);
}

/* ---- a query of one's own ---- */

static int put_names(void *context, sqlite3_stmt *s)
{
    struct regret_buffer *out = context;
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        regret_buffer_append(out, i > 0 ? "," : out->length > 0 ? "\n" : "");
        csv_field(out, sqlite3_column_name(s, i));
    }
    regret_buffer_append(out, sqlite3_column_count(s) > 0 ? "\n" : "");
    return REGRET_OK;
}

static int put_record(void *context, sqlite3_stmt *s)
{
    struct regret_buffer *out = context;
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        regret_buffer_append(out, i > 0 ? "," : "");
        TRY(refuse_blob(s, i));
        if (sqlite3_column_type(s, i) == SQLITE_FLOAT) {
            csv_number(out, sqlite3_column_double(s, i));
        } else {
            csv_field(out, text_at(s, i));
        }
    }
    regret_buffer_append_char(out, '\n');
    return REGRET_OK;
}

int regret_report_sql(struct regret_buffer *out, const struct regret_results *r, const char *query,
                      enum regret_format format)
{
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    const struct query_file q = {.name = "the query", .text = query};
    struct table t = {0};
    TRY(run_sql_open(&run, r));
    if (format != REGRET_FORMAT_CSV) {
        table_begin(&t, "query", "%s", r->run.name);
        return render_made(out, &t, run_file(&t, &q, run), format);
    }
    for (const char *p = skip_blanks(query); *p != '\0'; p = skip_blanks(p)) {
        const struct regret_place at = {q.name, line_of(query, p)};
        TRY(sql_statement(run->sql, &p, &at, put_names, put_record, out));
    }
    return REGRET_OK;
}
