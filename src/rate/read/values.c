#include "rate/read/values.h"

#include <math.h>

#include <cJSON.h>

#include "regret/alloc.h"

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

void begin_values(struct value_reader *r, const char *text, size_t length)
{
    *r = (struct value_reader){.t = {text, text + length, REGRET_JSON_IMPORT},
                               .text = text,
                               .unescaped = r->unescaped,
                               .room = r->room};
}

void free_values(struct value_reader *r)
{
    regret_free(r->unescaped);
    *r = (struct value_reader){0};
}

/* Replaces a string with escapes by its value. */
static void unescape(struct value_reader *r, struct regret_span *string)
{
    size_t most = 2 * (size_t)(r->t.end - r->text); /* a text is read twice at most */
    if (r->used == 0 && r->room < most) {
        int rc = regret_realloc((void **)&r->unescaped, most, 1, "strings with escapes");
        if (rc != REGRET_OK) {
            r->failure = rc;
            refuse(r);
            return;
        }
        r->room = most;
    }
    char *value = r->unescaped + r->used;
    *string = (struct regret_span){value, json_unescape(value, *string)};
    r->used += string->length;
}

static void take_string(struct value_reader *r, struct regret_span *out, int *escaped)
{
    if (!json_take_string(&r->t, out, escaped)) {
        refuse(r);
    }
}

/* Into the array or object at hand. */
static void enter(struct value_reader *r)
{
    r->t.at++;
    r->depth++;
    if (r->depth > REGRET_JSON_MAX_DEPTH) {
        refuse(r);
    }
}

static inline int at_byte(const struct value_reader *r, char c)
{
    return r->t.at < r->t.end && *r->t.at == c;
}

static inline void skip_blank(struct value_reader *r)
{
    r->t.at = json_skip_blank(r->t.at, r->t.end);
}

/* Behind the array at hand, whose elements say nothing but whether there are any. */
static void take_array(struct value_reader *r, struct value *v)
{
    enter(r);
    skip_blank(r);
    if (at_byte(r, ']')) {
        v->kind = NOTHING;
    } else {
        v->kind = AN_ARRAY;
        take_value(r);
        skip_blank(r);
        while (at_byte(r, ',')) {
            r->t.at++;
            skip_blank(r);
            take_value(r);
            skip_blank(r);
        }
    }
    if (!at_byte(r, ']')) {
        refuse(r);
        return;
    }
    r->t.at++;
    r->depth--;
}

static void take_object(struct value_reader *r, struct value *v)
{
    struct members m;
    struct regret_span key;
    v->kind = AN_OBJECT;
    enter_object(r, &m);
    while (next_member(r, &m, &key)) {
        take_value(r);
    }
}

static void take_number(struct value_reader *r, struct value *v)
{
    const char *begin = r->t.at;
    v->kind = A_NUMBER;
    if (!json_take_number(&r->t, &v->number) || !isfinite(v->number)) {
        refuse(r);
    }
    v->text = (struct regret_span){begin, (size_t)(r->t.at - begin)};
}

static void take_word(struct value_reader *r, struct value *v, const char *word,
                      enum value_kind kind)
{
    v->kind = kind;
    if (!json_take_word(&r->t, word)) {
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
        take_object(r, &v);
        break;
    case '[':
        take_array(r, &v);
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
        if (!json_take_word(&r->t, "-Infinity")) {
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
    m->begin = r->t.at;
    m->n = 0;
    enter(r);
}

/* Too many keys to compare each with each: the reader of documents sees that none is given twice. */
static void check_keys_of_many(struct value_reader *r, const struct members *m)
{
    struct cJSON *object = NULL;
    const struct regret_place nowhere = {"row", 0};
    int rc = regret_json_parse_mode(&object, m->begin, (size_t)(r->t.at - m->begin), nowhere,
                                    REGRET_JSON_IMPORT);
    cJSON_Delete(object);
    if (rc != REGRET_OK) {
        r->failure = rc == REGRET_E_INPUT ? r->failure : rc;
        refuse(r);
    }
}

/* Behind the object; 0, as there is no other member. */
static int leave_object(struct value_reader *r, const struct members *m)
{
    r->t.at++;
    r->depth--;
    if (m->n > MAX_KEYS) {
        check_keys_of_many(r, m);
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
    skip_blank(r);
    if (at_byte(r, ':')) {
        r->t.at++;
        skip_blank(r);
    } else {
        refuse(r);
    }
}

int next_member(struct value_reader *r, struct members *m, struct regret_span *key)
{
    skip_blank(r);
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
        skip_blank(r);
    }
    take_key(r, m, key);
    if (r->t.at == r->t.end) {
        refuse(r);
    }
    return !r->wrong;
}
