#include "base/json_array.h"

#include <string.h>

#include "base/jsonl_bytes.h"
#include "base/try.h"

/* How far an element has been looked through. */
struct element {
    size_t scanned, lines, depth;
    int in_string, escaped;
};

static struct regret_place place(const struct json_array *a)
{
    return (struct regret_place){a->path, a->line};
}

/* The next byte that is not white space, not handed out; -1 at the end of the file. */
static int peek(int *byte, struct json_array *a)
{
    size_t got = 1;
    *byte = -1;
    while (got > 0) {
        size_t n = 0, i = 0;
        const char *p = jsonl_ahead(a->reader, &n);
        while (i < n && memchr(" \t\r\n", p[i], 4) != NULL) {
            a->line += p[i++] == '\n';
        }
        jsonl_take(a->reader, i);
        if (i < n) {
            *byte = (unsigned char)p[i];
            return REGRET_OK;
        }
        TRY(jsonl_read_more(a->reader, &got));
    }
    return REGRET_OK;
}

/* Looks at a byte; 1 where it is the comma or the bracket after the element. */
static int ends_before(struct element *e, char c)
{
    if (e->in_string) {
        e->in_string = e->escaped || c != '"';
        e->escaped = !e->escaped && c == '\\';
    } else if (c == '"') {
        e->in_string = 1;
    } else if (c == '[' || c == '{') {
        e->depth++;
    } else if ((c == ']' || c == '}') && e->depth > 0) {
        e->depth--;
    } else {
        return e->depth == 0 && (c == ',' || c == ']');
    }
    return 0;
}

/* Looks for the end of the element that the next byte begins; *end is the byte after it, 0 where the
 * file ends first. */
static int find_end(struct element *e, char *end, struct json_array *a)
{
    size_t got = 1;
    *end = '\0';
    while (got > 0) {
        size_t n = 0;
        const char *p = jsonl_ahead(a->reader, &n);
        for (; e->scanned < n; e->scanned++) {
            if (ends_before(e, p[e->scanned])) {
                *end = p[e->scanned];
                return REGRET_OK;
            }
            e->lines += p[e->scanned] == '\n';
        }
        if (n > REGRET_JSONL_MAX_LINE) {
            return regret_json_error(place(a), "an element of more than %d bytes",
                                     REGRET_JSONL_MAX_LINE);
        }
        TRY(jsonl_read_more(a->reader, &got));
    }
    return REGRET_OK;
}

static int cut_short(const struct json_array *a)
{
    return regret_json_error(place(a),
                             "malformed JSON: the text ends too early: a \"[\" is not closed");
}

/* Nothing may follow the array. */
static int close_array(struct json_array *a)
{
    int byte = -1;
    a->state = JSON_ARRAY_OVER;
    TRY(peek(&byte, a));
    return byte < 0 ? REGRET_OK : regret_json_error(place(a), "text after the JSON value");
}

/* From the beginning of the file into the array, to its end where it is empty. */
static int open_array(struct json_array *a)
{
    static const char BOM[] = "\xef\xbb\xbf";
    size_t n = 0;
    int byte = -1;
    const char *p = jsonl_ahead(a->reader, &n);
    a->line = 1;
    jsonl_take(a->reader, n >= 3 && memcmp(p, BOM, 3) == 0 ? 3 : 0);
    TRY(peek(&byte, a));
    if (byte != '[') {
        return regret_json_error(place(a), "must be a JSON array");
    }
    jsonl_take(a->reader, 1);
    TRY(peek(&byte, a));
    if (byte == ']') {
        jsonl_take(a->reader, 1);
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

int json_array_next(struct json_array *a, const char **text, size_t *length,
                    struct regret_place *at)
{
    struct element e = {0};
    size_t n = 0;
    int byte = -1;
    char end = '\0';
    *text = NULL;
    TRY(a->line == 0 ? open_array(a) : REGRET_OK);
    if (a->state != JSON_ARRAY_GOES_ON) {
        return end_array(a);
    }
    TRY(peek(&byte, a));
    if (byte == ',' || byte == ']') {
        return regret_json_error(place(a), "malformed JSON: no value before the \"%c\"", byte);
    }
    if (byte == 0xef) { /* a byte order mark, which the parser would pass over */
        return regret_json_error(place(a), "malformed JSON: a byte order mark before a value");
    }
    TRY(byte < 0 ? cut_short(a) : find_end(&e, &end, a));
    *at = place(a);
    *length = e.scanned;
    a->line += e.lines;
    *text = jsonl_ahead(a->reader, &n);
    jsonl_take(a->reader, e.scanned + (end != '\0'));
    a->state = end == ',' ? JSON_ARRAY_GOES_ON : end == ']' ? JSON_ARRAY_CLOSED : JSON_ARRAY_CUT;
    return REGRET_OK;
}
