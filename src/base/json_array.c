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
    return json_parse_from(value, text, length, *at, column, REGRET_JSON_IMPORT);
}
