#include <fnmatch.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/archive.h"
#include "base/csv.h"
#include "base/input.h"
#include "base/json.h"
#include "base/json_tokens.h"
#include "base/jsonl.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "table/internal.h"

/* The records of a source, from one member of its paths to the next. */

enum { MOST_FOLDERS = 8 }; /* that ** stands for */

/* ---- which files ---- */

/* Whether the last parts of the path match the pattern, as many as it has. */
static int tail_matches(const char *pattern, const char *path)
{
    size_t parts = 1;
    const char *tail = path + strlen(path);
    for (const char *p = pattern; *p != '\0'; p++) {
        parts += *p == '/';
    }
    while (tail > path && parts > 0) {
        tail--;
        parts -= *tail == '/';
    }
    if (parts > 1) {
        return 0;
    }
    return fnmatch(pattern, *tail == '/' ? tail + 1 : tail, FNM_PATHNAME) == 0;
}

/* The same; "**" is any number of folders. */
static int path_matches(const char *pattern, const char *path)
{
    struct regret_buffer plain = REGRET_BUFFER_INIT;
    const char *any = strstr(pattern, "**/");
    int found = 0;
    if (any == NULL) {
        return tail_matches(pattern, path);
    }
    for (size_t folders = 0; folders <= MOST_FOLDERS && !found; folders++) {
        regret_buffer_clear(&plain);
        regret_buffer_append_n(&plain, pattern, (size_t)(any - pattern));
        for (size_t i = 0; i < folders; i++) {
            regret_buffer_append(&plain, "*/");
        }
        regret_buffer_append(&plain, any + 3);
        found = regret_buffer_status(&plain) == REGRET_OK &&
                tail_matches(regret_buffer_get(&plain), path);
    }
    regret_buffer_free(&plain);
    return found;
}

/* Its path on disk, in an archive behind that of the archive, without the end that says it is compressed. */
static int name_file(struct cursor *c, const char *name)
{
    const char *disk = source_file(c->source), *where = source_where(c->source);
    const char *last = path_last(name), *own = path_last(disk);
    size_t n = strlen(disk), length = strlen(last);
    regret_buffer_clear(&c->file);
    if (strncmp(where, disk, n) == 0 && strncmp(where + n, ": ", 2) == 0) {
        regret_buffer_append(&c->file, disk);
        regret_buffer_append(&c->file, "/");
        regret_buffer_append(&c->file, where + n + 2);
    } else {
        size_t bare = strncmp(own, last, length) == 0 ? (size_t)(own - disk) + length : n;
        regret_buffer_append_n(&c->file, disk, bare);
    }
    return regret_buffer_status(&c->file);
}

static int is_wanted(const struct source_table *t, const char *file)
{
    int wanted = t->patterns.n == 0;
    for (size_t i = 0; i < t->patterns.n; i++) {
        const char *pattern = t->patterns.name[i];
        int is_against = *pattern == '!';
        if (wanted == is_against && path_matches(pattern + is_against, file)) {
            wanted = !is_against;
        }
    }
    return wanted;
}

/* ---- records ---- */

void cursor_close_member(struct cursor *c)
{
    scan_list_free(&c->list);
    c->list = (struct scan_list){0};
    regret_csv_close(c->csv);
    names_free(&c->header);
    c->csv = NULL;
    c->lines = NULL;
    c->is_list = 0;
    c->n_fields = c->field = 0;
}

/* What was put together from members: no key may stand twice. */
static int check_head(struct cursor *c)
{
    static const struct scan_fields ALL = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer again = REGRET_BUFFER_INIT;
    const struct regret_place at = {source_where(c->source), 0};
    TRY(regret_buffer_status(&c->text));
    return scan_json(&again, regret_buffer_get(&c->text), c->text.length, at, 1, &ALL);
}

static int open_list(struct cursor *c, const char *lists)
{
    int found = 0;
    c->is_list = 1;
    c->list = (struct scan_list){.text = {.reader = c->lines, .at = {source_where(c->source), 0}},
                                 .lists = lists,
                                 .head = c->t->is_head ? &c->text : NULL};
    c->lines = NULL;
    TRY(scan_list_open(&c->list, &found));
    TRY(c->t->is_head ? check_head(c) : REGRET_OK);
    if (!found) {
        scan_list_free(&c->list);
        c->list = (struct scan_list){0};
        c->is_list = 0;
    }
    return REGRET_OK;
}

static int see_passed(void *context, const char *what, const char *where)
{
    FREED_BY(regret_buffer_free) struct regret_buffer both = REGRET_BUFFER_INIT;
    struct sql *s = context;
    uint32_t number = 0;
    if (strcmp(what, SOURCE_OTHER) == 0) {
        return REGRET_OK;
    }
    regret_buffer_printf(&both, "%s\n%s", what, where);
    TRY(regret_buffer_status(&both));
    return names_enter(&number, &s->files[SQL_FILES_PASSED], regret_buffer_get(&both));
}

static int refuse_header(struct regret_place at, const char *name, size_t k)
{
    return *name == '\0' ? regret_json_error(at, "column %zu has no name", k + 1)
                         : regret_json_error(at, "two columns are called \"%.80s\"", name);
}

static int open_csv(struct cursor *c, regret_csv_source read, void *context, const char *where,
                    char separator)
{
    struct regret_place at = {where, 0};
    size_t n = 0;
    uint32_t number = 0;
    TRY(csv_table_open_source(&c->csv, read, context, where, separator));
    TRY(csv_table_next(c->csv, &n, &at));
    c->line = at.line;
    for (size_t k = 0; k < n; k++) {
        char room[32];
        const char *name = regret_csv_field(NULL, c->csv, k);
        if (*name == '\0' && c->t->fields.kept.n > 0) { /* of other columns, an index */
            snprintf(room, sizeof room, "column %zu", k + 1);
            name = room;
        }
        TRY(names_enter(&number, &c->header, name));
        TRY(c->header.n == k + 1 && *name != '\0' ? REGRET_OK : refuse_header(at, name, k));
    }
    c->field = c->n_fields = 0;
    return REGRET_OK;
}

/* The member at hand, whose kind its name tells or its first byte. */
static int open_member(struct cursor *c)
{
    enum sql_source_kind kind = c->t->kind;
    char separator = csv_separator_of(regret_buffer_get(&c->file));
    if (kind == SQL_CELLS || (kind == SQL_ROWS && separator != '\0')) {
        return open_csv(c, source_read, c->source, source_where(c->source),
                        separator != '\0' ? separator : ',');
    }
    if (kind == SQL_JSON) {
        return REGRET_OK;
    }
    TRY(source_jsonl(c->source, &c->lines));
    char first = kind == SQL_ROWS ? regret_jsonl_peek(c->lines) : '\0';
    return kind == SQL_LIST ? open_list(c, c->t->lists)
           : first == '['   ? open_list(c, "$")
                            : REGRET_OK;
}

/* A field as a string of JSON. */
static int put_field(struct cursor *c, size_t k, struct regret_place at)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t length = 0;
    const char *field = regret_csv_field(&length, c->csv, k);
    if (!c->t->is_mended ||
        (memchr(field, '\0', length) == NULL && regret_utf8_valid(field, length, NULL))) {
        regret_buffer_json_string(&c->text, field);
        return REGRET_OK;
    }
    regret_buffer_printf(&text, "%s:%zu", at.file, at.line);
    TRY(regret_buffer_status(&text));
    TRY(see_passed(c->t->sql, "fields with bytes that are not UTF-8, which were replaced",
                   regret_buffer_get(&text)));
    regret_buffer_clear(&text);
    regret_utf8_append_repaired(&text, field, length);
    TRY(regret_buffer_status(&text));
    regret_buffer_json_string(&c->text, regret_buffer_get(&text));
    return REGRET_OK;
}

static int next_csv(struct cursor *c, int *found)
{
    struct regret_place at = {c->source != NULL ? source_where(c->source) : c->t->name, 0};
    size_t n = 0;
    if (c->t->kind == SQL_CELLS && c->field + 1 < c->n_fields) {
        c->field++;
        *found = 1;
        return REGRET_OK;
    }
    TRY(c->t->is_mended ? regret_csv_next(c->csv, &n) : csv_table_next(c->csv, &n, &at));
    c->line = at.line = regret_csv_line(c->csv);
    *found = n > 0;
    if (n > 0 && n != c->header.n) {
        return regret_json_error(at, "%zu fields, but the header has %zu", n, c->header.n);
    }
    c->field = 0;
    c->n_fields = n;
    regret_buffer_append_char(&c->text, '{');
    for (size_t k = 0; k < n && c->t->kind == SQL_ROWS; k++) {
        size_t field = texts_find((const char *const *)c->t->fields.kept.name, c->t->fields.kept.n,
                                  c->header.name[k]);
        if (c->t->fields.kept.n > 0 && field == c->t->fields.kept.n) {
            continue;
        }
        regret_buffer_append(&c->text, c->text.length > 1 ? "," : "");
        regret_buffer_json_string(&c->text, c->header.name[k]);
        regret_buffer_append_char(&c->text, ':');
        size_t begin = c->text.length;
        TRY(put_field(c, k, at));
        if (c->part != NULL) {
            c->part[field] = (struct scan_part){begin, c->text.length - begin};
        }
    }
    regret_buffer_append_char(&c->text, '}');
    return REGRET_OK;
}

/* A line as it stands, blank ones, too. */
static int next_line(struct cursor *c, int *found)
{
    size_t got = 1, n = 0, bad = 0;
    const char *text = jsonl_ahead(c->lines, &n), *end = memchr(text, '\n', n);
    while (end == NULL && got > 0) {
        TRY(n > REGRET_JSONL_MAX_LINE
                ? regret_fail(REGRET_E_INPUT, "%s: a line of more than %d bytes",
                              source_where(c->source), REGRET_JSONL_MAX_LINE)
                : jsonl_read_more(c->lines, &got));
        text = jsonl_ahead(c->lines, &n);
        end = memchr(text, '\n', n);
    }
    size_t length = end != NULL ? (size_t)(end - text) : n;
    size_t mark = c->line == 0 ? (size_t)(json_skip_mark(text, text + length) - text) : 0;
    *found = end != NULL || n > 0;
    c->line++;
    regret_buffer_append_n(&c->text, text + mark, length - mark);
    jsonl_take(c->lines, length + (end != NULL));
    if (length > mark && text[length - 1] == '\r') {
        c->text.data[--c->text.length] = '\0';
    }
    const struct regret_place at = {source_where(c->source), c->line};
    return regret_utf8_valid(regret_buffer_get(&c->text), c->text.length, &bad) &&
                   memchr(regret_buffer_get(&c->text), '\0', c->text.length) == NULL
               ? REGRET_OK
               : regret_json_error(at, "byte %zu is not valid UTF-8; convert the file", bad + 1);
}

static int next_document(struct cursor *c, int *found)
{
    FREED char *text = NULL;
    size_t length = 0;
    const char *where = source_where(c->source);
    *found = c->line == 0;
    if (!*found) {
        return REGRET_OK;
    }
    c->line = 1;
    TRY(source_text(c->source, &text, &length, REGRET_JSON_MAX_BYTES));
    TRY(input_check_head(text, length, where));
    return scan_json(&c->text, text, length, (struct regret_place){where, 0}, 1, &c->t->fields);
}

/* A line of JSONL, or an element of a list. */
static int next_value(struct cursor *c, int *found)
{
    const char *text = NULL;
    size_t length = 0, column = 1;
    struct regret_place at = {source_where(c->source), 0};
    TRY(c->is_list ? scan_list_next(&c->list, &text, &length, &at, &column)
                   : regret_jsonl_next_line(c->lines, &text, &length, &at));
    at.file = source_where(c->source);
    *found = text != NULL;
    c->line = at.line;
    return *found ? scan_record(&c->text, c->part, text, length, at, column, &c->t->fields)
                  : REGRET_OK;
}

/* The next record of the member at hand; *found 0: it has no more. */
static int next_of_member(struct cursor *c, int *found)
{
    enum sql_source_kind kind = c->t->kind;
    *found = 0;
    if (c->t->is_head) {
        *found = c->line++ == 0;
        return REGRET_OK;
    }
    regret_buffer_clear(&c->text);
    for (size_t i = 0; c->part != NULL && i < c->t->fields.kept.n; i++) {
        c->part[i].length = 0;
    }
    TRY(kind == SQL_JSON                 ? next_document(c, found)
        : c->csv != NULL                 ? next_csv(c, found)
        : kind == SQL_LINES              ? next_line(c, found)
        : c->is_list || c->lines != NULL ? next_value(c, found)
                                         : REGRET_OK);
    return regret_buffer_status(&c->text);
}

/* Opens the next path; *more 0: there is none. */
static int next_path(struct cursor *c, int *more)
{
    *more = c->path < c->t->n_paths;
    if (*more) {
        TRY(source_open(&c->source, c->t->paths[c->path++]));
        source_listen(c->source, see_passed, c->t->sql);
    }
    return REGRET_OK;
}

/* Notes the member at hand. */
static int see_member(struct cursor *c, int wanted)
{
    struct names *files = c->t->sql->files;
    const char *file = regret_buffer_get(&c->file);
    uint32_t number = 0;
    TRY(names_enter(&number, &files[SQL_FILES_MET], file));
    if (!wanted) {
        return REGRET_OK;
    }
    TRY(names_enter(&number, &files[SQL_FILES_READ], file));
    return names_enter(&number, &files[SQL_FILES_DISK], source_file(c->source));
}

/* The next member that is wanted; *found 0: there is none. */
static int next_member(struct cursor *c, int *found)
{
    const char *name = NULL;
    cursor_close_member(c);
    for (*found = 0; !*found;) {
        int more = 1;
        TRY(c->source == NULL ? next_path(c, &more) : REGRET_OK);
        if (!more) {
            return REGRET_OK;
        }
        TRY(source_next(c->source, NULL, 0, &name));
        if (name == NULL) {
            source_close(c->source);
            c->source = NULL;
            continue;
        }
        TRY(name_file(c, name));
        *found = is_wanted(c->t, regret_buffer_get(&c->file));
        TRY(see_member(c, *found));
    }
    c->line = 0;
    regret_buffer_clear(&c->text);
    return open_member(c);
}

/* Hands out a text that is no file: regret_csv_source. */
static long read_given(void *context, char *to, size_t most)
{
    struct cursor *c = context;
    size_t n = strlen(c->t->given + c->given);
    n = n < most ? n : most;
    memcpy(to, c->t->given + c->given, n);
    c->given += n;
    return (long)n;
}

/* The one member that such a text is. */
static int open_given(struct cursor *c, int *found)
{
    *found = c->given == 0;
    cursor_close_member(c);
    return *found ? open_csv(c, read_given, c, c->t->name, ',') : REGRET_OK;
}

int cursor_next(struct cursor *c)
{
    int found = 0, is_member = 1;
    if (c->source != NULL || c->csv != NULL) {
        TRY(next_of_member(c, &found));
    }
    while (!found && is_member) {
        TRY(c->t->given != NULL ? open_given(c, &is_member) : next_member(c, &is_member));
        TRY(is_member ? next_of_member(c, &found) : REGRET_OK);
        TRY(is_member && !found && (c->is_list || c->lines != NULL)
                ? see_passed(c->t->sql, "files without a row", source_where(c->source))
                : REGRET_OK);
    }
    c->is_over = !found;
    c->row += (size_t)found;
    return REGRET_OK;
}

void cursor_free(struct cursor *c)
{
    cursor_close_member(c);
    source_close(c->source);
    regret_buffer_free(&c->file);
    regret_buffer_free(&c->text);
    regret_free(c->part);
    regret_free(c);
}
