#include "regret/json.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "regret/alloc.h"
#include "regret/file.h"

int regret_json_error(struct regret_place at, const char *format, ...)
{
    char detail[768];
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    if (at.line == 0) {
        return regret_fail(REGRET_E_INPUT, "%s: %s", at.file, detail);
    }
    return regret_fail(REGRET_E_INPUT, "%s:%zu: %s", at.file, at.line, detail);
}

static size_t line_of(const char *text, size_t offset)
{
    size_t line = 0;
    for (size_t i = 0; i < offset; i++) {
        line += text[i] == '\n';
    }
    return line;
}

/* The place of byte `offset`: within a text that began on line at.line (or on line 1). */
static struct regret_place place_of(struct regret_place at, const char *text, size_t offset)
{
    at.line = (at.line == 0 ? 1 : at.line) + line_of(text, offset);
    return at;
}

/* cJSON recurses once a level and takes words such as NaN by strtod: look before it does. */
static int check_shape(const char *text, size_t length, struct regret_place at)
{
    size_t bad = 0;
    if (!regret_utf8_valid(text, length, &bad)) {
        return regret_json_error(place_of(at, text, bad), "byte %zu is not valid UTF-8", bad + 1);
    }
    int depth = 0, in_string = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '\0') {
            return regret_json_error(place_of(at, text, i), "a zero byte in the text");
        }
        if (in_string) {
            if (c == '\\' && length - i >= 6 && memcmp(text + i + 1, "u0000", 5) == 0) {
                return regret_json_error(place_of(at, text, i),
                                         "a zero character (\\u0000) inside a string; remove it");
            }
            if (c == '\\' && i + 1 < length) {
                i++;
            } else if (c == '"') {
                in_string = 0;
            } else if ((unsigned char)c < 0x20) {
                return regret_json_error(place_of(at, text, i),
                                         "a control character inside a string; write it as \\u%04x",
                                         (unsigned char)c);
            }
        } else if (c == '"') {
            in_string = 1;
        } else if (c == '[' || c == '{') {
            if (++depth > REGRET_JSON_MAX_DEPTH) {
                return regret_json_error(place_of(at, text, i), "nested more than %d levels deep",
                                         REGRET_JSON_MAX_DEPTH);
            }
        } else if (c == ']' || c == '}') {
            depth--;
        } else if (c == 'N' || c == 'I') {
            return regret_json_error(place_of(at, text, i),
                                     "NaN and Infinity are not JSON numbers; leave the value out");
        }
    }
    return REGRET_OK;
}

/* Quadratic in the keys of one object; objects with very many keys are refused instead. */
enum { MAX_KEYS = 4096 };

static int check_duplicates(const cJSON *value, struct regret_place at)
{
    size_t keys = 0;
    for (const cJSON *a = value->child; a != NULL; a = a->next) {
        if (cJSON_IsObject(value)) {
            if (++keys > MAX_KEYS) {
                return regret_json_error(at, "an object with more than %d keys", MAX_KEYS);
            }
            for (const cJSON *b = value->child; b != a; b = b->next) {
                if (strcmp(a->string, b->string) == 0) {
                    return regret_json_error(at, "key \"%s\" is given twice", a->string);
                }
            }
        }
        if (cJSON_IsNumber(a) && !isfinite(a->valuedouble)) {
            return regret_json_error(at, "%s%s%sa number too large for a double",
                                     a->string ? "\"" : "", a->string ? a->string : "",
                                     a->string ? "\": " : "");
        }
        int rc = check_duplicates(a, at);
        if (rc != REGRET_OK) {
            return rc;
        }
    }
    return REGRET_OK;
}

/* How many bytes from `offset` on a message quotes; the text need not end in a zero. */
static int shown(size_t offset, size_t length)
{
    return offset < length && length - offset < 24 ? (int)(length - offset) : 24;
}

int regret_json_parse(cJSON **out, const char *text, size_t length, struct regret_place at)
{
    int rc = check_shape(text, length, at);
    if (rc != REGRET_OK) {
        return rc;
    }
    const char *end = NULL;
    cJSON *value = cJSON_ParseWithLengthOpts(text, length, &end, 0);
    if (value == NULL) {
        size_t offset = end != NULL && end >= text ? (size_t)(end - text) : 0;
        return regret_json_error(place_of(at, text, offset), "malformed JSON near \"%.*s\"",
                                 shown(offset, length),
                                 offset < length ? text + offset : "the end");
    }
    size_t rest = (size_t)(end - text);
    while (rest < length && strchr(" \t\r\n", text[rest]) != NULL) {
        rest++;
    }
    if (rest < length) {
        rc = regret_json_error(place_of(at, text, rest), "text after the JSON value: \"%.*s\"",
                               shown(rest, length), text + rest);
    } else {
        rc = check_duplicates(value, at);
    }
    if (rc != REGRET_OK) {
        cJSON_Delete(value);
        return rc;
    }
    *out = value;
    return REGRET_OK;
}

int regret_json_read_file(cJSON **out, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    int rc = regret_file_read(&text, &length, path, REGRET_JSON_MAX_BYTES);
    if (rc != REGRET_OK) {
        return rc;
    }
    rc = regret_json_parse(out, text, length, (struct regret_place){path, 0});
    regret_free(text);
    return rc;
}

static const char *type_name(const cJSON *v)
{
    return v == NULL           ? "absent"
           : cJSON_IsNull(v)   ? "null"
           : cJSON_IsBool(v)   ? "a boolean"
           : cJSON_IsNumber(v) ? "a number"
           : cJSON_IsString(v) ? "a string"
           : cJSON_IsArray(v)  ? "an array"
                               : "an object";
}

static int get(const cJSON **out, const cJSON *object, const char *field,
               cJSON_bool (*is)(const cJSON *), const char *wanted, struct regret_place at)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, field);
    if (!is(v)) {
        return regret_json_error(at, "\"%s\" must be %s, but is %s", field, wanted, type_name(v));
    }
    *out = v;
    return REGRET_OK;
}

static int is_given(const cJSON *object, const char *field)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, field);
    return v != NULL && !cJSON_IsNull(v);
}

int regret_json_get_object(const cJSON **out, const cJSON *object, const char *field,
                           struct regret_place at)
{
    return get(out, object, field, cJSON_IsObject, "an object", at);
}

int regret_json_get_array(const cJSON **out, const cJSON *object, const char *field,
                          struct regret_place at)
{
    return get(out, object, field, cJSON_IsArray, "an array", at);
}

int regret_json_get_string(const char **out, const cJSON *object, const char *field,
                           struct regret_place at)
{
    const cJSON *v = NULL;
    int rc = get(&v, object, field, cJSON_IsString, "a string", at);
    if (rc == REGRET_OK && v != NULL) {
        *out = v->valuestring;
    }
    return rc;
}

int regret_json_get_number(double *out, const cJSON *object, const char *field,
                           struct regret_place at)
{
    const cJSON *v = NULL;
    int rc = get(&v, object, field, cJSON_IsNumber, "a number", at);
    if (rc == REGRET_OK && v != NULL) {
        *out = v->valuedouble;
    }
    return rc;
}

int regret_json_get_integer(long long *out, const cJSON *object, const char *field, long long low,
                            long long high, struct regret_place at)
{
    double value = 0.0;
    int rc = regret_json_get_number(&value, object, field, at);
    if (rc != REGRET_OK) {
        return rc;
    }
    if (value != floor(value) || value < (double)low || value > (double)high) {
        return regret_json_error(at,
                                 "\"%s\" must be a whole number from %lld to %lld, but is %.17g",
                                 field, low, high, value);
    }
    *out = (long long)value;
    return REGRET_OK;
}

int regret_json_optional_string(const char **out, const cJSON *object, const char *field,
                                struct regret_place at)
{
    return is_given(object, field) ? regret_json_get_string(out, object, field, at) : REGRET_OK;
}

int regret_json_optional_number(double *out, const cJSON *object, const char *field,
                                struct regret_place at)
{
    return is_given(object, field) ? regret_json_get_number(out, object, field, at) : REGRET_OK;
}

int regret_json_optional_integer(long long *out, const cJSON *object, const char *field,
                                 long long low, long long high, struct regret_place at)
{
    return is_given(object, field) ? regret_json_get_integer(out, object, field, low, high, at)
                                   : REGRET_OK;
}

enum { MAX_WORD = 64 };

/* Levenshtein distance of two words of at most MAX_WORD bytes. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[MAX_WORD + 1];
    size_t n = strlen(a), m = strlen(b);
    for (size_t j = 0; j <= m; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            size_t skip = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < skip ? change : skip;
        }
    }
    return row[m];
}

const char *regret_nearest_word(const char *word, const char *const *known, size_t n)
{
    if (strlen(word) > MAX_WORD) {
        return NULL;
    }
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (strlen(known[i]) > MAX_WORD) {
            continue;
        }
        size_t distance = edit_distance(word, known[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = known[i];
        }
    }
    return best != NULL && best_distance * 3 <= strlen(word) + 2 ? best : NULL;
}

int regret_json_check_keys(const cJSON *object, const char *const *known, size_t n,
                           struct regret_place at)
{
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        size_t i = 0;
        while (i < n && strcmp(known[i], v->string) != 0) {
            i++;
        }
        if (i < n) {
            continue;
        }
        const char *near = regret_nearest_word(v->string, known, n);
        if (near != NULL) {
            return regret_json_error(at, "unknown key \"%s\"; did you mean \"%s\"?", v->string,
                                     near);
        }
        return regret_json_error(at, "unknown key \"%s\"", v->string);
    }
    return REGRET_OK;
}

struct regret_jsonl {
    FILE *file;
    char *path;        /* owned */
    char *buffer;      /* bytes read ahead; owned */
    size_t capacity;   /* of `buffer` */
    size_t begin, end; /* the bytes not yet handed out */
    size_t number;     /* of the present line, from 1 */
};

int regret_jsonl_open(struct regret_jsonl **out, const char *path)
{
    struct regret_jsonl *r = NULL;
    int rc = REGRET_NEW(&r, 1);
    if (rc == REGRET_OK) {
        rc = regret_strdup(&r->path, path);
    }
    if (rc == REGRET_OK) {
        r->file = fopen(path, "rb");
        if (r->file == NULL) {
            rc = regret_fail(errno == ENOENT ? REGRET_E_INPUT : REGRET_E_IO, "cannot open %s: %s",
                             path, strerror(errno));
        }
    }
    if (rc != REGRET_OK) {
        regret_jsonl_close(r);
        return rc;
    }
    *out = r;
    return REGRET_OK;
}

/* Moves what is left to the front, makes room and reads on. *got is 0 at the end of the file. */
static int read_more(struct regret_jsonl *r, size_t *got)
{
    if (r->begin > 0) {
        memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    if (r->end == r->capacity) {
        size_t grown = r->capacity == 0 ? 65536 : r->capacity * 2;
        int rc = regret_realloc((void **)&r->buffer, grown, 1, r->path);
        if (rc != REGRET_OK) {
            return rc;
        }
        r->capacity = grown;
    }
    *got = fread(r->buffer + r->end, 1, r->capacity - r->end, r->file);
    r->end += *got;
    if (*got == 0 && ferror(r->file)) {
        return regret_fail(REGRET_E_IO, "cannot read %s: %s", r->path, strerror(errno));
    }
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
            int rc = read_more(r, &got);
            if (rc != REGRET_OK) {
                return rc;
            }
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

static int is_blank(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr(" \t\r", line[i]) == NULL || line[i] == '\0') {
            return 0;
        }
    }
    return 1;
}

int regret_jsonl_next_line(struct regret_jsonl *r, const char **line, size_t *length,
                           struct regret_place *at)
{
    const char *found = NULL;
    size_t n = 0;
    do {
        int rc = read_line(r, &found, &n);
        if (rc != REGRET_OK) {
            return rc;
        }
    } while (found != NULL && is_blank(found, n));
    *line = found;
    *length = n;
    if (at != NULL) {
        *at = (struct regret_place){r->path, r->number};
    }
    return REGRET_OK;
}

int regret_jsonl_next(struct regret_jsonl *r, cJSON **value, struct regret_place *at)
{
    const char *line = NULL;
    size_t length = 0;
    struct regret_place here;
    int rc = regret_jsonl_next_line(r, &line, &length, &here);
    if (rc != REGRET_OK) {
        return rc;
    }
    if (line == NULL) {
        *value = NULL;
        return REGRET_OK;
    }
    rc = regret_json_parse(value, line, length, here);
    if (rc == REGRET_OK && at != NULL) {
        *at = here;
    }
    return rc;
}

void regret_jsonl_close(struct regret_jsonl *r)
{
    if (r == NULL) {
        return;
    }
    if (r->file != NULL) {
        fclose(r->file);
    }
    regret_free(r->buffer);
    regret_free(r->path);
    regret_free(r);
}
