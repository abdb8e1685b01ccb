/* A table in SQLite, and what its columns hold. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/status.h"
#include "import/init.h"
#include "import/scales.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/sql.h"
#include "table/words.h"

FREED_POINTER(struct regret_csv, regret_csv_close)

/* ---------------------------------------------------------------- SQLite */

static int sql_failed(const struct init_table *t)
{
    sqlite3 *db = sql_handle(t->sql);
    return regret_fail(sqlite3_errcode(db) == SQLITE_NOMEM ? REGRET_E_NOMEM : REGRET_E_INTERNAL,
                       "%s: SQLite: %s", t->path, sqlite3_errmsg(db));
}

/* Numbers of the first row. */
struct first_row {
    double *x;
    int n, is_read;
};

static int take_numbers(void *context, sqlite3_stmt *row)
{
    struct first_row *first = context;
    for (int i = 0; i < first->n && !first->is_read; i++) {
        int is_null = sqlite3_column_type(row, i) == SQLITE_NULL;
        first->x[i] = is_null ? NAN : sqlite3_column_double(row, i);
    }
    first->is_read = 1;
    return REGRET_OK;
}

/* A query that sqlite3_free() frees. */
static int each_of(const struct init_table *t, sql_row *row, void *context, char *query)
{
    int rc = query != NULL ? sql_each(t->sql, row, context, "%s", query)
                           : regret_fail(REGRET_E_NOMEM, "out of memory: a query");
    sqlite3_free(query);
    return rc;
}

int init_ask_numbers(double *out, int n, const struct init_table *t, const char *query, ...)
{
    struct first_row first = {out, n, 0};
    va_list args;
    for (int i = 0; i < n; i++) {
        out[i] = NAN;
    }
    va_start(args, query);
    char *text = sqlite3_vmprintf(query, args);
    va_end(args);
    return each_of(t, take_numbers, &first, text);
}

void init_key(char out[INIT_KEY], const int *columns, size_t n)
{
    size_t length = 0, given = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (columns[i] != INIT_NONE) {
            length += (size_t)snprintf(out + length, INIT_KEY - length, "%sc%d",
                                       given++ > 0 ? ", " : "", columns[i]);
        }
    }
}

static int take_varies(void *context, sqlite3_stmt *row)
{
    struct init_table *t = context;
    for (size_t k = 0; k < t->n_columns; k++) {
        t->column[k].varies[t->next_key] = sqlite3_column_double(row, (int)k);
    }
    return REGRET_OK;
}

/* The shares of all columns at once, kept: most questions are of few keys. */
static int measure_varies(struct init_table *t, const char *key)
{
    sqlite3_str *query = sqlite3_str_new(sql_handle(t->sql));
    sqlite3_str_appendall(query, "SELECT ");
    for (size_t k = 0; k < t->n_columns; k++) {
        sqlite3_str_appendf(query, "%savg(v%d)", k > 0 ? ", " : "", (int)k);
    }
    sqlite3_str_appendall(query, " FROM (SELECT ");
    for (size_t k = 0; k < t->n_columns; k++) {
        sqlite3_str_appendf(query, "%smin(c%d) <> max(c%d) AS v%d", k > 0 ? ", " : "", (int)k,
                            (int)k, (int)k);
    }
    sqlite3_str_appendf(query, " FROM t GROUP BY %s HAVING count(*) > 1)", key);
    snprintf(t->key[t->next_key], INIT_KEY, "%s", key);
    return each_of(t, take_varies, t, sqlite3_str_finish(query));
}

int init_varies(double *out, struct init_table *t, int column, const int *by, size_t n)
{
    char key[INIT_KEY];
    *out = 0.0;
    if (n == 1 && t->column[by[0]].distinct == t->rows) {
        return REGRET_OK; /* a row each */
    }
    init_key(key, by, n);
    for (size_t i = 0; i < INIT_KEYS; i++) {
        if (strcmp(t->key[i], key) == 0) {
            *out = t->column[column].varies[i];
            return REGRET_OK;
        }
    }
    TRY(measure_varies(t, key));
    *out = t->column[column].varies[t->next_key];
    t->next_key = (t->next_key + 1) % INIT_KEYS;
    return REGRET_OK;
}

int init_is_free(const struct init_table *t, int column)
{
    const struct init_column *c = &t->column[column];
    return !c->is_used && !c->is_left && c->name[0] != '\0' && strlen(c->name) <= FIELDS_MAX_NAME &&
           strstr(c->name, FIELDS_AGENT) == NULL;
}

/* ---------------------------------------------------------------- columns and cells */

static int run(struct init_table *t, const char *query)
{
    return sqlite3_exec(sql_handle(t->sql), query, NULL, NULL, NULL) == SQLITE_OK ? REGRET_OK
                                                                                  : sql_failed(t);
}

/* Who has won, and who could have, is read as it stands, and of a log who answered; of all others equality is enough. */
static int keeps_text(const struct init_table *t, const struct init_column *c)
{
    const char *agent = t->known->agent.n > 0 ? t->known->agent.item[0] : "";
    return t->known->is_log
               ? (c->said.roles & (INIT_AGENT | INIT_ITEM)) != 0 || strcmp(agent, c->name) == 0
               : (c->said.roles & INIT_WINNER) != 0 || c->is_side ||
                     (t->known->winner != NULL && strcmp(t->known->winner, c->name) == 0);
}

int init_add_column(struct init_table *t, const char *name)
{
    char query[96];
    TRY(t->n_columns < INIT_COLUMNS
            ? REGRET_OK
            : regret_fail(REGRET_E_INPUT,
                          "%s has more than %d columns: take out those that are none of the "
                          "table's, or write its map by hand (docs/formats.md)",
                          t->path, INIT_COLUMNS));
    TRY(regret_grow((void **)&t->column, &t->capacity, t->n_columns, sizeof *t->column,
                    "the columns of a table"));
    struct init_column *c = &t->column[t->n_columns];
    *c = (struct init_column){.least = INFINITY,
                              .most = -INFINITY,
                              .next_least = INFINITY,
                              .next_most = -INFINITY,
                              .last_row = SIZE_MAX};
    TRY(regret_strdup(&c->name, name));
    char plain[INIT_REST];
    size_t k = t->n_columns++, nest = t->nest != NULL ? strlen(t->nest) : 0;
    int is_nested = nest > 0 && strncmp(name, t->nest, nest) == 0 && name[nest] == '.';
    name += is_nested ? nest + strlen(".*.") : 0;
    size_t n = strlen(name);
    while (t->is_json && n > 2 && name[n - 2] == '.' && name[n - 1] == '0') {
        n -= 2; /* "resps.0" */
    }
    snprintf(plain, sizeof plain, "%.*s", (int)(n < sizeof plain ? n : sizeof plain - 1), name);
    init_name_role(&c->said, &t->words, plain);
    c->is_side = init_has_side(plain);
    c->keeps_text = keeps_text(t, c);
    sqlite3_finalize(t->insert[0]);
    sqlite3_finalize(t->insert[1]);
    t->insert[0] = t->insert[1] = NULL;
    snprintf(query, sizeof query, "ALTER TABLE t ADD COLUMN c%zu; ALTER TABLE n ADD COLUMN v%zu", k,
             k);
    return run(t, query);
}

int init_prepare_insert(struct init_table *t)
{
    for (int i = 0; i < 2; i++) {
        sqlite3_str *query = sqlite3_str_new(sql_handle(t->sql));
        sqlite3_str_appendf(query, "INSERT INTO %s VALUES (?", i == 0 ? "t" : "n");
        for (size_t k = 0; k < t->n_columns; k++) {
            sqlite3_str_appendall(query, ", ?");
        }
        sqlite3_str_appendall(query, ")");
        char *text = sqlite3_str_finish(query);
        int rc = text == NULL
                     ? SQLITE_NOMEM
                     : sqlite3_prepare_v2(sql_handle(t->sql), text, -1, &t->insert[i], NULL);
        sqlite3_free(text);
        TRY(rc == SQLITE_OK ? REGRET_OK : sql_failed(t));
    }
    return REGRET_OK;
}

/* What a cell holds. */
struct cell {
    int is_number, is_word, is_comma, is_percent, is_grade;
    double x; /* of a number or a word; NaN */
};

static void read_cell(struct cell *out, const char *text, size_t length, int is_log)
{
    enum { LONGEST_VALUE = 40, LONGEST_WORD = 12 };
    int is_figure = text[0] >= '0' && text[0] <= '9';
    *out = (struct cell){.x = NAN};
    if (is_figure && table_source_parse(&out->x, text)) {
        double word = 0.0;
        out->is_word = table_source_parse_word(&word, text);
        out->is_number = !out->is_word;
        return;
    }
    if (length > LONGEST_VALUE || (isalpha((unsigned char)text[0]) && length > LONGEST_WORD)) {
        return; /* a text */
    }
    out->is_word =
        is_log ? table_source_parse_verdict(&out->x, text) : table_source_parse_word(&out->x, text);
    out->is_percent = !out->is_word && table_source_parse_percent(&out->x, text);
    out->is_number = !out->is_word && (out->is_percent || table_source_parse(&out->x, text) ||
                                       table_source_parse_money(&out->x, text));
    out->is_comma = !out->is_word && !out->is_number && table_source_parse_comma(&out->x, text);
    out->is_grade = !out->is_number && grades_has(text);
    out->x = out->is_number || out->is_word || out->is_comma ? out->x : NAN;
}

/* Counts a cell where its hash is new. */
static int count_distinct(struct init_column *c, uint64_t hash)
{
    hash += hash == 0; /* of a free slot */
    if (2 * (c->distinct + 1) > c->n_slots) {
        uint64_t *old = c->slot;
        size_t n = c->n_slots;
        c->slot = NULL;
        TRY(REGRET_NEW(&c->slot, n > 0 ? 4 * n : 64));
        c->n_slots = n > 0 ? 4 * n : 64;
        for (size_t i = 0; i < n; i++) {
            size_t at = old[i] & (c->n_slots - 1);
            while (old[i] != 0 && c->slot[at] != 0) {
                at = (at + 1) & (c->n_slots - 1);
            }
            c->slot[at] = old[i] != 0 ? old[i] : c->slot[at];
        }
        regret_free(old);
    }
    size_t at = hash & (c->n_slots - 1);
    while (c->slot[at] != 0 && c->slot[at] != hash) {
        at = (at + 1) & (c->n_slots - 1);
    }
    c->distinct += c->slot[at] == 0;
    c->slot[at] = hash;
    return REGRET_OK;
}

/* Least and most, the next to them, and how many are shares, or far above. */
static void see_number(struct init_column *c, double x)
{
    c->next_least = x < c->least ? c->least : x > c->least ? fmin(c->next_least, x) : c->next_least;
    c->next_most = x > c->most ? c->most : x < c->most ? fmax(c->next_most, x) : c->next_most;
    c->at_most = x > c->most ? 1 : c->at_most + (x == c->most);
    c->least = fmin(c->least, x);
    c->most = fmax(c->most, x);
    c->whole += x == floor(x);
    c->shares += x > 0.0 && x < 1.0;
    c->tens += x > 10.0;
}

/* What a cell tells of its column. `range`: of a list of numbers. */
static void look(struct init_column *c, const struct init_words *words, const struct cell *cell,
                 const char *text, size_t length, size_t line, size_t row, const double *range)
{
    c->filled++;
    c->longest = length > c->longest ? length : c->longest;
    c->truths += cell->is_word;
    c->numbers += cell->is_number;
    c->commas += cell->is_comma;
    c->points += cell->is_number && strchr(text, '.') != NULL;
    c->clear_commas += cell->is_comma && table_source_comma_is_clear(text);
    c->grades += cell->is_grade;
    c->lists += text[0] == '[';
    c->named_lists +=
        text[0] == '[' && (strstr(text, "\"score\"") != NULL || strstr(text, "\"value\"") != NULL ||
                           strstr(text, "\"rating\"") != NULL ||
                           (text[1] >= '0' && text[1] <= '9' && (c->said.roles & INIT_SCORE) != 0));
    c->patches += strncmp(text, "diff --git", 10) == 0 || strncmp(text, "--- ", 4) == 0;
    if (!isnan(cell->x)) {
        see_number(c, cell->x);
        c->least = range != NULL ? fmin(c->least, range[0]) : c->least;
        c->most = range != NULL ? fmax(c->most, range[1]) : c->most;
    }
    if (c->summary_line == 0 && length < INIT_WORD && (c->said.roles & INIT_AGENT) != 0 &&
        (init_word_roles(words, text) & INIT_SUMMARY) != 0) {
        c->summary_line = line;
        snprintf(c->other, sizeof c->other, "%.*s", INIT_EXAMPLE - 1, text);
    }
    c->percent_line = c->percent_line == 0 && cell->is_percent ? line : c->percent_line;
    c->other_row = !cell->is_number && !cell->is_word ? row : c->other_row;
    if (isnan(cell->x) && c->other_line == 0) {
        c->other_line = line;
        snprintf(c->other, sizeof c->other, "%.*s", INIT_EXAMPLE - 1, text);
    }
    if (c->example[0] == '\0') {
        snprintf(c->example, sizeof c->example, "%.*s", INIT_EXAMPLE - 1, text);
    }
}

/* Cell k of the row at hand: its hash, and its number. */
int init_put_cell(struct init_table *t, size_t k, const char *text, size_t line,
                  const double *range)
{
    enum { LONGEST_MARK = 8 }; /* "#n/a" */
    struct init_column *c = &t->column[k];
    struct cell cell;
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        length--;
    }
    if (length == 0 || (length < LONGEST_MARK && table_source_is_missing(text))) {
        return REGRET_OK;
    }
    uint64_t hash = regret_hash64(text, length);
    read_cell(&cell, text, length, t->known->is_log);
    if (c->last_row != t->rows) {
        look(c, &t->words, &cell, text, length, line, t->rows, range);
        TRY(count_distinct(c, hash));
        c->last_row = t->rows;
    }
    if (!isnan(cell.x)) {
        sqlite3_bind_double(t->insert[1], (int)k + 2, cell.x);
    }
    int rc = c->keeps_text
                 ? sqlite3_bind_text(t->insert[0], (int)k + 2, text, (int)length, SQLITE_TRANSIENT)
                 : sqlite3_bind_int64(t->insert[0], (int)k + 2, (sqlite3_int64)hash);
    return rc == SQLITE_OK ? REGRET_OK : sql_failed(t);
}

/* A row is over; *full: no more are looked at. */
int init_end_row(struct init_table *t, size_t line, int *full)
{
    int step = SQLITE_DONE;
    for (int i = 0; i < 2 && step == SQLITE_DONE; i++) {
        sqlite3_bind_int64(t->insert[i], 1, (sqlite3_int64)line);
        step = sqlite3_step(t->insert[i]);
        sqlite3_reset(t->insert[i]);
        sqlite3_clear_bindings(t->insert[i]);
    }
    t->rows++;
    *full = t->rows * (t->n_columns + 1) > (t->known->is_log ? INIT_LOG_CELLS : INIT_CELLS);
    return step == SQLITE_DONE ? REGRET_OK : sql_failed(t);
}

/* ---------------------------------------------------------------- CSV */

static int check_header(const struct init_table *t)
{
    size_t named = 0;
    for (size_t k = 0; k < t->n_columns; k++) {
        named += t->column[k].name[0] != '\0';
    }
    return named >= 2 || (t->known->is_log && named == 1)
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s:1: %zu of %zu columns has a name, and a table has three "
                             "(context, agent, score) or more: take out what stands above "
                             "the header, or say --separator",
                             t->path, named, t->n_columns);
}

static int read_header(struct init_table *t, struct regret_csv *csv, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const char *name = regret_csv_field(NULL, csv, k);
        uint32_t first = 0;
        size_t before = t->names.n;
        double x = 0.0, word = 0.0;
        if (table_source_parse(&x, name) && !table_source_parse_word(&word, name)) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s:1: a column is called \"%.40s\", a number: write a header above, "
                "a name for each column",
                t->path, name);
        }
        TRY(name[0] != '\0' ? names_enter(&first, &t->names, name) : REGRET_OK);
        if (name[0] != '\0' && t->names.n == before) {
            return regret_fail(REGRET_E_INPUT, "%s:1: column \"%.40s\" is given twice; rename one",
                               t->path, name);
        }
        TRY(init_add_column(t, name));
    }
    return check_header(t);
}

static int read_csv(struct init_table *t)
{
    FREED_BY(regret_csv_close_at) struct regret_csv *csv = NULL;
    struct regret_place at = {t->path, 0};
    size_t n = 0;
    TRY(csv_table_open_trimmed(&csv, t->path, t->separator));
    TRY(csv_table_next(csv, &n, &at));
    TRY(n > 0 ? read_header(t, csv, n)
              : regret_fail(REGRET_E_INPUT, "%s is empty; give a table with a header", t->path));
    TRY(init_prepare_insert(t));
    while (!t->is_cut) {
        size_t filled = 0;
        TRY(csv_table_next(csv, &n, &at));
        if (n == 0) {
            break;
        }
        TRY(n == t->n_columns
                ? REGRET_OK
                : regret_json_error(at, "%zu fields, but the header has %zu", n, t->n_columns));
        for (size_t k = 0; k < n; k++) {
            const char *text = regret_csv_field(NULL, csv, k);
            filled += text[0] != '\0';
            TRY(init_put_cell(t, k, text, at.line, NULL));
        }
        TRY(filled > 0 ? init_end_row(t, at.line, &t->is_cut) : REGRET_OK);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the profile */

/* What stands below the header, and not further down: units, or more rows of names. */
static int check_first_rows(const struct init_table *t, const struct init_column *c)
{
    enum { MOST = 3, FEW = 5 };
    return c->numbers == c->filled || c->filled <= FEW || c->numbers + MOST < c->filled ||
                   c->other_line == 0 || c->other_row >= MOST ||
                   c->other_row + 1 > c->filled - c->numbers
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s:%zu: column \"%.40s\" holds \"%s\" there, and numbers below: take "
                             "units, or a second row of a header, out",
                             t->path, c->other_line, c->name, c->other);
}

/* Decimal points and decimal commas in one column. */
static int check_commas(const struct init_table *t, const struct init_column *c)
{
    return !t->decimal_comma || 20 * c->commas < c->filled || 20 * c->points < c->filled
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: column \"%.40s\" holds numbers with a decimal comma and with a "
                             "decimal point: write all scores as the one or the other",
                             t->path, c->name);
}

static int finish(struct init_table *t)
{
    TRY(t->rows >= 2 || (t->known->is_log && t->rows == 1)
            ? REGRET_OK
            : regret_fail(REGRET_E_INPUT, "%s has %s", t->path,
                          t->rows == 0 ? "no rows" : "one row: there is nothing to tell"));
    TRY(run(t, "COMMIT"));
    for (size_t k = 0; k < t->n_columns; k++) {
        struct init_column *c = &t->column[k];
        t->decimal_comma |= c->clear_commas > 0 && 20 * (c->numbers + c->commas) >= 19 * c->filled;
    }
    for (size_t k = 0; k < t->n_columns; k++) {
        struct init_column *c = &t->column[k];
        c->numbers += t->decimal_comma ? c->commas : 0;
        size_t scored = c->numbers + c->truths > c->grades ? c->numbers + c->truths : c->grades;
        c->is_numeric = c->filled > 0 && 20 * c->numbers >= 19 * c->filled;
        c->is_scored = c->filled > 0 && 20 * scored >= 19 * c->filled;
        c->is_scorable = c->is_scored && c->distinct >= 2;
        c->is_list = 2 * c->lists > c->filled;
        TRY(check_first_rows(t, c));
        TRY(check_commas(t, c));
    }
    return REGRET_OK;
}

int init_table_read(struct init_table *t, const char *path, const struct init_known *known)
{
    int is_json = 0;
    *t = (struct init_table){.path = path, .known = known};
    TRY(init_words_read(&t->words, known->is_log));
    TRY(sql_open(&t->sql));
    TRY(run(t, "PRAGMA temp_store = MEMORY; CREATE TABLE t (line INTEGER); CREATE TABLE n (line "
               "INTEGER); BEGIN"));
    TRY(input_check_regular(path));
    t->separator = known->separator;
    TRY(csv_find_layout(&is_json, &t->separator, path));
    TRY(is_json ? init_read_json(t) : read_csv(t));
    return finish(t);
}

void init_table_free(struct init_table *t)
{
    sqlite3_finalize(t->insert[0]);
    sqlite3_finalize(t->insert[1]);
    sql_close(t->sql);
    for (size_t k = 0; k < t->n_columns; k++) {
        regret_free(t->column[k].name);
        regret_free(t->column[k].slot);
    }
    regret_free(t->column);
    names_free(&t->names);
    init_words_free(&t->words);
    regret_free(t->nest);
    texts_free(t->piece, t->n_pieces);
    regret_free(t->is.covariate);
    regret_free(t->is.aux);
    texts_free(t->is.agents, t->is.n_agents);
    regret_buffer_free(&t->offers);
    regret_free(t->refused);
    *t = (struct init_table){0};
}
