#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/archive.h"
#include "base/csv.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "table/internal.h"

/* A source is a virtual table. What is small, documents and heads, is kept once it is read; the rest is read anew for every query that
 * mentions it, record by record. */

FREED_POINTER(struct source_table, source_table_free)

enum { MOST_READINGS = 64 };

struct table {
    sqlite3_vtab base;
    struct source_table *t;
};

/* ---- what is kept ---- */

static int is_keeping(const struct source_table *t)
{
    return t->kind == SQL_JSON || t->is_head;
}

static int keep(struct source_table *t, const struct cursor *c)
{
    struct kept k = {NULL, NULL};
    int rc;
    TRY(regret_grow((void **)&t->kept, &t->kept_capacity, t->n_kept, sizeof *t->kept, "documents"));
    TRY_CLEANUP(regret_strdup(&k.file, regret_buffer_get(&c->file)));
    TRY_CLEANUP(text_store_add(&k.text, &t->store, regret_buffer_get(&c->text), c->text.length));
    t->kept[t->n_kept++] = k;
    return REGRET_OK;
cleanup:
    regret_free(k.file);
    return rc;
}

static int keep_all(struct source_table *t)
{
    struct cursor *c = NULL;
    TRY(REGRET_NEW(&c, 1));
    c->t = t;
    int rc;
    TRY_CLEANUP(cursor_next(c));
    while (!c->is_over) {
        TRY_CLEANUP(keep(t, c));
        TRY_CLEANUP(cursor_next(c));
    }
    rc = REGRET_OK;
cleanup:
    cursor_free(c);
    return rc;
}

/* ---- SQLite's interface ---- */

static void put_schema(struct regret_buffer *out, const struct source_table *t)
{
    static const char *const COLUMNS[SQL_KINDS] = {
        [SQL_JSON] = "file TEXT, document TEXT",
        [SQL_JSONL] = "file TEXT, line INT, nr INT, record TEXT",
        [SQL_ROWS] = "file TEXT, line INT, nr INT, record TEXT",
        [SQL_LINES] = "file TEXT, line INT, nr INT, text TEXT",
        [SQL_CELLS] = "file TEXT, line INT, nr INT, field INT, name TEXT, value TEXT",
        [SQL_LIST] = "file TEXT, line INT, nr INT, record TEXT"};
    regret_buffer_printf(out, "CREATE TABLE x(%s", COLUMNS[t->is_head ? SQL_JSON : t->kind]);
    for (size_t i = 0; !t->is_head && i < t->fields.kept.n; i++) {
        regret_buffer_append(out, ", \"");
        for (const char *p = t->fields.kept.name[i]; *p != '\0'; p++) {
            regret_buffer_append(out, *p == '"' ? "\"" : "");
            regret_buffer_append_char(out, *p);
        }
        regret_buffer_append(out, "\" TEXT");
    }
    regret_buffer_append(out, ")");
}

static int connect_table(sqlite3 *db, void *aux, int n, const char *const *args, sqlite3_vtab **out,
                         char **error)
{
    struct sql *s = aux;
    struct regret_buffer schema = REGRET_BUFFER_INIT;
    struct source_table *t = NULL;
    for (size_t i = 0; i < s->n_sources && n > 2; i++) {
        t = strcmp(s->source[i]->name, args[2]) == 0 ? s->source[i] : t;
    }
    struct table *v = t != NULL ? sqlite3_malloc64(sizeof *v) : NULL;
    if (v == NULL) {
        *error = sqlite3_mprintf("no such source");
        return SQLITE_ERROR;
    }
    *v = (struct table){.t = t};
    put_schema(&schema, t);
    int rc = regret_buffer_status(&schema) == REGRET_OK
                 ? sqlite3_declare_vtab(db, regret_buffer_get(&schema))
                 : SQLITE_NOMEM;
    regret_buffer_free(&schema);
    *out = &v->base;
    if (rc != SQLITE_OK) {
        sqlite3_free(v);
        *out = NULL;
    }
    return rc;
}

static int disconnect_table(sqlite3_vtab *v)
{
    sqlite3_free(v);
    return SQLITE_OK;
}

/* A source is the outermost loop of a join: what is streamed would else be read again and again. */
static int best_index(sqlite3_vtab *v, sqlite3_index_info *info)
{
    int keeping = is_keeping(((struct table *)v)->t);
    info->estimatedCost = keeping ? 1e3 : 1e12;
    info->estimatedRows = keeping ? 100 : 10000000;
    return SQLITE_OK;
}

static int make_cursor(struct cursor **out, struct source_table *t)
{
    FREED struct cursor *c = NULL;
    TRY(REGRET_NEW(&c, 1));
    TRY(t->fields.kept.n > 0 && !is_keeping(t) ? REGRET_NEW(&c->part, t->fields.kept.n)
                                               : REGRET_OK);
    c->t = t;
    *out = c;
    c = NULL;
    return REGRET_OK;
}

static int open_cursor(sqlite3_vtab *v, sqlite3_vtab_cursor **out)
{
    struct cursor *c = NULL;
    int code = sql_code(((struct table *)v)->t->sql, make_cursor(&c, ((struct table *)v)->t));
    *out = c != NULL ? &c->base : NULL;
    return code;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    cursor_free((struct cursor *)cursor);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
    struct cursor *c = (struct cursor *)cursor;
    if (is_keeping(c->t)) {
        text_store_pass(c->t->store, c->t->kept[c->row].text);
        c->is_over = ++c->row >= c->t->n_kept;
        return SQLITE_OK;
    }
    int code = sql_code(c->t->sql, cursor_next(c));
    c->t->records = code == SQLITE_OK && c->is_over ? c->row : c->t->records;
    return code;
}

static int begin_rows(sqlite3_vtab_cursor *cursor, int index, const char *name, int n,
                      sqlite3_value **values)
{
    struct cursor *c = (struct cursor *)cursor;
    (void)index, (void)name, (void)n, (void)values;
    if (is_keeping(c->t)) {
        int rc = c->t->readings++ == 0 ? keep_all(c->t) : REGRET_OK;
        c->row = 0;
        c->is_over = c->t->n_kept == 0;
        return sql_code(c->t->sql, rc);
    }
    if (++c->t->readings > MOST_READINGS) {
        return sql_code(
            c->t->sql,
            regret_fail(REGRET_E_INPUT,
                        "source %s is read more than %d times; make a table of it first: CREATE "
                        "TEMP TABLE picked AS SELECT ... FROM %s",
                        c->t->name, MOST_READINGS, c->t->name));
    }
    cursor_close_member(c);
    source_close(c->source);
    c->source = NULL;
    c->path = c->row = c->given = 0;
    return next_row(cursor);
}

static int is_over(sqlite3_vtab_cursor *cursor)
{
    return ((struct cursor *)cursor)->is_over;
}

static void give_whole(sqlite3_context *context, const char *text)
{
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* Gives bytes of a text of our own, which hold no zero. SQLite must copy them once more for every function that it hands them to,
 * unless it is told by a zero where they end. */
static void give_text(sqlite3_context *context, char *text, size_t length)
{
    if (text == NULL) { /* nothing was ever put there */
        give_whole(context, "");
        return;
    }
    const char behind = text[length];
    text[length] = '\0';
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
    text[length] = behind;
}

static void give_cell(sqlite3_context *context, struct cursor *c, int column)
{
    if (column == 3) {
        sqlite3_result_int64(context, (sqlite3_int64)c->field);
    } else if (column == 4) {
        give_whole(context, c->header.name[c->field]);
    } else {
        give_whole(context, regret_csv_field(NULL, c->csv, c->field));
    }
}

static int give_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    struct cursor *c = (struct cursor *)cursor;
    if (is_keeping(c->t)) {
        const struct kept *k = &c->t->kept[c->row];
        give_whole(context, column == 0 ? k->file : k->text);
    } else if (column == 0) {
        give_whole(context, regret_buffer_get(&c->file));
    } else if (column == 1) {
        sqlite3_result_int64(context, (sqlite3_int64)c->line);
    } else if (column == 2) {
        sqlite3_result_int64(context, (sqlite3_int64)c->row);
    } else if (c->t->kind == SQL_CELLS) {
        give_cell(context, c, column);
    } else if (column == 3) {
        size_t star = names_find(&c->t->fields.kept, "*");
        give_text(context, c->text.data, star != SIZE_MAX ? c->part[star].begin : c->text.length);
    } else if (c->part[column - 4].length > 0) {
        give_text(context, c->text.data + c->part[column - 4].begin, c->part[column - 4].length);
    }
    return SQLITE_OK;
}

static int give_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
    *row = (sqlite3_int64)((struct cursor *)cursor)->row;
    return SQLITE_OK;
}

static const sqlite3_module MODULE = {.xCreate = connect_table,
                                      .xConnect = connect_table,
                                      .xBestIndex = best_index,
                                      .xDisconnect = disconnect_table,
                                      .xDestroy = disconnect_table,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = begin_rows,
                                      .xNext = next_row,
                                      .xEof = is_over,
                                      .xColumn = give_column,
                                      .xRowid = give_row};

int source_register(struct sql *s)
{
    return sqlite3_create_module_v2(s->db, "source", &MODULE, s, NULL) == SQLITE_OK
               ? REGRET_OK
               : regret_fail(REGRET_E_NOMEM, "out of memory: tables");
}

/* ---- making one ---- */

void source_table_free(struct source_table *t)
{
    if (t == NULL) {
        return;
    }
    for (size_t i = 0; i < t->n_kept; i++) {
        regret_free(t->kept[i].file);
    }
    text_store_free(t->store);
    regret_free(t->kept);
    texts_free(t->paths, t->n_paths);
    names_free(&t->patterns);
    names_free(&t->fields.kept);
    names_free(&t->fields.without);
    regret_free(t->lists);
    regret_free(t->name);
    regret_free(t);
}

/* The words of a list, between marks and blanks. */
static int enter_words(struct names *names, const char *list, const char *marks)
{
    uint32_t number = 0;
    for (const char *p = list != NULL ? list : ""; *p != '\0';) {
        FREED char *word = NULL;
        size_t n = strcspn(p, marks);
        TRY(regret_strndup(&word, p, n));
        TRY(n > 0 ? names_enter(&number, names, word) : REGRET_OK);
        p += n + strspn(p + n, marks);
    }
    return REGRET_OK;
}

static int copy_source(struct source_table *t, const struct sql_source *from, int is_head)
{
    t->kind = from->kind;
    t->is_head = is_head;
    t->is_mended = from->is_mended;
    t->given = from->text;
    TRY(REGRET_NEW(&t->paths, from->n_paths + 1));
    for (; t->n_paths < from->n_paths; t->n_paths++) {
        TRY(regret_strdup(&t->paths[t->n_paths], from->paths[t->n_paths]));
    }
    TRY(enter_words(&t->patterns, from->patterns, "| \n"));
    TRY(enter_words(&t->fields.kept, is_head ? NULL : from->fields, ", \n"));
    TRY(enter_words(&t->fields.without, from->without, ", \n"));
    return regret_strdup(&t->lists, from->lists != NULL ? from->lists : "$");
}

static int add_table(struct sql *s, const struct sql_source *from, int is_head)
{
    FREED_BY(source_table_free_at) struct source_table *t = NULL;
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    TRY(REGRET_NEW(&t, 1));
    t->sql = s;
    regret_buffer_append(&name, from->name);
    regret_buffer_append(&name, is_head ? "_head" : "");
    TRY(regret_buffer_status(&name));
    TRY(regret_strdup(&t->name, regret_buffer_get(&name)));
    TRY(copy_source(t, from, is_head));
    TRY(regret_grow((void **)&s->source, &s->capacity, s->n_sources, sizeof *s->source, "sources"));
    s->source[s->n_sources++] = t;
    const char *made = t->name;
    t = NULL;
    return sql_each(s, NULL, NULL, "CREATE VIRTUAL TABLE temp.\"%w\" USING source", made);
}

int sql_add_source(struct sql *s, const struct sql_source *source)
{
    TRY(add_table(s, source, 0));
    return source->kind == SQL_LIST ? add_table(s, source, 1) : REGRET_OK;
}

static const struct source_table *find_source(const struct sql *s, const char *name)
{
    for (size_t i = 0; i < s->n_sources; i++) {
        if (strcmp(s->source[i]->name, name) == 0) {
            return s->source[i];
        }
    }
    return NULL;
}

size_t sql_source_records(const struct sql *s, const char *name)
{
    const struct source_table *t = find_source(s, name);
    return t != NULL ? t->records : 0;
}
