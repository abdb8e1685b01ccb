#include "table/sql.h"

#include <math.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "regret/status.h"
#include "table/internal.h"

FREED_POINTER(struct sql, sql_close)
FREED_POINTER(sqlite3_stmt, sqlite3_finalize)

enum {
    MOST_TEXT = 256 << 20, /* bytes of a text or a row */
    MOST_SCRIPT = 1 << 20,
    MOST_DEPTH = 200,     /* of an expression */
    STEPS = 1 << 20,      /* of SQLite's machine between two looks at the clock */
    MOST_PAGES = 1 << 21, /* of PAGE bytes: what temporary tables may take on disk */
    PAGE = 32768,
    MOST_SECONDS = 3600 /* of a statement */
};

static const sqlite3_int64 MOST_MEMORY = (sqlite3_int64)2 << 30; /* of SQLite in this process */

/* ---- failures ---- */

int sql_code(struct sql *s, int rc)
{
    if (rc != REGRET_OK && s->failed == REGRET_OK) {
        s->failed = rc;
        snprintf(s->said, sizeof s->said, "%s", regret_error_message());
    }
    return rc == REGRET_E_NOMEM ? SQLITE_NOMEM : rc != REGRET_OK ? SQLITE_ERROR : SQLITE_OK;
}

/* What a source met, else what SQLite says of a statement at `at` (file NULL: the program's own). */
static int tell_failure(struct sql *s, int code, const struct regret_place *at)
{
    int failed = s->failed;
    s->failed = REGRET_OK;
    if (failed != REGRET_OK) {
        return regret_fail(failed, "%s", s->said);
    }
    if (code == SQLITE_NOMEM) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: tables");
    }
    if (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_CANTOPEN) {
        return regret_fail(REGRET_E_IO, "cannot write a temporary table: %s",
                           sqlite3_errmsg(s->db));
    }
    if (code == SQLITE_INTERRUPT) {
        return regret_fail(REGRET_E_INPUT, "%s: not done after %d s; a join without an index?",
                           at->file != NULL ? at->file : "a query", MOST_SECONDS);
    }
    return at->file != NULL ? regret_json_error(*at, "%s", sqlite3_errmsg(s->db))
                            : regret_fail(REGRET_E_INTERNAL, "%s", sqlite3_errmsg(s->db));
}

/* ---- what a script may do ---- */

static int is_temporary(const char *database)
{
    return database != NULL && strcmp(database, "temp") == 0;
}

static int authorize(void *context, int action, const char *a, const char *b, const char *database,
                     const char *within)
{
    (void)context, (void)within;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return sqlite3_stricmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_REINDEX:
        return is_temporary(database) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE: /* as indexes are made */
        return is_temporary(database) && strcmp(a, "sqlite_temp_master") == 0 ? SQLITE_OK
                                                                              : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static int is_late(void *context)
{
    return clock_seconds() > *(const double *)context;
}

/* ---- the database ---- */

static void give_option(sqlite3_context *context, int n, sqlite3_value **values)
{
    const struct sql *s = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);
    size_t i = name != NULL ? names_find(&s->option, name) : SIZE_MAX;
    (void)n;
    if (i != SIZE_MAX && s->value[i] != NULL) {
        sqlite3_result_text(context, s->value[i], -1, SQLITE_TRANSIENT);
    }
}

/* The number of a file, in the order in which files were met. */
static void give_met(sqlite3_context *context, int n, sqlite3_value **values)
{
    const struct sql *s = sqlite3_user_data(context);
    const char *file = (const char *)sqlite3_value_text(values[0]);
    size_t i = file != NULL ? names_find(&s->files[SQL_FILES_MET], file) : SIZE_MAX;
    (void)n;
    sqlite3_result_int64(context, i != SIZE_MAX ? (sqlite3_int64)i : INT64_MAX);
}

typedef void function(sqlite3_context *context, int n, sqlite3_value **values);

static int add_function(struct sql *s, const char *name, int flags, function *give)
{
    return sqlite3_create_function_v2(s->db, name, 1, SQLITE_UTF8 | SQLITE_INNOCUOUS | flags, s,
                                      give, NULL, NULL, NULL) == SQLITE_OK
               ? REGRET_OK
               : regret_fail(REGRET_E_NOMEM, "out of memory: tables");
}

static int is_reversing; /* for tests */

void sql_reverse(int is_reversed)
{
    is_reversing = is_reversed;
}

static int configure(struct sql *s)
{
    static const int LIMITS[][2] = {
        {SQLITE_LIMIT_LENGTH, MOST_TEXT},      {SQLITE_LIMIT_SQL_LENGTH, MOST_SCRIPT},
        {SQLITE_LIMIT_EXPR_DEPTH, MOST_DEPTH}, {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 0},       {SQLITE_LIMIT_WORKER_THREADS, 0}};
    static const int SETTINGS[][2] = {{SQLITE_DBCONFIG_DQS_DML, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        sqlite3_limit(s->db, LIMITS[i][0], LIMITS[i][1]);
    }
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        sqlite3_db_config(s->db, SETTINGS[i][0], SETTINGS[i][1], NULL);
    }
    s->end = INFINITY;
    sqlite3_progress_handler(s->db, STEPS, is_late, &s->end);
    TRY(source_register(s));
    TRY(sql_add_functions(s->db));
    TRY(add_function(s, "option", SQLITE_DETERMINISTIC, give_option));
    TRY(add_function(s, "met", 0, give_met));
    /* Before a script may only read, what it reads of SQLite's own must be there. */
    TRY(sql_each(s, NULL, NULL, "PRAGMA temp.page_size = %d", PAGE));
    TRY(sql_each(s, NULL, NULL, "PRAGMA temp.max_page_count = %d", MOST_PAGES));
    TRY(sql_each(s, NULL, NULL, "PRAGMA temp.cache_size = -16384"));
    TRY(sql_each(s, NULL, NULL, "PRAGMA temp.journal_mode = OFF"));
    TRY(is_reversing ? sql_each(s, NULL, NULL, "PRAGMA reverse_unordered_selects = 1") : REGRET_OK);
    return sql_each(s, NULL, NULL, "SELECT * FROM json_each('[]'), json_tree('[]')");
}

int sql_open(struct sql **out)
{
    FREED_BY(sql_close_at) struct sql *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    sqlite3_hard_heap_limit64(MOST_MEMORY);
    if (sqlite3_open_v2(":memory:", &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: tables");
    }
    TRY(configure(s));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void sql_close(struct sql *s)
{
    if (s == NULL) {
        return;
    }
    sqlite3_close(s->db);
    for (size_t i = 0; i < s->n_sources; i++) {
        source_table_free(s->source[i]);
    }
    for (size_t i = 0; i < s->option.n; i++) {
        regret_free(s->value[i]);
    }
    regret_free(s->source);
    regret_free(s->value);
    names_free(&s->option);
    for (size_t i = 0; i < sizeof s->files / sizeof *s->files; i++) {
        names_free(&s->files[i]);
    }
    regret_free(s);
}

sqlite3 *sql_handle(struct sql *s)
{
    return s->db;
}

const struct names *sql_files(const struct sql *s, enum sql_files which)
{
    return &s->files[which];
}

int sql_set_option(struct sql *s, const char *name, const char *value)
{
    FREED char *copy = NULL;
    uint32_t i = 0;
    size_t before = s->option.n;
    TRY(regret_grow((void **)&s->value, &s->value_capacity, before, sizeof *s->value, "options"));
    TRY(value != NULL ? regret_strdup(&copy, value) : REGRET_OK);
    TRY(names_enter(&i, &s->option, name));
    if (s->option.n == before) {
        regret_free(s->value[i]);
    }
    s->value[i] = copy;
    copy = NULL;
    return REGRET_OK;
}

/* ---- statements ---- */

static size_t count_lines(const char *text, const char *end)
{
    size_t n = 0;
    for (; text < end; text++) {
        n += *text == '\n';
    }
    return n;
}

/* Past blanks and comments: where a statement begins. */
static const char *skip_to_statement(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\r\n;");
        if (strncmp(p, "--", 2) != 0) {
            return p;
        }
        p += strcspn(p, "\n");
    }
}

int sql_statement(struct sql *s, const char **script, const struct regret_place *at, sql_row *begin,
                  sql_row *row, void *context)
{
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *statement = NULL;
    const char *text = *script;
    int code = sqlite3_prepare_v3(s->db, text, -1, 0, &statement, script);
    if (code != SQLITE_OK) {
        int offset = sqlite3_error_offset(s->db);
        struct regret_place fault = *at;
        fault.line += offset > 0 ? count_lines(text, text + offset) : 0;
        return tell_failure(s, code, &fault);
    }
    TRY(begin != NULL ? begin(context, statement) : REGRET_OK);
    s->end = clock_seconds() + MOST_SECONDS;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        TRY(row != NULL ? row(context, statement) : REGRET_OK);
    }
    return code == SQLITE_DONE ? REGRET_OK : tell_failure(s, code, at);
}

int sql_run(struct sql *s, const char *script, const struct regret_place *at)
{
    for (const char *p = skip_to_statement(script); *p != '\0'; p = skip_to_statement(p)) {
        const struct regret_place here = {at->file, at->line + count_lines(script, p)};
        TRY(sql_statement(s, &p, &here, NULL, NULL, NULL));
    }
    return REGRET_OK;
}

void sql_guard(struct sql *s)
{
    sqlite3_set_authorizer(s->db, authorize, s);
}

int sql_clear(struct sql *s)
{
    FREED char *drop = NULL;
    sqlite3_set_authorizer(s->db, NULL, NULL);
    TRY(sql_text(&drop, s,
                 "SELECT group_concat(printf('DROP %%s temp.\"%%w\";', type, name), ' ') FROM "
                 "temp.sqlite_master "
                 "WHERE type IN ('table', 'view')"));
    TRY(drop != NULL ? sql_run(s, drop, &(struct regret_place){NULL, 1}) : REGRET_OK);
    sql_guard(s);
    return REGRET_OK;
}

static int each(struct sql *s, sql_row *row, void *context, const char *query, va_list args)
{
    static const struct regret_place NOWHERE = {NULL, 0};
    FREED_BY(sqlite3_finalize_at) sqlite3_stmt *statement = NULL;
    char *text = sqlite3_vmprintf(query, args);
    int code = text != NULL ? sqlite3_prepare_v2(s->db, text, -1, &statement, NULL) : SQLITE_NOMEM;
    int rc = REGRET_OK;
    s->end = INFINITY; /* the program's own take what they take */
    sqlite3_free(text);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        rc = code == SQLITE_ROW && row != NULL ? row(context, statement) : REGRET_OK;
        TRY(rc);
    }
    return code == SQLITE_DONE ? REGRET_OK : tell_failure(s, code, &NOWHERE);
}

int sql_each(struct sql *s, sql_row *row, void *context, const char *query, ...)
{
    va_list args;
    va_start(args, query);
    int rc = each(s, row, context, query, args);
    va_end(args);
    return rc;
}

static int take_text(void *context, sqlite3_stmt *row)
{
    char **out = context;
    const char *text = (const char *)sqlite3_column_text(row, 0);
    if (*out != NULL || text == NULL) {
        return REGRET_OK;
    }
    return regret_strdup(out, text);
}

int sql_text(char **out, struct sql *s, const char *query, ...)
{
    va_list args;
    *out = NULL;
    va_start(args, query);
    int rc = each(s, take_text, out, query, args);
    va_end(args);
    return rc;
}

static int take_number(void *context, sqlite3_stmt *row)
{
    double *out = context;
    if (sqlite3_column_type(row, 0) != SQLITE_NULL) {
        *out = sqlite3_column_double(row, 0);
    }
    return REGRET_OK;
}

int sql_number(double *out, struct sql *s, const char *query, ...)
{
    va_list args;
    *out = NAN;
    va_start(args, query);
    int rc = each(s, take_number, out, query, args);
    va_end(args);
    return rc;
}
