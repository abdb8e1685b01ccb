#include "rate/read/document.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_parse.h"
#include "rate/read/row.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

enum { FIRST_READ = 1 << 16, GROWTH = 4 };

static int is_row_key(struct regret_span key, struct regret_span z_field)
{
    static const char *const keys[] = {"w",         "w_original",  "scores", "contrasts",
                                       "id",        "completions", "prompt", "reward_question",
                                       "attribute", "dataset"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (span_is(key, keys[k])) {
            return 1;
        }
    }
    return span_equal(key, z_field);
}

/* The key at *p, which goes on to its value. 0: there is none, or the text ends before the value. */
static int take_key(struct json_token *key, const char **p, const char *end)
{
    struct json_tokens t = {*p, end, REGRET_JSON_STRICT};
    *key = json_next(&t);
    if (*p == end || key->kind != JSON_STRING || key->fault == JSON_CUT) {
        return 0;
    }
    struct json_token colon = json_next(&t);
    *p = json_skip_blank(t.at, end);
    return json_is_mark(&colon, ':') && *p < end;
}

static struct regret_span between_quotes(const struct json_token *string)
{
    return (struct regret_span){string->begin + 1, (size_t)(string->end - string->begin) - 2};
}

/* Whether the object at p has a key of scores among its own: it is a reward model then. */
static int is_model(const char *p, const char *end)
{
    struct json_token key;
    p = json_skip_blank(p + 1, end);
    while (p != NULL && take_key(&key, &p, end)) {
        if (side_of_key(between_quotes(&key)) >= 0) {
            return 1;
        }
        p = json_skip_value(p, end);
        p = p != NULL ? json_skip_blank(p, end) : NULL;
        if (p != NULL && p < end && *p == ',') {
            p = json_skip_blank(p + 1, end);
        }
    }
    return 0;
}

enum verdict { NO, YES, UNDECIDED };

/* Whether the object at p holds rows, as far as the text up to `end` tells. */
static enum verdict holds_rows(const char *p, const char *end, struct regret_span z_field)
{
    struct json_token key;
    const char *begin = p;
    for (;;) {
        int is_first = p == begin;
        p = json_skip_blank(p + 1, end);
        if (p < end && *p != '"') {
            return NO;
        }
        if (!take_key(&key, &p, end)) {
            return UNDECIDED;
        }
        if (*p != '{' || is_row_key(between_quotes(&key), z_field) ||
            (is_first && is_model(p, end))) {
            return NO;
        }
        p = json_skip_value(p, end);
        p = p != NULL ? json_skip_blank(p, end) : NULL;
        if (p == NULL || p == end) {
            return UNDECIDED;
        }
        if (*p != ',') {
            return *p == '}' && json_skip_blank(p + 1, end) == end ? YES : NO;
        }
    }
}

static enum verdict examine(const struct document *d, int at_end, struct regret_span z_field)
{
    const char *end = d->text + d->length, *p = json_skip_blank(d->text + d->position, end);
    if (p == end || *p == '[') {
        return p == end ? UNDECIDED : YES;
    }
    enum verdict verdict = *p == '{' ? holds_rows(p, end, z_field) : NO;
    return verdict == YES && !at_end ? UNDECIDED : verdict;
}

/* Reads on until there are `wanted` bytes. *at_end: there are no more. */
static int read_up_to(struct document *d, FILE *file, size_t wanted, int *at_end)
{
    TRY(regret_realloc((void **)&d->text, wanted, 1, d->at.file));
    d->length += fread(d->text + d->length, 1, wanted - d->length, file);
    *at_end = d->length < wanted;
    return ferror(file)
               ? regret_fail(REGRET_E_IO, "cannot read %s: %s", d->at.file, strerror(errno))
               : REGRET_OK;
}

static int read_file(struct document *d, int *is_document, FILE *file, struct regret_span z_field)
{
    enum verdict verdict = UNDECIDED;
    int at_end = 0;
    for (size_t wanted = FIRST_READ; !at_end && verdict != NO; wanted *= GROWTH) {
        if (wanted / GROWTH >= REGRET_RATE_MAX_DOCUMENT) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: a JSON document of more than %d bytes; write one row a line",
                               d->at.file, REGRET_RATE_MAX_DOCUMENT);
        }
        TRY(read_up_to(d, file, wanted, &at_end));
        d->position = (size_t)(json_skip_mark(d->text, d->text + d->length) - d->text);
        verdict = verdict == YES ? YES : examine(d, at_end, z_field);
    }
    const char *p = json_skip_blank(d->text + d->position, d->text + d->length);
    d->position = (size_t)(p - d->text);
    *is_document = verdict != NO && d->position < d->length;
    return REGRET_OK;
}

int document_open(struct document *d, int *is_document, const char *path,
                  struct regret_span z_field)
{
    struct stat info;
    memset(d, 0, sizeof *d);
    d->at = (struct regret_place){path, 1};
    *is_document = 0;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return REGRET_OK;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return regret_fail(REGRET_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    int rc = read_file(d, is_document, file, z_field);
    fclose(file);
    TRY(rc);
    if (*is_document) {
        d->close = d->text[d->position] == '[' ? ']' : '}';
    }
    return REGRET_OK;
}

/* The place of byte `position`; positions only grow. */
static struct regret_place place_of(struct document *d, size_t position)
{
    for (; d->counted < position; d->counted++) {
        d->at.line += d->text[d->counted] == '\n';
    }
    return d->at;
}

/* Fails at the byte at p. */
#define FAIL_AT(d, p, ...)                                                                         \
    json_error_at((struct regret_place){(d)->at.file, 1}, 1, (d)->text, p, __VA_ARGS__)

/* Passes the bracket before the first row or the comma before another. *more is 0 at the end. */
static int pass_mark(struct document *d, const char **p, const char *end, int *more)
{
    int is_first = d->n == 0;
    *p = is_first ? json_skip_blank(*p + 1, end) : *p;
    *more = *p == end || *p[0] != d->close;
    if (!*more) {
        *p = json_skip_blank(*p + 1, end);
        d->position = (size_t)(*p - d->text);
        return *p == end
                   ? REGRET_OK
                   : FAIL_AT(d, *p, "text after the JSON document; write one document a file");
    }
    if (is_first) {
        return REGRET_OK;
    }
    if (*p == end || **p != ',') {
        return FAIL_AT(d, *p, "row %zu is followed by neither \",\" nor \"%c\"", d->n, d->close);
    }
    *p = json_skip_blank(*p + 1, end);
    return REGRET_OK;
}

static int parse_key(struct document *d, struct regret_span *key, const char **p, const char *end)
{
    const char *begin = *p;
    struct json_token raw;
    if (!take_key(&raw, p, end)) {
        return FAIL_AT(d, begin, "a row's id in quotes and a colon are wanted here");
    }
    struct regret_span inside = between_quotes(&raw);
    if (raw.fault != JSON_NO_FAULT || !regret_utf8_valid(inside.text, inside.length, NULL)) {
        cJSON *none = NULL;
        return json_parse_from(&none, raw.begin, inside.length + 2,
                               place_of(d, (size_t)(begin - d->text)), json_column(d->text, begin),
                               REGRET_JSON_STRICT);
    }
    TRY(regret_realloc((void **)&d->key, inside.length + 1, 1, "a row's id"));
    *key = (struct regret_span){d->key, json_unescape(d->key, inside)};
    return REGRET_OK;
}

int document_next(struct document *d, const char **row, size_t *length, struct regret_span *key)
{
    const char *end = d->text + d->length, *p = d->text + d->position;
    int more = 0;
    *row = NULL;
    *key = (struct regret_span){NULL, 0};
    TRY(pass_mark(d, &p, end, &more));
    if (!more) {
        return REGRET_OK;
    }
    if (d->close == '}') {
        TRY(parse_key(d, key, &p, end));
    }
    place_of(d, (size_t)(p - d->text));
    const char *behind = p < end && strchr(",]}", *p) == NULL ? json_skip_value(p, end) : p;
    if (behind == NULL || behind == p) {
        return FAIL_AT(d, p, "%s",
                       behind == NULL ? "the row that begins here never ends"
                                      : "a row is wanted here");
    }
    *row = p;
    *length = (size_t)(behind - p);
    d->position = (size_t)(json_skip_blank(behind, end) - d->text);
    d->n++;
    return REGRET_OK;
}

void document_free(struct document *d)
{
    regret_free(d->key);
    regret_free(d->text);
    memset(d, 0, sizeof *d);
}
