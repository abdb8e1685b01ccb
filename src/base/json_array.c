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

void json_cursor_begin(struct json_cursor *c)
{
    size_t n = 0;
    const char *p = jsonl_ahead(c->reader, &n);
    c->at.line = c->column = 1;
    jsonl_take(c->reader, (size_t)(json_skip_mark(p, p + n) - p));
}

void json_cursor_take(struct json_cursor *c, size_t n)
{
    size_t have = 0;
    const char *p = jsonl_ahead(c->reader, &have), *end = p + n, *newline;
    while ((newline = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        c->at.line++;
        c->column = 1;
        p = newline + 1;
    }
    for (; p < end; p++) {
        c->column += ((unsigned char)*p & 0xC0) != 0x80;
    }
    jsonl_take(c->reader, n);
}

int json_cursor_peek(int *byte, struct json_cursor *c)
{
    size_t got = 1;
    *byte = -1;
    while (got > 0) {
        size_t n = 0;
        const char *begin = jsonl_ahead(c->reader, &n), *p = json_skip_blank(begin, begin + n);
        *byte = p < begin + n ? (unsigned char)*p : -1;
        json_cursor_take(c, (size_t)(p - begin));
        if (*byte >= 0) {
            return REGRET_OK;
        }
        TRY(jsonl_read_more(c->reader, &got));
    }
    return REGRET_OK;
}

int json_cursor_find_end(size_t *length, char *end, struct json_cursor *c, const char *ends,
                         const char *what)
{
    size_t got = 1, n = 0, depth = 0;
    *length = 0;
    *end = '\0';
    while (got > 0) {
        const char *text = jsonl_ahead(c->reader, &n), *at = text + *length;
        const char *mark = json_find_mark(&at, text + n, ends, &depth);
        *length = (size_t)(at - text);
        if (mark != NULL) {
            *end = *mark;
            return REGRET_OK;
        }
        if (n > REGRET_JSONL_MAX_LINE) {
            return regret_json_error(c->at, "%s of more than %d bytes", what,
                                     REGRET_JSONL_MAX_LINE);
        }
        TRY(jsonl_read_more(c->reader, &got));
    }
    *length = n;
    return REGRET_OK;
}

/* Fails at the next byte. */
static const char NOTHING_BEFORE[] = "";
#define FAIL(a, ...)                                                                               \
    json_error_at((a)->text.at, (a)->text.column, NOTHING_BEFORE, NOTHING_BEFORE, __VA_ARGS__)

static int cut_short(const struct json_array *a)
{
    return FAIL(a, "malformed JSON: the text ends too early: a \"[\" is not closed");
}

/* Nothing may follow the array. */
static int close_array(struct json_array *a)
{
    int byte = -1;
    a->state = JSON_ARRAY_OVER;
    TRY(json_cursor_peek(&byte, &a->text));
    return byte < 0 ? REGRET_OK : FAIL(a, "text after the JSON value");
}

/* Into the array, to its end where it is empty. */
static int open_array(struct json_array *a)
{
    int byte = -1;
    TRY(json_cursor_peek(&byte, &a->text));
    if (byte != '[') {
        return FAIL(a, "must be a JSON array");
    }
    json_cursor_take(&a->text, 1);
    TRY(json_cursor_peek(&byte, &a->text));
    if (byte == ']') {
        json_cursor_take(&a->text, 1);
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
    if (a->text.at.line == 0) {
        json_cursor_begin(&a->text);
        TRY(open_array(a));
    }
    if (a->state != JSON_ARRAY_GOES_ON) {
        return end_array(a);
    }
    TRY(json_cursor_peek(&byte, &a->text));
    if (byte == ',' || byte == ']') {
        return FAIL(a, "malformed JSON: no value before the \"%c\"", byte);
    }
    if (byte == 0xef) { /* a byte order mark, which the parser would pass over */
        return FAIL(a, "malformed JSON: a byte order mark before a value");
    }
    return byte < 0 ? cut_short(a)
                    : json_cursor_find_end(length, end, &a->text, ",]", "an element");
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
    *at = a->text.at;
    size_t column = a->text.column;
    const char *text = jsonl_ahead(a->text.reader, &n);
    json_cursor_take(&a->text, length + (end != '\0'));
    a->state = end == ',' ? JSON_ARRAY_GOES_ON : end == ']' ? JSON_ARRAY_CLOSED : JSON_ARRAY_CUT;
    return json_parse_from(value, text, length, *at, column, REGRET_JSON_IMPORT);
}
