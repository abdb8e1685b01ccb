#include "rate/values.h"

#include <math.h>

#include <cJSON.h>

const char *value_kind_name(enum value_kind kind)
{
    return kind == A_NUMBER    ? "a number"
           : kind == A_STRING  ? "a string"
           : kind == AN_ARRAY  ? "an array"
           : kind == AN_OBJECT ? "an object"
                               : "a boolean";
}

void refuse(struct value_reader *r)
{
    r->wrong = 1;
    r->t.at = r->t.end;
}

/* What the tokeniser leaves alone, read by the JSON library. NULL when it is malformed. */
static struct cJSON *parse_piece(struct value_reader *r, const char *text, size_t length)
{
    struct cJSON *piece = NULL;
    int rc = regret_json_parse_mode(&piece, text, length, r->place, REGRET_JSON_IMPORT);
    if (rc != REGRET_OK) {
        r->failure = rc == REGRET_E_INPUT ? r->failure : rc;
        refuse(r);
    }
    return piece;
}

static void check_piece(struct value_reader *r, const char *text, size_t length)
{
    cJSON_Delete(parse_piece(r, text, length));
}

/* The value of a string with escapes; it lives until the next row. */
static void unescape(struct value_reader *r, struct regret_span *string)
{
    struct cJSON *piece = parse_piece(r, string->text - 1, string->length + 2);
    if (piece == NULL) {
        return;
    }
    r->unescaped = r->unescaped != NULL ? r->unescaped : cJSON_CreateArray();
    if (r->unescaped == NULL) {
        cJSON_Delete(piece);
        r->failure = regret_fail(REGRET_E_NOMEM, "out of memory: a string with escapes");
        refuse(r);
        return;
    }
    cJSON_AddItemToArray(r->unescaped, piece);
    *string = (struct regret_span){piece->valuestring, strlen(piece->valuestring)};
}

/* The string at hand; what the tokeniser leaves alone the JSON library judges. */
static void take_string(struct value_reader *r, struct regret_span *out, int *escaped)
{
    const char *begin = r->t.at;
    if (token_string(&r->t, out, escaped)) {
        return;
    }
    const char *end = begin < r->t.end && *begin == '"' ? pass_string(begin, r->t.end) : NULL;
    if (end == NULL) {
        refuse(r);
        return;
    }
    *out = (struct regret_span){begin + 1, (size_t)(end - begin) - 2};
    *escaped = 1;
    r->t.at = end;
    check_piece(r, begin, (size_t)(end - begin));
}

static void take_array_or_object(struct value_reader *r, struct value *v)
{
    struct tokeniser inside = {r->t.at + 1, r->t.end};
    size_t deepest = 0;
    const char *end = pass_value(r->t.at, r->t.end, &deepest);
    if (end == NULL || r->depth + deepest > REGRET_JSON_MAX_DEPTH) {
        refuse(r);
        return;
    }
    token_space(&inside);
    v->kind = *r->t.at == '{' ? AN_OBJECT : inside.at + 1 == end ? NOTHING : AN_ARRAY;
    check_piece(r, r->t.at, (size_t)(end - r->t.at));
    r->t.at = r->wrong ? r->t.end : end;
}

/* A number that the tokeniser cannot round, or none at all. */
static void take_long_number(struct value_reader *r, struct value *v)
{
    const char *begin = r->t.at, *end = begin;
    while (end < r->t.end && strchr(" \t\r\n,]}:", *end) == NULL) {
        end++;
    }
    /* cJSON would pass over a byte order mark. */
    int numeric = begin < end && (*begin == '-' || (*begin >= '0' && *begin <= '9'));
    struct cJSON *piece = numeric ? parse_piece(r, begin, (size_t)(end - begin)) : NULL;
    if (piece == NULL || !cJSON_IsNumber(piece) || !isfinite(piece->valuedouble)) {
        refuse(r);
    } else {
        v->number = piece->valuedouble;
        r->t.at = end;
    }
    cJSON_Delete(piece);
}

static void take_number(struct value_reader *r, struct value *v)
{
    v->kind = A_NUMBER;
    if (!token_number(&r->t, &v->number)) {
        take_long_number(r, v);
    }
}

static void take_word(struct value_reader *r, struct value *v, const char *word,
                      enum value_kind kind)
{
    v->kind = kind;
    if (!token_word(&r->t, word)) {
        refuse(r);
    }
}

struct value take_value(struct value_reader *r)
{
    struct value v = {NOTHING, 0.0, {NULL, 0}, 0};
    switch (r->t.at < r->t.end ? *r->t.at : '\0') {
    case '"':
        v.kind = A_STRING;
        take_string(r, &v.text, &v.escaped);
        break;
    case '{':
    case '[':
        take_array_or_object(r, &v);
        break;
    case 't':
        take_word(r, &v, "true", A_TRUE);
        break;
    case 'f':
        take_word(r, &v, "false", A_FALSE);
        break;
    case 'n':
        take_word(r, &v, "null", A_NULL);
        break;
    case 'N':
        take_word(r, &v, "NaN", NOTHING);
        break;
    case 'I':
        take_word(r, &v, "Infinity", NOTHING);
        break;
    default:
        if (!token_word(&r->t, "-Infinity")) {
            take_number(r, &v);
        }
    }
    return v;
}

struct value take_text_value(struct value_reader *r)
{
    struct value v = take_value(r);
    if (v.escaped && !r->wrong) {
        unescape(r, &v.text);
    }
    return v;
}

/* ---- Objects, member by member ---- */

void enter_object(struct value_reader *r, struct members *m)
{
    m->begin = r->t.at++;
    m->n = 0;
    r->depth++;
}

/* Behind the object; 0, as there is no other member. */
static int leave_object(struct value_reader *r, const struct members *m)
{
    r->t.at++;
    r->depth--;
    if (m->n > MAX_KEYS) { /* too many to compare each with each: see that none is given twice */
        const char *end = r->t.at;
        check_piece(r, m->begin, (size_t)(end - m->begin));
    }
    return 0;
}

static void take_key(struct value_reader *r, struct members *m, struct regret_span *key)
{
    int escaped = 0;
    take_string(r, key, &escaped);
    if (escaped && !r->wrong) {
        unescape(r, key);
    }
    if (r->wrong) {
        return;
    }
    size_t n = m->n < MAX_KEYS ? m->n : MAX_KEYS;
    for (size_t i = 0; i < n; i++) {
        if (span_equal(m->seen[i], *key)) {
            refuse(r);
            return;
        }
    }
    if (n < MAX_KEYS) {
        m->seen[n] = *key;
    }
    m->n++;
    token_space(&r->t);
    if (r->t.at < r->t.end && *r->t.at == ':') {
        r->t.at++;
        token_space(&r->t);
    } else {
        refuse(r);
    }
}

int next_member(struct value_reader *r, struct members *m, struct regret_span *key)
{
    token_space(&r->t);
    if (r->t.at == r->t.end) {
        refuse(r);
        return 0;
    }
    if (*r->t.at == '}') {
        return leave_object(r, m);
    }
    if (m->n > 0) {
        if (*r->t.at != ',') {
            refuse(r);
            return 0;
        }
        r->t.at++;
        token_space(&r->t);
    }
    take_key(r, m, key);
    if (r->t.at == r->t.end) {
        refuse(r);
    }
    return !r->wrong;
}
