/* Parsing: cJSON behind a look at the text before it, and one at the values after it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/input.h"
#include "base/json_escape.h"
#include "base/try.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"

enum { EXCERPT = 24, EXCERPT_SIZE = EXCERPT + 1 };

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

/* A few characters from `offset` on, none of the next line. */
static const char *excerpt(char out[EXCERPT_SIZE], const char *text, size_t length, size_t offset)
{
    size_t n = 0, bad = 0;
    while (n < EXCERPT && offset + n < length && strchr("\r\n", text[offset + n]) == NULL) {
        out[n] = text[offset + n];
        n++;
    }
    n = regret_utf8_valid(out, n, &bad) ? n : bad; /* not half a character */
    out[n] = '\0';
    return out;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blank(const char *text, size_t length, size_t i)
{
    while (i < length && is_blank(text[i])) {
        i++;
    }
    return i;
}

/* The text as the first look sees it. */
struct shape {
    const char *text;
    size_t length;
    struct regret_place at;
    char open[REGRET_JSON_MAX_DEPTH]; /* the brackets not yet closed */
    size_t depth;
    int in_string; /* at the end: a quote is not closed */
};

static int check_escape(const struct shape *s, size_t i, size_t *step)
{
    if (!json_escape_is_wrong(step, s->text + i, s->length - i)) {
        return REGRET_OK;
    }
    return regret_json_error(place_of(s->at, s->text, i),
                             memcmp(s->text + i, "\\u0000", 6) == 0
                                 ? "a zero character (\\u0000) inside a string; remove it"
                                 : "half of a surrogate pair (%.6s) inside a string; remove it",
                             s->text + i);
}

/* From the quote at *i to the one that closes it. */
static int pass_string(struct shape *s, size_t *i)
{
    size_t step = 1;
    s->in_string = 1;
    for (size_t k = *i + 1; k < s->length; k += step) {
        char c = s->text[k];
        step = 1;
        if (c == '"') {
            s->in_string = 0;
            *i = k;
            return REGRET_OK;
        }
        if (c == '\\') {
            TRY(check_escape(s, k, &step));
        } else if (c == '\0') {
            return regret_json_error(place_of(s->at, s->text, k), "a zero byte in the text");
        } else if ((unsigned char)c < 0x20) {
            return regret_json_error(place_of(s->at, s->text, k),
                                     "a control character inside a string; write it as \\u%04x",
                                     (unsigned char)c);
        }
    }
    *i = s->length;
    return REGRET_OK;
}

static size_t pass_digits(const struct shape *s, size_t i)
{
    while (i < s->length && s->text[i] >= '0' && s->text[i] <= '9') {
        i++;
    }
    return i;
}

/* From the first byte of a number at *i to its last. cJSON takes what strtod() takes, such as 03
 * and 3., which other readers of JSON refuse. */
static int pass_number(const struct shape *s, size_t *i)
{
    char near[EXCERPT_SIZE];
    const char *t = s->text;
    size_t k = *i + (t[*i] == '-'), from = k;
    k = pass_digits(s, k);
    int good = k > from && (t[from] != '0' || k == from + 1);
    if (good && k < s->length && t[k] == '.') {
        from = k + 1;
        k = pass_digits(s, from);
        good = k > from;
    }
    if (good && k < s->length && (t[k] == 'e' || t[k] == 'E')) {
        from = k + 1;
        from += from < s->length && (t[from] == '+' || t[from] == '-');
        k = pass_digits(s, from);
        good = k > from;
    }
    if (good && (k == s->length || is_blank(t[k]) || strchr(",]}:", t[k]) != NULL)) {
        *i = k - 1;
        return REGRET_OK;
    }
    return regret_json_error(place_of(s->at, t, *i),
                             "\"%s\" is not a number of JSON; write it as 3, 0.5 or 1e-3",
                             excerpt(near, t, s->length, *i));
}

static int pass_bracket(struct shape *s, size_t i)
{
    char c = s->text[i], want = c == ']' ? '[' : '{';
    if (c == '[' || c == '{') {
        if (s->depth == REGRET_JSON_MAX_DEPTH) {
            return regret_json_error(place_of(s->at, s->text, i), "nested more than %d levels deep",
                                     REGRET_JSON_MAX_DEPTH);
        }
        s->open[s->depth++] = c;
    } else if (s->depth == 0 || s->open[s->depth - 1] != want) {
        return regret_json_error(place_of(s->at, s->text, i),
                                 "malformed JSON: a \"%c\" that closes no \"%c\"", c, want);
    } else {
        s->depth--;
    }
    return REGRET_OK;
}

/* A table or prose would be told of its first odd byte: say that it is no JSON at all. What begins
 * with a bracket is taken for JSON, a lone string, number or word if nothing follows it. */
static int check_kind(const struct shape *s)
{
    char near[EXCERPT_SIZE];
    const char *t = s->text;
    size_t i =
        skip_blank(t, s->length, s->length >= 3 && memcmp(t, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
    size_t first = i;
    if (i == s->length || t[i] == '[' || t[i] == '{') {
        return REGRET_OK;
    }
    if (t[i] == '"') {
        for (i++; i < s->length && t[i] != '"'; i++) {
            i += t[i] == '\\';
        }
        i++;
    } else {
        while (i < s->length && !is_blank(t[i]) && strchr(",;\"", t[i]) == NULL) {
            i++;
        }
    }
    return i >= s->length || skip_blank(t, s->length, i) == s->length
               ? REGRET_OK
               : regret_json_error(place_of(s->at, t, first), "this is not JSON; it begins \"%s\"",
                                   excerpt(near, t, s->length, first));
}

static int is_odd_word(const char *p, size_t n)
{
    return (n >= 3 && memcmp(p, "NaN", 3) == 0) || (n >= 8 && memcmp(p, "Infinity", 8) == 0);
}

/* cJSON recurses once a level and takes words such as NaN by strtod: look before it does. */
static int check_shape(struct shape *s)
{
    const char *text = s->text;
    size_t bad = 0;
    if (!regret_utf8_valid(text, s->length, &bad)) {
        return regret_json_error(place_of(s->at, text, bad), "byte %zu is not valid UTF-8",
                                 bad + 1);
    }
    TRY(check_kind(s));
    for (size_t i = 0; i < s->length; i++) {
        char c = text[i];
        if (c == '"') {
            TRY(pass_string(s, &i));
        } else if (c == '[' || c == '{' || c == ']' || c == '}') {
            TRY(pass_bracket(s, i));
        } else if (c == '\0') {
            return regret_json_error(place_of(s->at, text, i), "a zero byte in the text");
        } else if ((unsigned char)c < 0x20 && !is_blank(c)) { /* cJSON takes it for a blank */
            return regret_json_error(place_of(s->at, text, i),
                                     "a control character (0x%02x) between values; remove it",
                                     (unsigned char)c);
        } else if (is_odd_word(text + i + (c == '-'), s->length - i - (c == '-'))) {
            return regret_json_error(place_of(s->at, text, i),
                                     "NaN and Infinity are not JSON numbers; leave the value out");
        } else if ((c >= '0' && c <= '9') || c == '-') {
            TRY(pass_number(s, &i));
        }
    }
    return REGRET_OK;
}

/* The bracket that stands right after a comma where reading ended, as other languages have it, or '\0'. */
static char follows_comma(const struct shape *s, size_t offset)
{
    const char *t = s->text;
    size_t i = offset < s->length ? offset : s->length - 1;
    while (i > 0 && (is_blank(t[i]) || t[i] == '}' || t[i] == ']')) {
        i--; /* to the comma, if it is one */
    }
    size_t after = skip_blank(t, s->length, i + 1);
    return t[i] == ',' && after < s->length && (t[after] == '}' || t[after] == ']') ? t[after]
                                                                                    : '\0';
}

/* What cJSON could not read from byte `offset` on. */
static int malformed(const struct shape *s, size_t offset)
{
    char near[EXCERPT_SIZE];
    const char *whole = s->at.line > 0 ? "line" : "text";
    struct regret_place at = place_of(s->at, s->text, offset);
    if (s->in_string) {
        return regret_json_error(at, "malformed JSON: the %s ends too early: a quote is not closed",
                                 whole);
    }
    if (s->depth > 0 && skip_blank(s->text, s->length, offset + 1) >= s->length) {
        return regret_json_error(at,
                                 "malformed JSON: the %s ends too early: a \"%c\" is not closed",
                                 whole, s->open[s->depth - 1]);
    }
    if (skip_blank(s->text, s->length, 0) == s->length) {
        return regret_json_error(at, "malformed JSON: the %s is empty", whole);
    }
    char closing = follows_comma(s, offset);
    if (closing != '\0') {
        return regret_json_error(at, "malformed JSON: a comma before a \"%c\": take it away",
                                 closing);
    }
    return regret_json_error(at, "malformed JSON near \"%s\"",
                             excerpt(near, s->text, s->length, offset));
}

static int by_key(const void *left, const void *right)
{
    const cJSON *const *a = left, *const *b = right;
    return strcmp((*a)->string, (*b)->string);
}

/* No key twice. Few keys, as nearly all objects have, are compared as they stand. */
static int check_keys_once(const cJSON *object, struct regret_place at)
{
    enum { FEW = 32 };
    const cJSON *few[FEW], **keys = few, *twice = NULL;
    size_t n = 0;
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        n++;
    }
    TRY(n > FEW ? REGRET_NEW(&keys, n) : REGRET_OK);
    n = 0;
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        keys[n++] = v;
    }
    if (n > FEW) {
        qsort(keys, n, sizeof *keys, by_key);
    }
    for (size_t i = 1; i < n && twice == NULL; i++) {
        for (size_t j = n > FEW ? i - 1 : 0; j < i && twice == NULL; j++) {
            twice = strcmp(keys[i]->string, keys[j]->string) == 0 ? keys[i] : NULL;
        }
    }
    if (n > FEW) {
        regret_free(keys);
    }
    return twice == NULL ? REGRET_OK
                         : regret_json_error(at, "key \"%s\" is given twice", twice->string);
}

#define TOO_LARGE "is a number too large for a double; write one below 1.7e308"

static int too_large(const cJSON *v, const char *field, size_t i, struct regret_place at)
{
    if (v->string != NULL) {
        return regret_json_error(at, "\"%s\" " TOO_LARGE, v->string);
    }
    return field != NULL ? regret_json_error(at, "\"%s\"[%zu] " TOO_LARGE, field, i)
                         : regret_json_error(at, "element %zu " TOO_LARGE, i);
}

/* Keys and numbers below a value; `field` is the nearest key above, NULL where there is none. */
static int check_values(const cJSON *value, const char *field, struct regret_place at)
{
    if (cJSON_IsNumber(value) && !isfinite(value->valuedouble)) {
        return regret_json_error(at, "the value " TOO_LARGE);
    }
    TRY(cJSON_IsObject(value) ? check_keys_once(value, at) : REGRET_OK);
    size_t i = 0;
    for (const cJSON *v = value->child; v != NULL; v = v->next, i++) {
        if (cJSON_IsNumber(v) && !isfinite(v->valuedouble)) {
            return too_large(v, field, i, at);
        }
        if (v->child != NULL) {
            TRY(check_values(v, v->string != NULL ? v->string : field, at));
        }
    }
    return REGRET_OK;
}

int regret_json_parse(cJSON **out, const char *text, size_t length, struct regret_place at)
{
    struct shape shape = {.text = text, .length = length, .at = at};
    char near[EXCERPT_SIZE];
    int rc = REGRET_OK;
    TRY(check_shape(&shape));
    const char *end = NULL;
    errno = 0; /* cJSON does not say why it failed; whoever it asked for memory does */
    cJSON *value = cJSON_ParseWithLengthOpts(text, length, &end, 0);
    if (value == NULL && errno == ENOMEM) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: reading %s", at.file);
    }
    if (value == NULL) {
        return malformed(&shape, end != NULL && end >= text ? (size_t)(end - text) : 0);
    }
    size_t rest = skip_blank(text, length, (size_t)(end - text));
    rc = rest < length
             ? regret_json_error(place_of(at, text, rest), "text after the JSON value: \"%s\"",
                                 excerpt(near, text, length, rest))
             : check_values(value, NULL, at);
    if (rc != REGRET_OK) {
        cJSON_Delete(value);
        return rc;
    }
    *out = value;
    return REGRET_OK;
}

int regret_json_parse_mode(cJSON **out, const char *text, size_t length, struct regret_place at,
                           enum regret_json_mode mode)
{
    struct regret_text mended = REGRET_TEXT_INIT;
    int changed = 0, rc;
    if (mode == REGRET_JSON_IMPORT) {
        json_mend(&mended, &changed, text, length);
        TRY_CLEANUP(regret_text_status(&mended));
    }
    rc = changed ? regret_json_parse(out, mended.data, mended.length, at)
                 : regret_json_parse(out, text, length, at);
cleanup:
    regret_text_free(&mended);
    return rc;
}

int regret_json_read_file_mode(cJSON **out, const char *path, enum regret_json_mode mode)
{
    char *text = NULL;
    size_t length = 0;
    int rc;
    TRY_CLEANUP(regret_file_read(&text, &length, path, REGRET_JSON_MAX_BYTES));
    TRY_CLEANUP(input_check_head(text, length, path));
    rc = regret_json_parse_mode(out, text, length, (struct regret_place){path, 0}, mode);
cleanup:
    regret_free(text);
    return rc;
}

int regret_json_read_file(cJSON **out, const char *path)
{
    return regret_json_read_file_mode(out, path, REGRET_JSON_STRICT);
}
