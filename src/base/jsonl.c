#include "base/jsonl.h"

#include <cJSON.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "base/json.h"
#include "base/json_tokens.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* JSONL: lines read ahead of their use, parsed one at a time. */

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
        TRY(read_line(r, &found, &n));
    } while (found != NULL && json_skip_blank(found, found + n) == found + n);
    *line = found;
    *length = n;
    if (at != NULL) {
        *at = (struct regret_place){r->path, r->number};
    }
    return REGRET_OK;
}

/* Parses a line, as regret_jsonl_next() does. */
static int jsonl_parse(cJSON **value, const char *line, size_t length, struct regret_place at,
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

/* Most of the time is that of parsing: while the threads parse a batch of lines, and take them, one of them reads the next. */

FREED_POINTER(cJSON, cJSON_Delete)

enum { BATCH_BYTES = 2 << 20, BATCH_LINES = 4096, JOB = 16 };

struct batch {
    struct regret_buffer text; /* of the lines, one after the other */
    struct {
        size_t begin, length, number;
    } line[BATCH_LINES];
    size_t n;
    const char *file; /* borrowed */
};

struct reading {
    struct regret_jsonl *lines;
    enum regret_json_mode mode;
    const struct jsonl_taker *taker;
    size_t first; /* the batch's first row */
    struct batch batch[2], *now,
        *next; /* the one that is parsed, and the one that is read meanwhile */
    int failed; /* what reading ended with, and its message: told when the lines before were handed over */
    char said[1024];
};

/* As many lines as fit; none at the end of the file. */
static int read_batch(struct batch *b, struct regret_jsonl *lines)
{
    const char *text = "";
    struct regret_place at = {NULL, 0};
    size_t length = 0;
    regret_buffer_clear(&b->text);
    b->n = 0;
    while (b->n < BATCH_LINES && b->text.length < BATCH_BYTES) {
        TRY(regret_jsonl_next_line(lines, &text, &length, &at));
        if (text == NULL) {
            return REGRET_OK;
        }
        b->file = at.file;
        b->line[b->n].begin = b->text.length;
        b->line[b->n].length = length;
        b->line[b->n++].number = at.line;
        regret_buffer_append_n(&b->text, text, length);
        TRY(regret_buffer_status(&b->text));
    }
    return REGRET_OK;
}

static void read_next(struct reading *r)
{
    r->next->n = 0;
    if (r->failed == REGRET_OK && (r->failed = read_batch(r->next, r->lines)) != REGRET_OK) {
        snprintf(r->said, sizeof r->said, "%s", regret_error_message());
    }
}

static size_t end_of(const struct batch *b, size_t job)
{
    return (job + 1) * JOB < b->n ? (job + 1) * JOB : b->n;
}

static int take(const struct jsonl_taker *taker, size_t row, const char *line, size_t length,
                enum regret_json_mode mode, struct regret_place at)
{
    FREED_BY(cJSON_Delete_at) cJSON *value = NULL;
    TRY(jsonl_parse(&value, line, length, at, mode));
    TRY(regret_jsonl_check_object(value, at));
    return taker->row(taker->context, row, value, at);
}

/* Job 0 reads the next batch; the others take the lines of this one. */
static int read_or_take(void *context, size_t index, size_t worker)
{
    struct reading *r = context;
    struct batch *b = r->now;
    (void)worker;
    if (index == 0) {
        read_next(r);
        return REGRET_OK;
    }
    for (size_t i = (index - 1) * JOB; i < end_of(b, index - 1); i++) {
        const struct regret_place at = {b->file, b->line[i].number};
        TRY(take(r->taker, r->first + i, regret_buffer_get(&b->text) + b->line[i].begin,
                 b->line[i].length, r->mode, at));
    }
    return REGRET_OK;
}

static int read_all(struct reading *r, size_t *n, size_t threads)
{
    const struct jsonl_taker *taker = r->taker;
    read_next(r);
    while (r->next->n > 0) {
        struct batch *now = r->next;
        size_t jobs = (now->n + JOB - 1) / JOB;
        r->next = r->now;
        r->now = now;
        r->first = *n;
        *n += now->n;
        TRY(taker->reserve(taker->context, *n));
        TRY(regret_parallel_for(jobs + 1, threads, read_or_take, r));
    }
    return r->failed == REGRET_OK ? REGRET_OK : regret_fail(r->failed, "%s", r->said);
}

/* A line at a time, whose tree is still in a near cache when it is freed. */
static int read_alone(struct regret_jsonl *lines, size_t *n, enum regret_json_mode mode,
                      const struct jsonl_taker *taker)
{
    const char *text = NULL;
    size_t length = 0;
    struct regret_place at;
    for (;; ++*n) {
        TRY(regret_jsonl_next_line(lines, &text, &length, &at));
        if (text == NULL) {
            return REGRET_OK;
        }
        TRY(taker->reserve(taker->context, *n + 1));
        TRY(take(taker, *n, text, length, mode, at));
    }
}

int jsonl_each(size_t *n, struct regret_jsonl *lines, enum regret_json_mode mode, size_t threads,
               const struct jsonl_taker *taker)
{
    struct reading *r = NULL;
    *n = 0;
    if (threads == 1) {
        return read_alone(lines, n, mode, taker);
    }
    TRY(REGRET_NEW(&r, 1));
    *r = (struct reading){
        .lines = lines, .mode = mode, .taker = taker, .now = &r->batch[0], .next = &r->batch[1]};
    int rc = read_all(r, n, threads);
    for (size_t i = 0; i < 2; i++) {
        regret_buffer_free(&r->batch[i].text);
    }
    regret_free(r);
    return rc;
}

/* ---- Piece by piece ---- */

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
