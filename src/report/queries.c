/* Tables as queries: a file of SQL says what a table is (docs/extending.md). */
#include <math.h>
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

enum { MOST_FILE = 1 << 20 };

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
    if (q->word[QUERY_OF] == NULL) { /* else of the pool, not of rows */
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

/* The format of a column: the first that names it, else the one of all others. */
static struct column_format format_of(const struct filler *f, const char *name)
{
    struct column_format found = {NULL, 4, 0};
    for (size_t i = f->q->n_formats; i-- > 0;) {
        const struct column_format *x = &f->q->format[i];
        found = query_lists(x->names, name) || (found.names == NULL && query_lists(x->names, "*"))
                    ? *x
                    : found;
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
    TRY(refuse_blob(s, f->shown[0]));
    table_row(f->t, "%s", text_at(s, f->shown[0]));
    for (size_t i = 1; i < f->n_shown; i++) {
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
    for (const char *p = query_skip_blanks(q->text); *p != '\0'; p = query_skip_blanks(p)) {
        const struct regret_place at = {q->name, query_line(q->text, p)};
        if (strncmp(p, "--", 2) != 0) {
            TRY(sql_statement(run->sql, &p, &at, see_columns, take_row, &f));
            TRY(close_block(&f));
            continue;
        }
        TRY(query_entry(&entry, &p));
        if (strncmp(regret_buffer_get(&entry), "note: ", 6) == 0) {
            table_note(t, "%s", regret_buffer_get(&entry) + 6);
        }
    }
    order_blocks(&f);
    return table_check(t);
}

static int fill(struct table *t, const struct query_file *q, const char *name, struct run_sql *run)
{
    const struct regret_results *r = run->r;
    FREED char *title = NULL, *otherwise = NULL;
    int is_shown = 0, is_idle = 0;
    TRY(query_said(&title, q->word[QUERY_TITLE], q, run));
    const char *called = title != NULL ? title : name;
    if (q->word[QUERY_OF] != NULL && strcmp(q->word[QUERY_OF], "page") == 0) {
        table_begin(t, name, "%s", called);
    } else {
        table_begin(t, name, "%s: %s (%s)", called, r->run.pool_name,
                    r->run.synthetic ? "SYNTHETIC data" : "real task");
        note_run(t, q, r);
    }
    TRY(query_asks(&is_shown, QUERY_WHEN, 1, q, run));
    TRY(query_asks(&is_idle, QUERY_IDLE, 0, q, run));
    if (is_shown) {
        TRY(run_file(t, q, run));
    } else if (q->word[QUERY_OTHERWISE] != NULL) {
        TRY(query_said(&otherwise, q->word[QUERY_OTHERWISE], q, run));
        table_note(t, "%s", otherwise != NULL ? otherwise : "");
    }
    t->idle = is_idle || t->n_blocks == 0;
    return sql_clear(run->sql);
}

int table_make(struct table *t, struct run_sql *run, const char *name)
{
    FREED_BY(query_file_free) struct query_file q = {0};
    TRY(query_find(&q, QUERY_TABLES, name));
    return fill(t, &q, name, run);
}

int table_part(struct table *t, struct run_sql *run, const char *name)
{
    FREED_BY(query_file_free) struct query_file q = {0};
    char file[64];
    snprintf(file, sizeof file, "data/report/%s.sql", name);
    TRY(query_read(&q, file, report_file(file)));
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
    TRY(query_read(&q, path, text));
    return fill(t, &q, name, run);
}

int regret_report_table(struct regret_buffer *out, const struct regret_results *r, const char *name,
                        enum regret_format format)
{
    FREED_BY(run_sql_close_at) struct run_sql *run = NULL;
    struct table t = {0};
    TRY(run_sql_open(&run, r));
    size_t n = strlen(name);
    int is_file = n > 4 && strcmp(name + n - 4, ".sql") == 0;
    return render_made(out, &t, is_file ? table_of_file(&t, run, name) : table_make(&t, run, name),
                       format);
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
        int rc = run_file(&t, &q, run);
        if (t.n_blocks + t.n_notes == 0) {
            table_note(&t, "The query has no rows.");
        }
        return render_made(out, &t, rc, format);
    }
    for (const char *p = query_skip_blanks(query); *p != '\0'; p = query_skip_blanks(p)) {
        const struct regret_place at = {q.name, query_line(query, p)};
        TRY(sql_statement(run->sql, &p, &at, put_names, put_record, out));
    }
    return REGRET_OK;
}
