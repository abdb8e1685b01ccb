#include "rate/document.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cJSON.h>

#include "base/try.h"
#include "rate/row.h"
#include "regret/alloc.h"

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

/* The key at *p, which goes on to its value. 0: there is none, or the text ends before the value.
 */
static int take_key(struct regret_span *key, const char **p, const char *end)
{
    if (*p == end || **p != '"') {
        return 0;
    }
    const char *behind = pass_string(*p, end);
    if (behind == NULL) {
        return 0;
    }
    *key = (struct regret_span){*p + 1, (size_t)(behind - *p) - 2};
    *p = pass_space(behind, end);
    if (*p == end || **p != ':') {
        return 0;
    }
    *p = pass_space(*p + 1, end);
    return *p < end;
}

/* Whether the object at p has a key of scores among its own: it is a reward model then. */
static int is_model(const char *p, const char *end)
{
    struct regret_span key;
    p = pass_space(p + 1, end);
    while (p != NULL && take_key(&key, &p, end)) {
        if (side_of_key(key) >= 0) {
            return 1;
        }
        p = pass_value(p, end, NULL);
        p = p != NULL ? pass_space(p, end) : NULL;
        if (p != NULL && p < end && *p == ',') {
            p = pass_space(p + 1, end);
        }
    }
    return 0;
}

enum verdict { NO, YES, UNDECIDED };

/* Whether the object at p holds rows, as far as the text up to `end` tells. */
static enum verdict holds_rows(const char *p, const char *end, struct regret_span z_field)
{
    struct regret_span key;
    const char *begin = p;
    for (;;) {
        int is_first = p == begin;
        p = pass_space(p + 1, end);
        if (p < end && *p != '"') {
            return NO;
        }
        if (!take_key(&key, &p, end)) {
            return UNDECIDED;
        }
        if (*p != '{' || is_row_key(key, z_field) || (is_first && is_model(p, end))) {
            return NO;
        }
        p = pass_value(p, end, NULL);
        p = p != NULL ? pass_space(p, end) : NULL;
        if (p == NULL || p == end) {
            return UNDECIDED;
        }
        if (*p != ',') {
            return *p == '}' && pass_space(p + 1, end) == end ? YES : NO;
        }
    }
}

static enum verdict examine(const struct document *d, int at_end, struct regret_span z_field)
{
    const char *end = d->text + d->length, *p = pass_space(d->text + d->position, end);
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
        if (d->position == 0 && d->length >= 3 && memcmp(d->text, "\xef\xbb\xbf", 3) == 0) {
            d->position = 3;
        }
        verdict = verdict == YES ? YES : examine(d, at_end, z_field);
    }
    const char *p = pass_space(d->text + d->position, d->text + d->length);
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

/* Passes the bracket before the first row or the comma before another. *more is 0 at the end. */
static int pass_mark(struct document *d, const char **p, const char *end, int *more)
{
    int is_first = d->n == 0;
    *p = is_first ? pass_space(*p + 1, end) : *p;
    *more = *p == end || *p[0] != d->close;
    if (!*more) {
        *p = pass_space(*p + 1, end);
        d->position = (size_t)(*p - d->text);
        return *p == end ? REGRET_OK
                         : regret_json_error(place_of(d, d->position),
                                             "text after the JSON document; write one document a "
                                             "file");
    }
    if (is_first) {
        return REGRET_OK;
    }
    if (*p == end || **p != ',') {
        return regret_json_error(place_of(d, (size_t)(*p - d->text)),
                                 "row %zu is followed by neither \",\" nor \"%c\"", d->n, d->close);
    }
    *p = pass_space(*p + 1, end);
    return REGRET_OK;
}

static int parse_key(struct document *d, struct regret_span *key, const char **p, const char *end)
{
    struct regret_span raw;
    struct regret_place at = place_of(d, (size_t)(*p - d->text));
    if (!take_key(&raw, p, end)) {
        return regret_json_error(at, "a row's id in quotes and a colon are wanted here");
    }
    TRY(regret_json_parse(&d->key, raw.text - 1, raw.length + 2, at));
    *key = (struct regret_span){d->key->valuestring, strlen(d->key->valuestring)};
    return REGRET_OK;
}

int document_next(struct document *d, const char **row, size_t *length, struct regret_span *key)
{
    const char *end = d->text + d->length, *p = d->text + d->position;
    int more = 0;
    cJSON_Delete(d->key);
    d->key = NULL;
    *row = NULL;
    *key = (struct regret_span){NULL, 0};
    TRY(pass_mark(d, &p, end, &more));
    if (!more) {
        return REGRET_OK;
    }
    if (d->close == '}') {
        TRY(parse_key(d, key, &p, end));
    }
    struct regret_place at = place_of(d, (size_t)(p - d->text));
    const char *behind = p < end && strchr(",]}", *p) == NULL ? pass_value(p, end, NULL) : p;
    if (behind == NULL || behind == p) {
        return regret_json_error(at, behind == NULL ? "the row that begins here never ends"
                                                    : "a row is wanted here");
    }
    *row = p;
    *length = (size_t)(behind - p);
    d->position = (size_t)(pass_space(behind, end) - d->text);
    d->n++;
    return REGRET_OK;
}

void document_free(struct document *d)
{
    cJSON_Delete(d->key);
    regret_free(d->text);
    memset(d, 0, sizeof *d);
}
