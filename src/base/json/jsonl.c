/* JSONL: lines read ahead of their use, parsed one at a time. */
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/files/unpack.h"
#include "base/json/json_tokens.h"
#include "base/json/jsonl_bytes.h"
#include "regret/alloc.h"
#include "regret/json.h"

FREED_POINTER(struct regret_jsonl, regret_jsonl_close)

struct regret_jsonl {
    jsonl_source *source;
    void *context;         /* of the source */
    struct unpack *unpack; /* where it is a file; owned */
    char *path;            /* owned */
    char *buffer;          /* bytes read ahead; owned */
    size_t capacity;       /* of `buffer` */
    size_t begin, end;     /* the bytes not yet handed out */
    size_t number;         /* of the present line, from 1 */
    int over;              /* 1 after an error that reading cannot go on from */
};

/* Moves what is left to the front, makes room and reads on. *got is 0 at the end of the file. */
int jsonl_read_more(struct regret_jsonl *r, size_t *got)
{
    if (r->begin > 0) {
        memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    if (r->end == r->capacity) {
        size_t grown = r->capacity == 0 ? 65536 : r->capacity * 2;
        TRY(regret_realloc((void **)&r->buffer, grown, 1, r->path));
        r->capacity = grown;
    }
    long n = 1;
    *got = 0;
    while (n > 0 && r->end < r->capacity) {
        n = r->source(r->context, r->buffer + r->end, r->capacity - r->end);
        TRY(n < 0 ? (int)n : REGRET_OK);
        r->end += (size_t)n;
        *got += (size_t)n;
    }
    return REGRET_OK;
}

const char *jsonl_ahead(const struct regret_jsonl *r, size_t *n)
{
    *n = r->end - r->begin;
    return r->buffer + r->begin;
}

void jsonl_take(struct regret_jsonl *r, size_t n)
{
    r->begin += n;
}

int jsonl_open_source(struct regret_jsonl **out, jsonl_source *source, void *context,
                      const char *name)
{
    size_t got = 0;
    FREED_BY(regret_jsonl_close_at) struct regret_jsonl *r = NULL;
    TRY(REGRET_NEW(&r, 1));
    r->source = source;
    r->context = context;
    TRY(regret_strdup(&r->path, name));
    TRY(jsonl_read_more(r, &got));
    TRY(input_check_head(r->buffer, r->end, name));
    *out = r;
    r = NULL;
    return REGRET_OK;
}

int regret_jsonl_open(struct regret_jsonl **out, const char *path)
{
    struct unpack *unpack = NULL;
    TRY(unpack_open(&unpack, path));
    int rc = jsonl_open_source(out, unpack_read, unpack, path);
    if (rc != REGRET_OK) {
        unpack_close(unpack);
        return rc;
    }
    (*out)->unpack = unpack;
    return REGRET_OK;
}

/* The next line without its end, borrowed until the next call; *line is NULL at the end. */
static int read_line(struct regret_jsonl *r, const char **line, size_t *length)
{
    size_t scanned = 0; /* bytes from r->begin known to hold no line end */
    for (;;) {
        size_t have = r->end - r->begin;
        const char *start = r->buffer + r->begin;
        const char *newline =
            have == scanned ? NULL : memchr(start + scanned, '\n', have - scanned);
        size_t got = 0;
        if (newline == NULL) {
            scanned = have;
            if (have > REGRET_JSONL_MAX_LINE) {
                return regret_json_error((struct regret_place){r->path, r->number + 1},
                                         "a line of more than %d bytes", REGRET_JSONL_MAX_LINE);
            }
            TRY(jsonl_read_more(r, &got));
            if (got > 0) {
                continue;
            }
            start = r->buffer + r->begin;
        }
        *length = newline != NULL ? (size_t)(newline - start) : have;
        *line = newline == NULL && have == 0 ? NULL : start;
        r->begin += *length + (newline != NULL);
        r->number++;
        return REGRET_OK;
    }
}

int regret_jsonl_next_line(struct regret_jsonl *r, const char **line, size_t *length,
                           struct regret_place *at)
{
    const char *found = NULL;
    size_t n = 0;
    do {
        int rc = read_line(r, &found, &n);
        if (rc != REGRET_OK) {
            r->over = 1;
            return rc;
        }
    } while (found != NULL && json_skip_blank(found, found + n) == found + n);
    *line = found;
    *length = n;
    if (at != NULL) {
        *at = (struct regret_place){r->path, r->number};
    }
    return REGRET_OK;
}

int jsonl_parse(cJSON **value, const char *line, size_t length, struct regret_place at,
                enum regret_json_mode mode)
{
    int rc = regret_json_parse_mode(value, line, length, at, mode);
    return rc == REGRET_E_INPUT && *json_skip_blank(line, line + length) == '['
               ? regret_fail_prefix(rc, "%s holds a JSON array, not JSONL, one object a line",
                                    at.file)
               : rc;
}

int regret_jsonl_next(struct regret_jsonl *r, cJSON **value, struct regret_place *at)
{
    const char *line = NULL;
    size_t length = 0;
    struct regret_place here;
    TRY(regret_jsonl_next_line(r, &line, &length, &here));
    if (line == NULL) {
        *value = NULL;
        return REGRET_OK;
    }
    TRY(jsonl_parse(value, line, length, here, REGRET_JSON_STRICT));
    if (at != NULL) {
        *at = here;
    }
    return REGRET_OK;
}

int regret_jsonl_check_object(const cJSON *value, struct regret_place at)
{
    return cJSON_IsObject(value) ? REGRET_OK
           : cJSON_IsArray(value)
               ? regret_json_error(at, "is a JSON array; JSONL is wanted, one object a line")
               : regret_json_error(at, "must be one object in braces");
}

int regret_jsonl_is_over(const struct regret_jsonl *r)
{
    return r->over;
}

char regret_jsonl_peek(const struct regret_jsonl *r)
{
    const char *end = r->buffer + r->end;
    const char *p = json_skip_blank(json_skip_mark(r->buffer + r->begin, end), end);
    return (char)(p < end ? *p : '\0');
}

void regret_jsonl_close(struct regret_jsonl *r)
{
    if (r == NULL) {
        return;
    }
    unpack_close(r->unpack);
    regret_free(r->buffer);
    regret_free(r->path);
    regret_free(r);
}
