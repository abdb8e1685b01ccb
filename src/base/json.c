#include "base/json.h"

#include <cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/json_tokens.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* Parsing: one way through the tokens, which checks their order and builds the tree; then a look at its values. */

enum { EXCERPT = 24, EXCERPT_SIZE = EXCERPT + 1 };

/* What may come next. */
enum wanted { VALUE, FIRST_VALUE, KEY, FIRST_KEY, COLON, COMMA, NO_MORE };

/* A text being read. Bytes and brackets that cannot be JSON are told at once; of tokens in the wrong order the first is
 * kept and told when all of the text was seen. */
struct parse {
    const char *text, *end;
    struct regret_place at;
    size_t column; /* of the text's first byte */
    enum regret_json_mode mode;
    char open[REGRET_JSON_MAX_DEPTH]; /* the brackets not yet closed */
    size_t depth;
    enum wanted wanted;
    const char *cut;                      /* the quote that is not closed */
    const char *misplaced;                /* the first token that is not what is wanted */
    const char *rest;                     /* the first token behind the value */
    cJSON *root;                          /* what is built so far; owned */
    cJSON *parent[REGRET_JSON_MAX_DEPTH]; /* of each open bracket */
    char *key; /* of the value that comes next; owned, by cJSON_malloc() */
};

/* Fails at byte `where`, whose line and column lead the message. */
#define FAIL_AT(s, where, ...) json_error_at((s)->at, (s)->column, (s)->text, where, __VA_ARGS__)

/* A few characters from `where` on, none of the next line. */
static const char *excerpt(char out[EXCERPT_SIZE], const struct parse *s, const char *where)
{
    size_t n = 0, bad = 0;
    while (n < EXCERPT && where + n < s->end && strchr("\r\n", where[n]) == NULL) {
        out[n] = where[n];
        n++;
    }
    n = regret_utf8_valid(out, n, &bad) ? n : bad; /* not half a character */
    out[n] = '\0';
    return out;
}

/* A byte that no string may hold, or an escape that stands for no character. */
static int refuse_character(const struct parse *s, const char *p)
{
    if (*p == '\0') {
        return FAIL_AT(s, p, "a zero byte in the text");
    }
    if (*p != '\\') {
        return FAIL_AT(s, p, "a control character inside a string; write it as \\u%04x",
                       (unsigned char)*p);
    }
    return memcmp(p, "\\u0000", 6) == 0
               ? FAIL_AT(s, p, "a zero character (\\u0000) inside a string; remove it")
               : FAIL_AT(s, p, "half of a surrogate pair (%.6s) inside a string; remove it", p);
}

static int no_memory(const struct parse *s)
{
    return regret_fail(REGRET_E_NOMEM, "out of memory: reading %s", s->at.file);
}

/* What is wrong with a token wherever it stands. */
static int check_token(struct parse *s, const struct json_token *token)
{
    char near[EXCERPT_SIZE];
    const char *p = token->begin;
    unsigned char c = token->kind == JSON_FORBIDDEN ? (unsigned char)*p : ' ';
    if (token->fault == JSON_NO_CHARACTER) {
        return refuse_character(s, token->where);
    }
    if (token->fault == JSON_BAD_NUMBER) {
        return FAIL_AT(s, p, "\"%s\" is not a number of JSON; write it as 3, 0.5 or 1e-3",
                       excerpt(near, s, p));
    }
    if (c == '\0') {
        return refuse_character(s, p);
    }
    if (c < ' ') {
        return FAIL_AT(s, p, "a control character (0x%02x) between values; remove it", c);
    }
    if (token->kind == JSON_NOTHING && s->mode == REGRET_JSON_STRICT) {
        return FAIL_AT(s, p, "NaN and Infinity are not JSON numbers; leave the value out");
    }
    s->cut = token->fault == JSON_CUT ? p : s->cut;
    return REGRET_OK;
}

/* Brackets, whether or not one may stand here. */
static int check_bracket(struct parse *s, const char *p)
{
    char c = *p, want = c == ']' ? '[' : '{';
    if (c == '[' || c == '{') {
        if (s->depth == REGRET_JSON_MAX_DEPTH) {
            return FAIL_AT(s, p, "nested more than %d levels deep", REGRET_JSON_MAX_DEPTH);
        }
        s->open[s->depth++] = c;
    } else if (c == ']' || c == '}') {
        if (s->depth == 0 || s->open[s->depth - 1] != want) {
            return FAIL_AT(s, p, "malformed JSON: a \"%c\" that closes no \"%c\"", c, want);
        }
        s->depth--;
    }
    return REGRET_OK;
}

/* What is wanted behind a token, or -1 where it may not stand. */
static int wanted_behind(const struct parse *s, const struct json_token *token)
{
    enum wanted w = s->wanted;
    int wants_value = w == VALUE || w == FIRST_VALUE, behind_value = s->depth > 0 ? COMMA : NO_MORE;
    if (token->kind == JSON_STRING && (w == KEY || w == FIRST_KEY)) {
        return COLON;
    }
    if (token->kind != JSON_MARK) {
        return wants_value && token->kind != JSON_FORBIDDEN ? behind_value : -1;
    }
    switch (*token->begin) {
    case '[':
        return wants_value ? FIRST_VALUE : -1;
    case '{':
        return wants_value ? FIRST_KEY : -1;
    case ']':
        return w == COMMA || w == FIRST_VALUE ? behind_value : -1;
    case '}':
        return w == COMMA || w == FIRST_KEY ? behind_value : -1;
    case ':':
        return w == COLON ? VALUE : -1;
    default:
        return w != COMMA ? -1 : s->open[s->depth - 1] == '[' ? VALUE : KEY;
    }
}

/* 1 where all tokens up to this one stand in order. */
static int check_order(struct parse *s, const struct json_token *token)
{
    if (s->misplaced != NULL || s->rest != NULL) {
        return 0;
    }
    int next = wanted_behind(s, token);
    if (s->wanted == NO_MORE) {
        s->rest = token->begin;
    } else if (next < 0) {
        s->misplaced = token->begin;
    } else if (token->fault == JSON_BAD_ESCAPE) {
        s->misplaced = token->where;
    } else if (token->kind == JSON_NUMBER && token->end - token->begin > JSON_MAX_NUMBER) {
        s->misplaced = token->begin + JSON_MAX_NUMBER;
    } else {
        s->wanted = (enum wanted)next;
        return s->cut == NULL;
    }
    return 0;
}

/* ---- The tree ---- */

/* The value of a string, to be freed with cJSON_free(); NULL without memory. */
static char *string_of(const struct json_token *token)
{
    const struct regret_span inside = {token->begin + 1, (size_t)(token->end - token->begin) - 2};
    char *text = cJSON_malloc(inside.length + 1);
    if (text != NULL) {
        text[json_unescape(text, inside)] = '\0';
    }
    return text;
}

/* A whole number that is written out as it stands here, as nearly all are. */
static int is_plain(const struct json_token *token)
{
    enum { FIGURES = 15 };
    const char *first = token->begin + (*token->begin == '-'), *p = first;
    while (p < token->end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p == token->end && p - first <= FIGURES && (*token->begin != '-' || *first != '0');
}

/* A number, which keeps its text where it may be the name of something. */
static cJSON *number_of(const struct json_token *token, enum regret_json_mode mode)
{
    cJSON *node = cJSON_CreateNumber(token->number);
    if (node == NULL || mode == REGRET_JSON_STRICT || is_plain(token)) {
        return node;
    }
    size_t n = (size_t)(token->end - token->begin);
    node->valuestring = cJSON_malloc(n + 1);
    if (node->valuestring == NULL) {
        cJSON_Delete(node);
        return NULL;
    }
    memcpy(node->valuestring, token->begin, n);
    node->valuestring[n] = '\0';
    return node;
}

/* The node that a token begins; NULL without memory. */
static cJSON *node_of(const struct json_token *token, enum regret_json_mode mode)
{
    char c = *token->begin;
    if (token->kind == JSON_MARK) {
        return c == '[' ? cJSON_CreateArray() : cJSON_CreateObject();
    }
    if (token->kind == JSON_NUMBER) {
        return number_of(token, mode);
    }
    if (token->kind == JSON_WORD && c != 'n') {
        return cJSON_CreateBool(c == 't');
    }
    cJSON *node = cJSON_CreateNull();
    char *text = node != NULL && token->kind == JSON_STRING ? string_of(token) : NULL;
    if (token->kind != JSON_STRING || node == NULL) {
        return node; /* null, or NaN and the like */
    }
    node->type = cJSON_String;
    node->valuestring = text;
    if (text == NULL) {
        cJSON_Delete(node);
        node = NULL;
    }
    return node;
}

/* Builds on with a token that stands in order, whose bracket is counted. */
static int build(struct parse *s, const struct json_token *token)
{
    int is_mark = token->kind == JSON_MARK, opens = is_mark && strchr("[{", *token->begin) != NULL;
    if (is_mark && !opens) {
        return REGRET_OK;
    }
    if (s->wanted == COLON) {
        s->key = string_of(token);
        return s->key != NULL ? REGRET_OK : no_memory(s);
    }
    cJSON *node = node_of(token, s->mode);
    TRY(node != NULL ? REGRET_OK : no_memory(s));
    node->string = s->key;
    s->key = NULL;
    size_t depth = s->depth - (size_t)opens;
    if (depth == 0) {
        s->root = node;
    } else {
        cJSON_AddItemToArray(s->parent[depth - 1], node);
    }
    if (opens) {
        s->parent[depth] = node;
    }
    return REGRET_OK;
}

/* A table or prose would be told of its first odd byte: say that it is no JSON at all. What begins
 * with a bracket is taken for JSON, a lone string, number or word if nothing follows it. */
static int check_kind(const struct parse *s, struct json_tokens t)
{
    char near[EXCERPT_SIZE];
    struct json_token first = json_next(&t);
    const char *p = first.end;
    if (first.kind == JSON_MARK && (*first.begin == '[' || *first.begin == '{')) {
        return REGRET_OK;
    }
    if (first.kind != JSON_STRING) {
        p = first.begin;
        while (p < s->end && !json_is_blank(*p) && strchr(",;\"", *p) == NULL) {
            p++;
        }
    }
    return json_skip_blank(p, s->end) == s->end
               ? REGRET_OK
               : FAIL_AT(s, first.begin, "this is not JSON; it begins \"%s\"",
                         excerpt(near, s, first.begin));
}

/* The bracket that stands right behind a comma at `where`, as other languages have it, or '\0'. */
static char follows_comma(const struct parse *s, const char *where)
{
    const char *comma = where;
    while (comma > s->text && *comma != ',' && (comma == where || json_is_blank(*comma))) {
        comma--;
    }
    const char *next = json_skip_blank(comma + 1, s->end);
    return *comma == ',' && next < s->end && (*next == '}' || *next == ']') ? *next : '\0';
}

/* What is wrong with the order of the tokens, all of which were seen. */
static int malformed(const struct parse *s, const char *where)
{
    char near[EXCERPT_SIZE];
    const char *whole = s->at.line > 0 ? "line" : "text";
    if (s->cut != NULL) {
        return FAIL_AT(s, s->cut, "malformed JSON: the %s ends too early: a quote is not closed",
                       whole);
    }
    if (s->depth > 0 && json_skip_blank(where + 1, s->end) == s->end) {
        return FAIL_AT(s, where, "malformed JSON: the %s ends too early: a \"%c\" is not closed%s",
                       whole, s->open[s->depth - 1],
                       s->at.line > 0 ? "; is this JSONL, each object on one line?" : "");
    }
    if (json_skip_blank(json_skip_mark(s->text, s->end), s->end) == s->end) {
        return FAIL_AT(s, s->text, "malformed JSON: the %s is empty", whole);
    }
    char closing = follows_comma(s, where);
    if (closing != '\0') {
        return FAIL_AT(s, where, "malformed JSON: a comma before a \"%c\": take it away", closing);
    }
    return FAIL_AT(s, where, "malformed JSON near \"%s\"", excerpt(near, s, where));
}

static int read_tokens(struct parse *s)
{
    struct json_tokens t = {json_skip_mark(s->text, s->end), s->end, s->mode};
    char near[EXCERPT_SIZE];
    size_t bad = 0;
    if (!regret_utf8_valid(s->text, (size_t)(s->end - s->text), &bad)) {
        return FAIL_AT(s, s->text + bad, "byte %zu is not valid UTF-8", bad + 1);
    }
    TRY(check_kind(s, t));
    for (;;) {
        struct json_token token = json_next(&t);
        if (token.kind == JSON_END) {
            break;
        }
        TRY(check_token(s, &token));
        TRY(token.kind == JSON_MARK ? check_bracket(s, token.begin) : REGRET_OK);
        TRY(check_order(s, &token) ? build(s, &token) : REGRET_OK);
    }
    if (s->rest != NULL) {
        return FAIL_AT(s, s->rest, "text after the JSON value: \"%s\"", excerpt(near, s, s->rest));
    }
    if (s->misplaced != NULL || s->cut != NULL) {
        return malformed(s, s->misplaced != NULL ? s->misplaced : s->cut);
    }
    if (s->wanted != NO_MORE) {
        return malformed(s, s->end > s->text ? s->end - 1 : s->end);
    }
    return REGRET_OK;
}

/* ---- The values ---- */

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

static int json_parse_is(const cJSON *v, int type)
{
    return (v->type & 0xff) == type;
}

/* Keys and numbers below a value; `field` is the nearest key above, NULL where there is none. */
static int check_values(const cJSON *value, const char *field, struct regret_place at)
{
    if (json_parse_is(value, cJSON_Number) && !isfinite(value->valuedouble)) {
        return regret_json_error(at, "the value " TOO_LARGE);
    }
    TRY(json_parse_is(value, cJSON_Object) ? check_keys_once(value, at) : REGRET_OK);
    size_t i = 0;
    for (const cJSON *v = value->child; v != NULL; v = v->next, i++) {
        if (json_parse_is(v, cJSON_Number) && !isfinite(v->valuedouble)) {
            return too_large(v, field, i, at);
        }
        if (v->child != NULL) {
            TRY(check_values(v, v->string != NULL ? v->string : field, at));
        }
    }
    return REGRET_OK;
}

int json_parse_from(cJSON **out, const char *text, size_t length, struct regret_place at,
                    size_t column, enum regret_json_mode mode)
{
    struct parse s = {.text = text, .end = text + length, .at = at, .column = column, .mode = mode};
    int rc;
    TRY_CLEANUP(read_tokens(&s));
    TRY_CLEANUP(s.root != NULL ? check_values(s.root, NULL, at) : REGRET_OK);
    *out = s.root;
    s.root = NULL;
cleanup:
    cJSON_Delete(s.root);
    cJSON_free(s.key);
    return rc;
}

int regret_json_parse_mode(cJSON **out, const char *text, size_t length, struct regret_place at,
                           enum regret_json_mode mode)
{
    return json_parse_from(out, text, length, at, 1, mode);
}

int regret_json_parse(cJSON **out, const char *text, size_t length, struct regret_place at)
{
    return json_parse_from(out, text, length, at, 1, REGRET_JSON_STRICT);
}

int regret_json_read_file_mode(cJSON **out, const char *path, enum regret_json_mode mode)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    TRY(input_check_regular(path));
    TRY(unpack_file(&text, path, REGRET_JSON_MAX_BYTES));
    TRY(input_check_head(regret_buffer_get(&text), text.length, path));
    return regret_json_parse_mode(out, regret_buffer_get(&text), text.length,
                                  (struct regret_place){path, 0}, mode);
}

int regret_json_read_file(cJSON **out, const char *path)
{
    return regret_json_read_file_mode(out, path, REGRET_JSON_STRICT);
}

static int fail(struct regret_place at, const char *column, const char *format, va_list args)
    REGRET_PRINTF(3, 0);

static int fail(struct regret_place at, const char *column, const char *format, va_list args)
{
    char detail[768];
    vsnprintf(detail, sizeof detail, format, args);
    return at.line == 0
               ? regret_fail(REGRET_E_INPUT, "%s: %s", at.file, detail)
               : regret_fail(REGRET_E_INPUT, "%s:%zu%s: %s", at.file, at.line, column, detail);
}

int regret_json_error(struct regret_place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = fail(at, "", format, args);
    va_end(args);
    return rc;
}

int json_error_at(struct regret_place at, size_t column, const char *text, const char *where,
                  const char *format, ...)
{
    char number[32];
    size_t before = column - 1; /* columns before the line that `where` is on */
    va_list args;
    at.line = at.line == 0 ? 1 : at.line;
    for (const char *p = text; p < where; p++) {
        at.line += *p == '\n';
        before = *p == '\n' ? 0 : before;
    }
    snprintf(number, sizeof number, ":%zu", before + json_column(text, where));
    va_start(args, format);
    int rc = fail(at, number, format, args);
    va_end(args);
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

const char *json_text(char scratch[JSON_SCRATCH], const cJSON *v)
{
    if (v == NULL) {
        return NULL;
    }
    if (cJSON_IsString(v)) {
        return v->valuestring;
    }
    if (cJSON_IsBool(v)) {
        return cJSON_IsTrue(v) ? "true" : "false";
    }
    if (!cJSON_IsNumber(v)) {
        return NULL;
    }
    if (v->valuestring != NULL) {
        return v->valuestring;
    }
    snprintf(scratch, JSON_SCRATCH, "%.15g", v->valuedouble);
    if (strtod(scratch, NULL) != v->valuedouble) {
        snprintf(scratch, JSON_SCRATCH, "%.17g", v->valuedouble);
    }
    return scratch;
}

static int get(const cJSON **out, const cJSON *object, const char *field,
               cJSON_bool (*is)(const cJSON *), const char *wanted, struct regret_place at)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, field);
    if (!is(v)) {
        return regret_json_error(at, "\"%s\" must be %s, but is %s%s", field, wanted, type_name(v),
                                 is == cJSON_IsString && cJSON_IsNumber(v) ? "; put it in quotes"
                                                                           : "");
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
    TRY(get(&v, object, field, cJSON_IsString, "a string", at));
    *out = cJSON_GetStringValue(v);
    return REGRET_OK;
}

int regret_json_get_number(double *out, const cJSON *object, const char *field,
                           struct regret_place at)
{
    const cJSON *v = NULL;
    TRY(get(&v, object, field, cJSON_IsNumber, "a number", at));
    *out = cJSON_GetNumberValue(v);
    return REGRET_OK;
}

int regret_json_get_integer(long long *out, const cJSON *object, const char *field, long long low,
                            long long high, struct regret_place at)
{
    double value = 0.0;
    TRY(regret_json_get_number(&value, object, field, at));
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

/* A key that is like none: most often one key too many, so the known ones are named. */
static int unknown_key(const char *key, const char *const *known, size_t n, struct regret_place at)
{
    char list[400] = "";
    size_t used = 0, i = 0;
    for (; i < n && used + strlen(known[i]) + 8 < sizeof list; i++) {
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    return regret_json_error(at, "unknown key \"%.200s\"; remove it; the keys are %s%s", key, list,
                             i < n ? ", …" : "");
}

int regret_json_check_keys(const cJSON *object, const char *const *known, size_t n,
                           struct regret_place at)
{
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        if (texts_have(known, n, v->string)) {
            continue;
        }
        const char *near = name_nearest(v->string, known, n);
        if (near != NULL) {
            return regret_json_error(at, "unknown key \"%s\"; did you mean \"%s\"?", v->string,
                                     near);
        }
        return unknown_key(v->string, known, n, at);
    }
    return REGRET_OK;
}
