/* Rows of one file by named fields. */
#include "table/fields.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/json_tokens.h"
#include "base/jsonl.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "table/internal.h"

FREED_POINTER(struct fields, fields_close)

/* ---- Columns of CSV ---- */

int fields_no_column(const char *name, const char *const *known, size_t n)
{
    const char *near = name_nearest(name, known, n);
    char other = n == 1 ? known[0][strcspn(known[0], ";\t|")] : '\0';
    if (other != '\0') {
        const char quoted[] = {'\'', other, '\'', '\0'};
        return regret_fail(REGRET_E_INPUT,
                           "there is no column \"%s\"; the header is one column, \"%.40s\": say "
                           "what separates fields, --separator %s",
                           name, known[0], other == '\t' ? "tab" : quoted);
    }
    return near != NULL
               ? regret_fail(REGRET_E_INPUT, "there is no column \"%s\"; did you mean \"%s\"?",
                             name, near)
               : regret_fail(
                     REGRET_E_INPUT,
                     "there is no column \"%s\"; the header has %zu, the first is \"%.40s\"", name,
                     n, known[0]);
}

static int open_csv(struct fields *f, char separator)
{
    TRY(csv_table_open_trimmed(&f->csv, f->path, separator));
    TRY(regret_csv_next(f->csv, &f->n_columns));
    if (f->n_columns == 0) {
        return regret_fail(REGRET_E_INPUT, "%s is empty; give a table with a header", f->path);
    }
    f->line = regret_csv_line(f->csv);
    TRY(REGRET_NEW(&f->header, f->n_columns));
    TRY(REGRET_NEW(&f->is_twice, f->n_columns));
    TRY(id_table_reserve(&f->columns, f->n_columns));
    for (size_t c = 0; c < f->n_columns; c++) {
        TRY(regret_strdup(&f->header[c], regret_csv_field(NULL, f->csv, c)));
        size_t first = id_table_put(&f->columns, f->header[c], c);
        f->is_twice[first] |= first != c;
    }
    return REGRET_OK;
}

static int refuse_twice(const struct fields *f, const char *name)
{
    return regret_json_error((struct regret_place){f->path, f->line},
                             "column \"%s\" is given twice; rename one", name);
}

static int find_column(struct fields *f, struct pick *p)
{
    p->column = id_table_find(&f->columns, p->name);
    if (p->column == SIZE_MAX) {
        return regret_fail_prefix(
            fields_no_column(p->name, (const char *const *)f->header, f->n_columns), "%s:%zu",
            f->path, f->line);
    }
    return f->is_twice[p->column] ? refuse_twice(f, p->name) : REGRET_OK;
}

static int next_csv(struct fields *f, int *more)
{
    size_t n = 0;
    int rc = regret_csv_next(f->csv, &n);
    f->line = regret_csv_line(f->csv);
    f->is_over = rc != REGRET_OK && (regret_csv_is_over(f->csv) || csv_is_unclosed(f->csv));
    *more = n > 0;
    TRY(rc);
    return n == 0 || n == f->n_columns
               ? REGRET_OK
               : fields_fail(f, "%zu fields where the header has %zu", n, f->n_columns);
}

/* ---- Records of JSON ---- */

/* Does an object begin on this line that goes on over others? */
static int goes_on(const char *line, size_t n)
{
    while (n > 0 && json_is_blank(line[n - 1])) {
        n--;
    }
    return n > 0 && memchr("{[,:", line[n - 1], 4) != NULL;
}

/* An object that holds records rather than one. */
static int holds_records(const struct fields *f)
{
    size_t i = 1;
    while (i < f->tree.n && tree_first(&f->tree, i) == '{') {
        i = f->tree.node[i].next;
    }
    return f->tree.n > 1 && i == f->tree.n;
}

/* What stands in the tree: of a set a list, an object with "data", an object of records; or a record. */
static void look_into(struct fields *f)
{
    size_t list = tree_first(&f->tree, 0) == '[' ? 0 : FIELDS_NONE;
    if (tree_first(&f->tree, 0) == '{') {
        size_t data = tree_member(&f->tree, 0, (struct regret_span){"data", 4});
        list = data != FIELDS_NONE && tree_first(&f->tree, data) == '[' ? data
               : holds_records(f)                                       ? 0
                                                                        : FIELDS_NONE;
    }
    f->is_alone = f->layout == FIELDS_LINES || f->is_list || list == FIELDS_NONE;
    f->next = f->is_alone ? 0 : list + 1;
    f->end = f->tree.node[f->is_alone ? 0 : list].next;
    f->next_index = f->is_list ? f->next_index : 0;
}

/* The text of the next tree, NULL at the end. */
static int next_text(struct fields *f, const char **text, size_t *length, struct regret_place *at,
                     size_t *column)
{
    if (f->is_list) {
        return scan_list_next(&f->list, text, length, at, column);
    }
    TRY(regret_jsonl_next_line(f->lines, text, length, at));
    if (*text != NULL && f->is_first && f->layout == FIELDS_SET && goes_on(*text, *length)) {
        f->is_whole = 1;
        *at = (struct regret_place){f->path, 0};
        TRY(input_check_regular(f->path));
        TRY(unpack_file(&f->whole, f->path, REGRET_JSON_MAX_BYTES));
        *text = regret_buffer_get(&f->whole);
        *length = f->whole.length;
        return input_check_head(*text, *length, f->path);
    }
    return REGRET_OK;
}

static int read_tree(struct fields *f, int *more)
{
    const char *text = NULL;
    size_t length = 0, column = 1;
    struct regret_place at = {f->path, 0};
    f->next = f->end = f->tree.n = 0;
    if (f->is_whole) {
        *more = 0;
        return REGRET_OK;
    }
    f->is_over = 1;
    TRY(next_text(f, &text, &length, &at, &column));
    *more = text != NULL;
    if (text == NULL) {
        return REGRET_OK;
    }
    f->is_over = f->is_whole;
    f->is_first = 0;
    f->line = at.line;
    int rc = scan_tree(&f->tree, text, length, (struct regret_place){f->path, at.line}, column);
    if (rc != REGRET_OK) { /* a bad one counts, too */
        f->next_index++;
        f->tree.n = 0;
        return rc;
    }
    look_into(f);
    return REGRET_OK;
}

static int check_object(struct fields *f, size_t node)
{
    if (tree_first(&f->tree, node) == '{') {
        return REGRET_OK;
    }
    return f->layout != FIELDS_LINES || f->is_list || node > 0
               ? fields_fail(f, "must be an object in braces")
           : tree_first(&f->tree, node) == '['
               ? fields_fail(f, "is a JSON array; JSONL is wanted, one object a line")
               : fields_fail(f, "must be one object in braces");
}

static int next_record(struct fields *f, int *more)
{
    *more = 1;
    while (f->next == f->end && *more) {
        TRY(read_tree(f, more));
    }
    if (!*more) {
        return REGRET_OK;
    }
    f->record = f->next;
    f->next = f->tree.node[f->next].next;
    f->index = f->next_index++;
    return check_object(f, f->record);
}

/* From the record at hand to the list in it whose elements are rows. */
static int open_rows(struct fields *f)
{
    size_t list = tree_follow(&f->tree, f->record, f->rows);
    if (list == FIELDS_NONE || tree_first(&f->tree, list) != '[') {
        return fields_fail(f, "\"%s\" is %s; it must be a list, whose elements are rows", f->rows,
                           list == FIELDS_NONE ? "absent" : "no list");
    }
    f->next_row = list + 1;
    f->end_row = f->tree.node[list].next;
    f->row_index = 0;
    return REGRET_OK;
}

/* The next row, in the list at hand or the next record's that has one. */
static int next_nested(struct fields *f, int *more)
{
    *more = 1;
    while (f->next_row == f->end_row) {
        f->row = FIELDS_NONE;
        TRY(next_record(f, more));
        if (!*more) {
            return REGRET_OK;
        }
        TRY(open_rows(f));
    }
    f->row = f->next_row;
    f->next_row = f->tree.node[f->row].next;
    f->row_index++;
    f->n_rows++;
    return tree_first(&f->tree, f->row) == '{' ? REGRET_OK
                                               : fields_fail(f, "must be an object in braces");
}

int fields_next(struct fields *f, int *more)
{
    *more = 0;
    f->stamp++;
    f->is_placed = 0;
    f->base = 0;
    if (f->csv != NULL) {
        return next_csv(f, more);
    }
    TRY(f->rows != NULL ? next_nested(f, more) : next_record(f, more));
    return f->pattern == NULL ? REGRET_OK : *more ? wide_record(f) : wide_check(f);
}

int fields_is_over(const struct fields *f)
{
    return f->is_over;
}

/* ---- Places ---- */

/* "FILE:7", of several in one line or file "FILE:7: record 3 (from 0)", of a nested row that with its list and number. */
struct regret_place fields_place(struct fields *f)
{
    int is_nested = f->row != FIELDS_NONE;
    if (f->csv != NULL || (f->is_alone && !f->is_list && !is_nested)) {
        return (struct regret_place){f->path, f->line};
    }
    if (!f->is_placed) {
        f->is_placed = 1;
        regret_buffer_clear(&f->where);
        regret_buffer_append(&f->where, f->path);
        if (f->line > 0) {
            regret_buffer_printf(&f->where, ":%zu", f->line);
        }
        if (!f->is_alone || f->is_list) {
            regret_buffer_printf(&f->where, ": record %zu (from 0)", f->index);
        }
        if (is_nested) {
            regret_buffer_printf(&f->where, ": \"%s\" %zu (from 0)", f->rows, f->row_index - 1);
        }
    }
    return (struct regret_place){regret_buffer_get(&f->where), 0};
}

const char *fields_unit(const struct fields *f)
{
    return f->rows != NULL                                  ? "row"
           : f->csv != NULL || (f->is_alone && !f->is_list) ? "line"
                                                            : "record";
}

size_t fields_number(const struct fields *f)
{
    return f->rows != NULL                                  ? f->n_rows - (f->n_rows > 0)
           : f->csv != NULL || (f->is_alone && !f->is_list) ? f->line
                                                            : f->index;
}

int fields_is_json(const struct fields *f)
{
    return f->csv == NULL;
}

const char *const *fields_header(const struct fields *f, size_t *n)
{
    *n = f->n_columns;
    return (const char *const *)f->header;
}

int fields_each_name(struct fields *f, const char *path, fields_named *take, void *context)
{
    for (size_t c = 0; c < f->n_columns; c++) {
        TRY(take(context, f->header[c]));
    }
    size_t object = f->csv != NULL || f->tree.n == 0 ? FIELDS_NONE
                    : *path == '\0'                  ? f->record
                                                     : tree_follow(&f->tree, f->record, path);
    if (object == FIELDS_NONE || tree_first(&f->tree, object) != '{') {
        return REGRET_OK;
    }
    for (size_t i = object + 1; i < f->tree.node[object].next; i = f->tree.node[i].next) {
        FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
        tree_append(&name, &f->tree, f->tree.node[i].key);
        TRY(regret_buffer_status(&name));
        TRY(take(context, regret_buffer_get(&name)));
    }
    return REGRET_OK;
}

/* ---- Picks ---- */

int fields_pick(struct fields *f, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        TRY(regret_grow((void **)&f->pick, &f->capacity, f->n, sizeof *f->pick, "fields"));
        struct pick *p = &f->pick[f->n++];
        *p = (struct pick){.column = FIELDS_NONE, .text = REGRET_BUFFER_INIT};
        if (names[i] == NULL) {
            continue;
        }
        TRY(regret_strdup(&p->name, names[i]));
        TRY(f->csv != NULL && strstr(p->name, FIELDS_AGENT) == NULL ? find_column(f, p)
                                                                    : REGRET_OK);
        size_t own = f->rows != NULL ? strlen(f->rows) : 0;
        p->is_of_row = own > 0 && strncmp(p->name, f->rows, own) == 0 &&
                       strncmp(p->name + own, FIELDS_NEST, sizeof FIELDS_NEST - 1) == 0;
        p->path = p->name + (p->is_of_row ? own + sizeof FIELDS_NEST - 1 : 0);
    }
    return REGRET_OK;
}

const char *fields_name(const struct fields *f, size_t i)
{
    return f->pick[f->base + i].name;
}

/* What stands at a node, its text in that room. */
static void read_node(struct fields_cell *out, struct fields *f, size_t node,
                      struct regret_buffer *room)
{
    *out = (struct fields_cell){FIELDS_ABSENT, NULL, 0};
    if (node == FIELDS_NONE) {
        return;
    }
    struct scan_part part = f->tree.node[node].value;
    char first = tree_first(&f->tree, node);
    out->kind = first == '"'                   ? FIELDS_TEXT
                : first == '{'                 ? FIELDS_OBJECT
                : first == '['                 ? FIELDS_LIST
                : first == 'n'                 ? FIELDS_NULL
                : first == 't' || first == 'f' ? FIELDS_WORD
                                               : FIELDS_NUMBER;
    if (out->kind == FIELDS_NULL) {
        return;
    }
    regret_buffer_clear(room);
    if (out->kind == FIELDS_TEXT) {
        tree_append(room, &f->tree, (struct scan_part){part.begin + 1, part.length - 2});
    } else {
        regret_buffer_append_n(room, f->tree.text.data + part.begin, part.length);
    }
    out->text = regret_buffer_get(room);
    out->length = room->length;
}

/* Where a path leads from where a field begins: the record, or the nested row. */
static size_t lead(struct fields *f, const struct pick *p, const char *path)
{
    size_t base = p->is_of_row ? f->row : f->record;
    return f->tree.n > 0 && base != FIELDS_NONE ? tree_follow(&f->tree, base, path) : FIELDS_NONE;
}

static int csv_cell(struct fields_cell *out, struct fields *f, struct pick *p)
{
    size_t bad = 0;
    out->kind = FIELDS_TEXT;
    out->text = regret_csv_field(&out->length, f->csv, p->column);
    if (p->row == f->stamp) { /* it has been looked at */
        return REGRET_OK;
    }
    if (memchr(out->text, '\0', out->length) != NULL) {
        return fields_fail(f, "column \"%s\" holds a zero byte; remove it", p->name);
    }
    if (!regret_utf8_valid(out->text, out->length, &bad)) {
        return fields_fail(f, "column \"%s\" is not UTF-8 at its byte %zu; convert it", p->name,
                           bad + 1);
    }
    p->row = f->stamp;
    return REGRET_OK;
}

/* Where a field leads in the row at hand. */
static size_t node_of(struct fields *f, struct pick *p)
{
    if (p->row != f->stamp) {
        p->node = p->name != NULL ? lead(f, p, p->path) : FIELDS_NONE;
        p->row = f->stamp;
    }
    return p->node;
}

int fields_cell(struct fields_cell *out, struct fields *f, size_t i)
{
    struct pick *p = &f->pick[f->base + i];
    *out = (struct fields_cell){FIELDS_ABSENT, NULL, 0};
    if (f->csv != NULL) {
        return p->name != NULL && p->column != FIELDS_NONE ? csv_cell(out, f, p) : REGRET_OK;
    }
    read_node(out, f, node_of(f, p), &p->text);
    return regret_buffer_status(&p->text);
}

int fields_text(const char **out, struct fields *f, size_t i, int may_lack, const char *wanted)
{
    struct fields_cell cell;
    TRY(fields_cell(&cell, f, i));
    *out = cell.text == NULL && may_lack ? "" : cell.text;
    return *out != NULL && cell.kind < FIELDS_LIST
               ? REGRET_OK
               : fields_fail(f, "\"%s\" is %s; it must be %s", f->pick[f->base + i].name,
                             cell.kind == FIELDS_ABSENT ? "absent"
                             : cell.kind == FIELDS_NULL ? "null"
                                                        : "a list or an object",
                             wanted != NULL ? wanted : "a text or a number");
}

/* A text may be a list of JSON, whose turns then take its place. One that is no list is a text like others. */
static int take_list(int *is_list, struct fields *f, struct regret_buffer *room, const char *text,
                     int is_user)
{
    static const struct scan_fields ALL = {0};
    struct regret_buffer *plain = &f->tree.room;
    *is_list = text[strspn(text, " \t\r\n")] == '[';
    if (!*is_list) {
        return REGRET_OK;
    }
    regret_buffer_clear(plain);
    int rc = scan_json(plain, text, strlen(text), (struct regret_place){"a list", 0}, 1, &ALL);
    if (rc != REGRET_OK) {
        *is_list = 0;
        return rc == REGRET_E_INPUT ? REGRET_OK : rc;
    }
    regret_buffer_clear(room);
    sql_append_turns(room, (struct regret_span){plain->data, plain->length}, is_user);
    return REGRET_OK;
}

int fields_turns(const char **out, struct fields *f, size_t i, int is_user)
{
    struct regret_buffer *room = &f->pick[f->base + i].text;
    struct fields_cell cell;
    int is_list = 0;
    TRY(fields_cell(&cell, f, i));
    if (cell.kind != FIELDS_LIST) {
        TRY(fields_text(&cell.text, f, i, !is_user, NULL));
    }
    TRY(take_list(&is_list, f, room, cell.text, is_user));
    *out = is_list ? regret_buffer_get(room) : cell.text;
    return regret_buffer_status(room);
}

/* ---- Elements ---- */

int fields_walk(struct fields_walk *out, struct fields *f, size_t i)
{
    struct pick *p = &f->pick[f->base + i];
    *out = (struct fields_walk){.f = f, .field = f->base + i, .next = FIELDS_NONE};
    if (f->csv != NULL) {
        return fields_cell(&out->one, f, i);
    }
    size_t list = node_of(f, p);
    const char *star = list == FIELDS_NONE && p->name != NULL ? strstr(p->path, ".*") : NULL;
    if (star != NULL && (star[2] == '.' || star[2] == '\0')) {
        regret_buffer_clear(&p->text);
        regret_buffer_append_n(&p->text, p->path, (size_t)(star - p->path));
        list = lead(f, p, regret_buffer_get(&p->text));
        out->rest = star[2] == '.' ? star + 3 : NULL;
        list = list != FIELDS_NONE && tree_first(&f->tree, list) == '[' ? list : FIELDS_NONE;
    }
    out->is_list = list != FIELDS_NONE && tree_first(&f->tree, list) == '[';
    out->next = out->is_list ? list + 1 : list;
    out->end = out->is_list ? f->tree.node[list].next : 0;
    return regret_buffer_status(&p->text);
}

int fields_walk_next(struct fields_cell *out, struct fields_walk *w)
{
    struct fields *f = w->f;
    size_t at = w->next;
    *out = w->one;
    w->one = (struct fields_cell){FIELDS_ABSENT, NULL, 0};
    if (f->csv != NULL || at == FIELDS_NONE || (w->is_list && at == w->end)) {
        return out->kind != FIELDS_ABSENT;
    }
    w->next = w->is_list ? f->tree.node[at].next : FIELDS_NONE;
    read_node(out, f, w->rest != NULL ? tree_follow(&f->tree, at, w->rest) : at,
              &f->pick[w->field].text);
    return 1;
}

/* ---- The whole row ---- */

static int put_cells(struct fields *f)
{
    regret_buffer_clear(&f->whole);
    regret_buffer_append_char(&f->whole, '{');
    for (size_t c = 0; c < f->n_columns; c++) {
        struct fields_cell cell;
        TRY(f->is_twice[c] ? refuse_twice(f, f->header[c]) : REGRET_OK);
        TRY(csv_cell(&cell, f, &(struct pick){.name = f->header[c], .column = c}));
        regret_buffer_append(&f->whole, c > 0 ? "," : "");
        regret_buffer_json_string(&f->whole, f->header[c]);
        regret_buffer_append_char(&f->whole, ':');
        regret_buffer_json_string(&f->whole, cell.text);
    }
    regret_buffer_append_char(&f->whole, '}');
    return regret_buffer_status(&f->whole);
}

int fields_json(struct regret_span *record, struct regret_span *key, struct fields *f)
{
    *key = (struct regret_span){NULL, 0};
    if (f->csv != NULL) {
        TRY(put_cells(f));
        *record = (struct regret_span){f->whole.data, f->whole.length};
        return REGRET_OK;
    }
    size_t node = f->row != FIELDS_NONE ? f->row : f->record;
    const struct scan_node *at = &f->tree.node[node];
    *record = (struct regret_span){f->tree.text.data + at->value.begin, at->value.length};
    if (node > 0 && at->key.length > 0) {
        regret_buffer_clear(&f->tree.room);
        tree_append(&f->tree.room, &f->tree, at->key);
        *key = (struct regret_span){regret_buffer_get(&f->tree.room), f->tree.room.length};
    }
    return regret_buffer_status(&f->tree.room);
}

/* ---- Values of the record ---- */

size_t fields_record(const struct fields *f)
{
    return f->record;
}

size_t fields_first(const struct fields *f, size_t in)
{
    return in + 1 < f->tree.node[in].next ? in + 1 : FIELDS_NONE;
}

size_t fields_behind(const struct fields *f, size_t value, size_t in)
{
    size_t next = f->tree.node[value].next;
    return next < f->tree.node[in].next ? next : FIELDS_NONE;
}

size_t fields_member(struct fields *f, size_t in, const char *name)
{
    return tree_first(&f->tree, in) == '{'
               ? tree_member(&f->tree, in, (struct regret_span){name, strlen(name)})
               : FIELDS_NONE;
}

struct fields_cell fields_value(struct fields *f, size_t value)
{
    struct fields_cell cell;
    read_node(&cell, f, value, &f->whole);
    return cell;
}

const char *fields_key(struct fields *f, size_t value)
{
    regret_buffer_clear(&f->tree.room);
    tree_append(&f->tree.room, &f->tree, f->tree.node[value].key);
    return regret_buffer_get(&f->tree.room);
}

/* ---- The file ---- */

static int open_json(struct fields *f)
{
    int found = 0;
    f->is_alone = f->is_first = 1;
    TRY(regret_jsonl_open(&f->lines, f->path));
    f->is_list = regret_jsonl_peek(f->lines) == '[';
    if (!f->is_list) {
        return REGRET_OK;
    }
    f->list = (struct scan_list){.text = {.reader = f->lines, .at = {f->path, 0}}, .lists = "$"};
    return scan_list_open(&f->list, &found);
}

int fields_open(struct fields **out, const char *path, enum fields_layout layout, char separator,
                const char *rows)
{
    FREED_BY(fields_close_at) struct fields *f = NULL;
    TRY(REGRET_NEW(&f, 1));
    f->path = path;
    f->layout = layout;
    f->row = FIELDS_NONE;
    TRY(rows != NULL && layout != FIELDS_CSV ? regret_strdup(&f->rows, rows) : REGRET_OK);
    TRY(layout == FIELDS_CSV ? open_csv(f, separator) : open_json(f));
    *out = f;
    f = NULL;
    return REGRET_OK;
}

void fields_close(struct fields *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t i = 0; i < f->n; i++) {
        regret_free(f->pick[i].name);
        regret_buffer_free(&f->pick[i].text);
    }
    for (size_t c = 0; c < f->n_columns && f->header != NULL; c++) {
        regret_free(f->header[c]);
    }
    regret_free(f->pick);
    regret_free(f->header);
    regret_free(f->is_twice);
    scan_tree_free(&f->tree);
    names_free(&f->agents);
    regret_free(f->rows);
    id_table_free(&f->columns);
    regret_csv_close(f->csv);
    scan_list_free(&f->list);
    regret_jsonl_close(f->lines);
    regret_buffer_free(&f->whole);
    regret_buffer_free(&f->where);
    regret_free(f);
}
