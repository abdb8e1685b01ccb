#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/json_tokens.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "table/internal.h"

/* A list deep in a document, element by element: only where an element ends is found out here, by its quotes and brackets; what
 * is in it scan_json() judges. */

static int fail_here(const struct scan_list *l, const char *what)
{
    return json_error_at(l->text.at, l->text.column, "", "", "malformed JSON: %s", what);
}

static int is_cut(const struct scan_list *l)
{
    return fail_here(l, l->is_open && !l->is_of_members
                            ? "the text ends too early: a \"[\" is not closed"
                            : "the text ends too early: a \"{\" is not closed");
}

static int demand(struct scan_list *l, char mark, const char *what)
{
    int byte = -1;
    TRY(json_cursor_peek(&byte, &l->text));
    if (byte < 0) {
        return is_cut(l);
    }
    if (byte != mark) {
        return fail_here(l, what);
    }
    json_cursor_take(&l->text, 1);
    return REGRET_OK;
}

/* How many bytes on the value that the next byte begins ends: at one of `ends`, which must be there. */
static int find_end(size_t *length, struct scan_list *l, const char *ends)
{
    char end = '\0';
    TRY(json_cursor_find_end(length, &end, &l->text, ends, "a value"));
    return end != '\0' ? REGRET_OK : is_cut(l);
}

/* Is the member at hand, which begins with this byte, on the way to a list? *is_list: it is one; a list that ends in ".*" is of
 * members. */
static int is_on_way(struct scan_list *l, int byte, int *is_list)
{
    size_t length = l->path.length;
    int is_way = 0;
    *is_list = l->is_of_members = 0;
    for (const char *p = l->lists; *p != '\0'; p += strcspn(p, "|"), p += *p == '|') {
        size_t n = strcspn(p, "|");
        if (n < length || memcmp(p, regret_buffer_get(&l->path), length) != 0 ||
            (n > length && p[length] != '.')) {
            continue;
        }
        if (!*is_list &&
            (byte == '{' ? n == length + 2 && p[length + 1] == '*' : byte == '[' && n == length)) {
            *is_list = 1;
            l->is_of_members = n > length;
        }
        is_way |= n > length;
    }
    return is_way;
}

static void put_head(struct scan_list *l, const char *text)
{
    if (l->head != NULL) {
        regret_buffer_append(l->head, text);
    }
}

/* The name of a member, in quotes as plain JSON, appended; then its colon. */
static int take_name(struct regret_buffer *out, struct scan_list *l)
{
    static const struct scan_fields ALL = {0};
    size_t length = 0, n = 0;
    int byte = -1;
    TRY(json_cursor_peek(&byte, &l->text));
    if (byte != '"') {
        return byte < 0 ? is_cut(l) : fail_here(l, "a name in quotes and a colon must stand here");
    }
    TRY(find_end(&length, l, ":,}"));
    TRY(scan_json(out, jsonl_ahead(l->text.reader, &n), length, l->text.at, l->text.column, &ALL));
    json_cursor_take(&l->text, length);
    return demand(l, ':', "a name in quotes and a colon must stand here");
}

/* From the name of a member to its value: the name becomes the last part of the path. */
static int read_name(struct scan_list *l)
{
    FREED_BY(regret_buffer_free) struct regret_buffer plain = REGRET_BUFFER_INIT;
    TRY(take_name(&plain, l));
    if (l->head != NULL) {
        regret_buffer_append(l->head, l->is_behind_member ? "," : "");
        regret_buffer_append_n(l->head, plain.data, plain.length);
        regret_buffer_append(l->head, ":");
    }
    l->before[l->depth] = l->path.length;
    regret_buffer_append_char(&l->path, '.');
    regret_buffer_append_n(&l->path, plain.data + 1, plain.length - 2);
    return regret_buffer_status(&l->path);
}

static void leave_member(struct scan_list *l)
{
    l->path.length = l->before[l->depth];
    l->path.data[l->path.length] = '\0';
    l->is_behind_member = 1;
}

/* A value that is no list: to the head, or passed over. */
static int pass_value(struct scan_list *l, const char *ends)
{
    static const struct scan_fields ALL = {0};
    size_t length = 0, n = 0;
    TRY(find_end(&length, l, ends));
    const char *text = jsonl_ahead(l->text.reader, &n);
    if (l->head != NULL) {
        TRY(scan_json(l->head, text, length, l->text.at, l->text.column, &ALL));
    } else if (json_skip_blank(text, text + length) == text + length) {
        return fail_here(l, "a value must stand here");
    }
    json_cursor_take(&l->text, length);
    return REGRET_OK;
}

/* The name of a member that is an element. */
static int read_key(struct scan_list *l)
{
    regret_buffer_clear(&l->element);
    regret_buffer_append(&l->element, "{\"key\":");
    TRY(take_name(&l->element, l));
    regret_buffer_append(&l->element, ",\"value\":");
    return REGRET_OK;
}

/* To the next element; *more 0: the list is over. */
static int reach_element(struct scan_list *l, int *more)
{
    int byte = -1;
    TRY(json_cursor_peek(&byte, &l->text));
    *more = byte != (l->is_of_members ? '}' : ']');
    if (!*more) {
        json_cursor_take(&l->text, 1);
        l->is_open = 0;
        return REGRET_OK;
    }
    if (!l->is_first) {
        TRY(demand(l, ',', "a comma or the list's end must stand here"));
    }
    l->is_first = 0;
    TRY(l->is_of_members ? read_key(l) : REGRET_OK);
    TRY(json_cursor_peek(&byte, &l->text));
    if (byte < 0) {
        return is_cut(l);
    }
    return strchr(",]}:", byte) == NULL ? REGRET_OK : fail_here(l, "a value must stand here");
}

/* The next element of the list that is open; *text is NULL at its end. */
static int next_element(struct scan_list *l, const char **text, size_t *length,
                        struct regret_place *at, size_t *column)
{
    size_t n = 0;
    char end = '\0';
    int more = 0;
    *text = NULL;
    TRY(reach_element(l, &more));
    if (!more) {
        return REGRET_OK;
    }
    /* one that the text ends in is judged, too, before that is told */
    TRY(json_cursor_find_end(length, &end, &l->text, l->is_of_members ? ",}" : ",]", "a value"));
    *at = l->text.at;
    *column = l->text.column;
    *text = jsonl_ahead(l->text.reader, &n);
    json_cursor_take(&l->text, *length);
    if (l->is_of_members) {
        regret_buffer_append_n(&l->element, *text, *length);
        regret_buffer_append(&l->element, "}");
        *text = regret_buffer_get(&l->element);
        *length = l->element.length;
        *column = 1;
    }
    return regret_buffer_status(&l->element);
}

/* The elements of the list that has been opened, for a head, which has none of them. */
static int pass_list(struct scan_list *l)
{
    const char *text = "";
    size_t length = 0, column = 0;
    struct regret_place at;
    put_head(l, l->is_of_members ? "{}" : "[]");
    while (text != NULL) {
        TRY(next_element(l, &text, &length, &at, &column));
    }
    return REGRET_OK;
}

/* Behind the value of a member: the objects that end there are closed. Nothing may follow the outermost. */
static int close_objects(struct scan_list *l)
{
    int byte = -1;
    leave_member(l);
    TRY(json_cursor_peek(&byte, &l->text));
    while (byte == '}' && l->depth > 0) {
        json_cursor_take(&l->text, 1);
        put_head(l, "}");
        l->depth--;
        if (l->depth > 0) {
            leave_member(l);
        }
        TRY(json_cursor_peek(&byte, &l->text));
    }
    if (l->depth == 0) {
        return byte < 0 ? REGRET_OK : fail_here(l, "text after the JSON value");
    }
    return demand(l, ',', "a comma or a \"}\" must stand here");
}

static int open_object(struct scan_list *l)
{
    int byte = -1;
    json_cursor_take(&l->text, 1);
    l->depth++;
    l->is_behind_member = 0;
    put_head(l, "{");
    TRY(json_cursor_peek(&byte, &l->text));
    if (byte != '}') {
        return REGRET_OK;
    }
    json_cursor_take(&l->text, 1);
    put_head(l, "}");
    l->depth--;
    return l->depth > 0 ? close_objects(l) : REGRET_OK;
}

/* Opens the list that the next byte begins; *found is 1 where somebody wants its elements. */
static int open_list(struct scan_list *l, int *found)
{
    json_cursor_take(&l->text, 1);
    l->is_open = l->is_first = 1;
    *found = l->head == NULL && !l->is_done;
    if (*found) {
        return REGRET_OK;
    }
    TRY(pass_list(l));
    return l->depth > 0 ? close_objects(l) : REGRET_OK;
}

static int read_member(struct scan_list *l, int *found)
{
    int byte = -1, is_list = 0;
    TRY(read_name(l));
    TRY(json_cursor_peek(&byte, &l->text));
    int is_way = is_on_way(l, byte, &is_list);
    if (is_list) {
        return open_list(l, found);
    }
    if (byte == '{' && is_way && l->depth < REGRET_JSON_MAX_DEPTH) {
        return open_object(l);
    }
    TRY(pass_value(l, ",}"));
    return close_objects(l);
}

int scan_list_open(struct scan_list *l, int *found)
{
    int byte = -1, is_list = 0;
    *found = 0;
    json_cursor_begin(&l->text);
    regret_buffer_append(&l->path, "$");
    TRY(regret_buffer_status(&l->path));
    TRY(json_cursor_peek(&byte, &l->text));
    (void)is_on_way(l, byte, &is_list);
    if (is_list) {
        return open_list(l, found);
    }
    if (byte == '[') { /* another document, of which nothing is wanted */
        regret_buffer_append(l->head != NULL ? l->head : &l->path, "null");
        return REGRET_OK;
    }
    if (byte != '{') {
        return fail_here(l, byte < 0 ? "the text is empty" : "must be a JSON object");
    }
    TRY(open_object(l));
    while (l->depth > 0 && !*found) {
        TRY(read_member(l, found));
    }
    return l->head != NULL ? regret_buffer_status(l->head) : REGRET_OK;
}

int scan_list_next(struct scan_list *l, const char **text, size_t *length, struct regret_place *at,
                   size_t *column)
{
    int found = 0;
    TRY(next_element(l, text, length, at, column));
    if (*text != NULL) {
        return REGRET_OK;
    }
    l->is_done = 1;
    if (l->depth > 0) {
        TRY(close_objects(l));
    } else {
        int byte = -1;
        TRY(json_cursor_peek(&byte, &l->text));
        TRY(byte < 0 ? REGRET_OK : fail_here(l, "text after the JSON value"));
    }
    while (l->depth > 0) {
        TRY(read_member(l, &found));
    }
    return REGRET_OK;
}

void scan_list_free(struct scan_list *l)
{
    regret_buffer_free(&l->element);
    regret_buffer_free(&l->path);
}
