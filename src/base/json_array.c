#include "base/json_array.h"

#include <cJSON.h>
#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/json_tokens.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"

/* Adds a value, which the object owns from here on, or which is freed. REGRET_E_INPUT: it has the field. */
static int json_add(cJSON *object, const char *field, cJSON *value, struct regret_place at)
{
    if (cJSON_GetObjectItemCaseSensitive(object, field) != NULL) {
        cJSON_Delete(value);
        return regret_json_error(at, "key \"%s\" is given twice", field);
    }
    if (!cJSON_AddItemToObject(object, field, value)) {
        cJSON_Delete(value);
        return regret_fail(REGRET_E_NOMEM, "out of memory: reading %s", at.file);
    }
    return REGRET_OK;
}

/* From the name of a member to its value; 0 where neither stands there. */
static int take_name(struct json_tokens *t, struct regret_span *name)
{
    int is_escaped = 0;
    if (!json_take_string(t, name, &is_escaped)) {
        return 0;
    }
    t->at = json_skip_blank(t->at, t->end);
    if (t->at == t->end || *t->at != ':') {
        return 0;
    }
    t->at = json_skip_blank(t->at + 1, t->end);
    return t->at < t->end && strchr(",:]}", *t->at) == NULL;
}

/* Is this the name of a field, or, with the mark, one whose values are hollow? */
static int is_named(struct regret_span name, const char *field, char mark)
{
    return mark == '\0' ? span_is(name, field) : *field == mark && span_is(name, field + 1);
}

static size_t find_field(struct regret_span name, const char *const *fields, size_t n, char mark)
{
    size_t i = 0;
    while (i < n && !is_named(name, fields[i], mark)) {
        i++;
    }
    return i;
}

/* Appends a value in which those that are hollow are null. */
static void append_hollowed(struct regret_buffer *out, const char *p, const char *end,
                            const char *const *fields, size_t n)
{
    struct json_tokens t = {p, end, REGRET_JSON_IMPORT};
    struct json_token s;
    while ((s = json_next(&t)).kind != JSON_END) {
        struct json_tokens member = {s.begin, end, REGRET_JSON_IMPORT};
        struct regret_span name;
        if (s.kind != JSON_STRING || !take_name(&member, &name) ||
            find_field(name, fields, n, '-') == n) {
            continue;
        }
        const char *behind = json_skip_value(member.at, end);
        if (behind != NULL) {
            regret_buffer_append_n(out, p, (size_t)(member.at - p));
            regret_buffer_append(out, "null");
            p = t.at = behind;
        }
    }
    regret_buffer_append_n(out, p, (size_t)(end - p));
}

static int parse_hollowed(cJSON **value, const char *begin, const char *end, struct regret_place at,
                          const char *const *fields, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    append_hollowed(&text, begin, end, fields, n);
    TRY(regret_buffer_status(&text));
    return json_parse_from(value, regret_buffer_get(&text), text.length, at, 1, REGRET_JSON_IMPORT);
}

/* Goes behind the value at t->at, to the end of the text where it does not end, and adds it where it is wanted. */
static int take_value(cJSON *out, struct json_tokens *t, struct regret_span name,
                      struct regret_place at, const char *const *fields, size_t n)
{
    cJSON *value = NULL;
    const char *begin = t->at, *behind = json_skip_value(begin, t->end);
    size_t i = find_field(name, fields, n, '\0');
    t->at = behind != NULL ? json_skip_blank(behind, t->end) : t->end;
    if (behind == NULL || i == n) {
        return REGRET_OK;
    }
    TRY(*fields[n - 1] == '-'
            ? parse_hollowed(&value, begin, behind, at, fields, n)
            : json_parse_from(&value, begin, (size_t)(behind - begin), at, 1, REGRET_JSON_IMPORT));
    return json_add(out, fields[i], value, at);
}

/* *is_whole: the text is an object from its first to its last byte, as far as it was looked at. */
static int pick(cJSON *out, int *is_whole, struct json_tokens t, struct regret_place at,
                const char *const *fields, size_t n)
{
    struct regret_span name;
    t.at = json_skip_blank(json_skip_mark(t.at, t.end), t.end);
    if (t.at == t.end || *t.at != '{') {
        return REGRET_OK;
    }
    for (char mark = '{'; t.at < t.end && *t.at == mark; mark = ',') {
        t.at = json_skip_blank(t.at + 1, t.end);
        if (mark == '{' && t.at < t.end && *t.at == '}') {
            break;
        }
        if (!take_name(&t, &name)) {
            return REGRET_OK;
        }
        TRY(take_value(out, &t, name, at, fields, n));
    }
    *is_whole = t.at < t.end && *t.at == '}' && json_skip_blank(t.at + 1, t.end) == t.end;
    return REGRET_OK;
}

int json_pick(cJSON **out, const char *text, size_t length, struct regret_place at, size_t column,
              const char *const *fields, size_t n)
{
    const struct json_tokens t = {text, text + length, REGRET_JSON_IMPORT};
    int is_whole = 0;
    cJSON *picked = cJSON_CreateObject();
    int rc = picked != NULL ? pick(picked, &is_whole, t, at, fields, n)
                            : regret_fail(REGRET_E_NOMEM, "out of memory: reading %s", at.file);
    if (is_whole) {
        *out = picked;
        return rc;
    }
    cJSON_Delete(
        picked); /* the parser finds the same fault, or one before it, and tells its column */
    return rc == REGRET_E_NOMEM
               ? rc
               : json_parse_from(out, text, length, at, column, REGRET_JSON_IMPORT);
}

FREED_POINTER(cJSON, cJSON_Delete)

static struct regret_place place(const struct json_array *a)
{
    return (struct regret_place){a->path, a->line};
}

/* Fails at the next byte. */
static const char NOTHING_BEFORE[] = "";
#define FAIL(a, ...)                                                                               \
    json_error_at(place(a), (a)->column, NOTHING_BEFORE, NOTHING_BEFORE, __VA_ARGS__)

/* Hands out the next n bytes, and counts the lines and columns that they take. */
static void take(struct json_array *a, size_t n)
{
    size_t have = 0;
    const char *p = jsonl_ahead(a->reader, &have), *end = p + n;
    for (const char *q = p; q < end; q++) {
        if (*q == '\n') {
            a->line++;
            a->column = 1;
            p = q + 1;
        }
    }
    a->column += json_column(p, end) - 1;
    jsonl_take(a->reader, n);
}

/* The next byte that is not white space, not handed out; -1 at the end of the file. */
static int peek(int *byte, struct json_array *a)
{
    size_t got = 1;
    *byte = -1;
    while (got > 0) {
        size_t n = 0;
        const char *begin = jsonl_ahead(a->reader, &n), *p = json_skip_blank(begin, begin + n);
        *byte = p < begin + n ? (unsigned char)*p : -1;
        take(a, (size_t)(p - begin));
        if (*byte >= 0) {
            return REGRET_OK;
        }
        TRY(jsonl_read_more(a->reader, &got));
    }
    return REGRET_OK;
}

/* Looks for the end of the element that the next byte begins, *length bytes on; *end is the byte after
 * it, one of `ends`, 0 where the file ends first. */
static int find_end(size_t *length, char *end, struct json_array *a, const char *ends)
{
    size_t got = 1, n = 0, depth = 0;
    *length = 0;
    *end = '\0';
    while (got > 0) {
        const char *text = jsonl_ahead(a->reader, &n), *at = text + *length;
        const char *mark = json_find_mark(&at, text + n, ends, &depth);
        *length = (size_t)(at - text);
        if (mark != NULL) {
            *end = *mark;
            return REGRET_OK;
        }
        if (n > REGRET_JSONL_MAX_LINE) {
            return regret_json_error(place(a), "an element of more than %d bytes",
                                     REGRET_JSONL_MAX_LINE);
        }
        TRY(jsonl_read_more(a->reader, &got));
    }
    *length = n;
    return REGRET_OK;
}

static int cut_short(const struct json_array *a)
{
    return FAIL(a, "malformed JSON: the text ends too early: a \"[\" is not closed");
}

/* Nothing may follow the array. */
static int close_array(struct json_array *a)
{
    int byte = -1;
    a->state = JSON_ARRAY_OVER;
    if (a->is_inside) {
        return REGRET_OK;
    }
    TRY(peek(&byte, a));
    return byte < 0 ? REGRET_OK : FAIL(a, "text after the JSON value");
}

/* Past what stands before the first value of the file. */
static void begin(struct json_array *a)
{
    size_t n = 0;
    const char *p = jsonl_ahead(a->reader, &n);
    a->line = a->column = 1;
    jsonl_take(a->reader, (size_t)(json_skip_mark(p, p + n) - p));
}

/* From the beginning of the file, or where it begins in it, into the array, to its end where it is empty. */
static int open_array(struct json_array *a)
{
    int byte = -1;
    TRY(peek(&byte, a));
    if (byte != '[') {
        return FAIL(a, "must be a JSON array");
    }
    take(a, 1);
    TRY(peek(&byte, a));
    if (byte == ']') {
        take(a, 1);
        a->state = JSON_ARRAY_CLOSED;
    }
    return REGRET_OK;
}

/* After the last element. */
static int end_array(struct json_array *a)
{
    return a->state == JSON_ARRAY_CLOSED ? close_array(a)
           : a->state == JSON_ARRAY_CUT  ? cut_short(a)
                                         : REGRET_OK;
}

/* Up to the element that begins at the next byte; *length is 0 behind the last one. */
static int find_element(size_t *length, char *end, struct json_array *a)
{
    int byte = -1;
    *length = 0;
    if (a->line == 0) {
        begin(a);
        TRY(open_array(a));
    }
    if (a->state != JSON_ARRAY_GOES_ON) {
        return end_array(a);
    }
    TRY(peek(&byte, a));
    if (byte == ',' || byte == ']') {
        return FAIL(a, "malformed JSON: no value before the \"%c\"", byte);
    }
    if (byte == 0xef) { /* a byte order mark, which the parser would pass over */
        return FAIL(a, "malformed JSON: a byte order mark before a value");
    }
    return byte < 0 ? cut_short(a) : find_end(length, end, a, ",]");
}

int json_array_next(struct json_array *a, struct cJSON **value, struct regret_place *at)
{
    size_t length = 0, n = 0;
    char end = '\0';
    int rc = find_element(&length, &end, a);
    *value = NULL;
    if (rc != REGRET_OK) {
        a->state = JSON_ARRAY_OVER;
        return rc;
    }
    if (length == 0) {
        return REGRET_OK;
    }
    *at = place(a);
    size_t column = a->column;
    const char *text = jsonl_ahead(a->reader, &n);
    take(a, length + (end != '\0'));
    a->state = end == ',' ? JSON_ARRAY_GOES_ON : end == ']' ? JSON_ARRAY_CLOSED : JSON_ARRAY_CUT;
    return a->fields != NULL
               ? json_pick(value, text, length, *at, column, a->fields, a->n_fields)
               : json_parse_from(value, text, length, *at, column, REGRET_JSON_IMPORT);
}

int json_array_each(struct json_array *a, json_element *element, void *context)
{
    FREED_BY(cJSON_Delete_at) cJSON *value = NULL;
    struct regret_place at;
    do {
        cJSON_Delete(value);
        value = NULL;
        TRY(json_array_next(a, &value, &at));
        TRY(value != NULL ? element(context, value, at) : REGRET_OK);
    } while (value != NULL);
    return REGRET_OK;
}

/* A member of an object, whose name the next byte begins. */
struct member {
    const char *field; /* that of those wanted which it is, or the key; NULL: none of them */
    int byte;          /* that its value begins with */
};

static int object_cut(const struct json_array *a)
{
    return FAIL(a, "malformed JSON: the text ends too early: a \"{\" is not closed");
}

static const char *name_of(struct regret_span raw, const char *key, const char *const *fields,
                           size_t n)
{
    const char *found = span_is(raw, key) ? key : NULL;
    for (size_t i = 0; i < n && found == NULL; i++) {
        found = span_is(raw, fields[i]) ? fields[i] : NULL;
    }
    return found;
}

/* Past the name and the colon to the value. */
static int read_name(struct member *m, struct json_array *a, const char *key,
                     const char *const *fields, size_t n)
{
    size_t length = 0, have = 0;
    struct regret_span raw = {NULL, 0};
    int is_escaped = 0;
    char end = '\0';
    TRY(find_end(&length, &end, a, ":,}"));
    const char *text = jsonl_ahead(a->reader, &have);
    struct json_tokens t = {text, text + length, REGRET_JSON_IMPORT};
    if (end == '\0') {
        return object_cut(a);
    }
    if (end != ':' || !json_take_string(&t, &raw, &is_escaped) ||
        json_skip_blank(t.at, t.end) != t.end) {
        return FAIL(a, "malformed JSON: a name in quotes and a colon must stand here");
    }
    m->field = name_of(raw, key, fields, n);
    take(a, length + 1);
    TRY(peek(&m->byte, a));
    return m->byte < 0 ? object_cut(a) : REGRET_OK;
}

/* Is this one value, by its quotes and brackets? */
static int is_one_value(const char *text, const char *end)
{
    const char *behind = strchr(",:]}", *text) == NULL ? json_skip_value(text, end) : NULL;
    return behind != NULL && json_skip_blank(behind, end) == end;
}

/* Reads the value of a member, or passes over that of one that nobody wants; *end is the mark behind it. */
static int read_member(struct cJSON *before, char *end, struct json_array *a,
                       const struct member *m)
{
    size_t length = 0, n = 0, column = a->column;
    struct regret_place at = place(a);
    cJSON *value = NULL;
    TRY(find_end(&length, end, a, ",}"));
    const char *text = jsonl_ahead(a->reader, &n);
    if (*end != '\0' && m->field == NULL && !is_one_value(text, text + length)) {
        return FAIL(a, "malformed JSON: a value must stand here, and a comma or a \"}\" behind it");
    }
    take(a, length + (*end != '\0'));
    if (*end == '\0') {
        return object_cut(a);
    }
    if (m->field == NULL) {
        return REGRET_OK;
    }
    TRY(json_parse_from(&value, text, length, at, column, REGRET_JSON_IMPORT));
    return json_add(before, m->field, value, at);
}

static int seek(struct json_array *a, int *found, struct cJSON *before, const char *key,
                const char *const *fields, size_t n)
{
    struct member m = {NULL, 0};
    char end = ',';
    begin(a);
    TRY(peek(&m.byte, a));
    if (m.byte != '{') {
        return FAIL(a, "must be a JSON object");
    }
    take(a, 1);
    TRY(peek(&m.byte, a));
    while (m.byte != '}' && end == ',') {
        TRY(read_name(&m, a, key, fields, n));
        *found = m.field == key && m.byte == '[';
        if (*found) {
            return open_array(a);
        }
        if (m.field == key && m.byte == '{') {
            take(a, 1);
            cJSON_Delete(before->child);
            before->child = NULL;
        } else {
            TRY(read_member(before, &end, a, &m));
        }
        TRY(peek(&m.byte, a));
    }
    a->state = JSON_ARRAY_OVER;
    return REGRET_OK;
}

int json_array_seek(struct json_array *a, int *found, struct cJSON **before, const char *key,
                    const char *const *fields, size_t n)
{
    *found = 0;
    *before = cJSON_CreateObject();
    if (*before == NULL) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: reading %s", a->path);
    }
    a->is_inside = 1;
    int rc = seek(a, found, *before, key, fields, n);
    a->state = rc != REGRET_OK ? JSON_ARRAY_OVER : a->state;
    return rc;
}
