#include <cJSON.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_tokens.h"
#include "base/jsonl.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "table/internal.h"

/* One pass that copies what is well-formed and gives up at the first fault, which the parser of documents then finds again and
 * tells with its place. */

FREED_POINTER(cJSON, cJSON_Delete)

enum { FEW_KEYS = 12 };

struct keys {
    uint64_t *hash; /* of the keys of all objects that are open; owned */
    size_t n, capacity;
};

struct scan {
    struct json_tokens t;
    struct regret_buffer *out;
    const struct scan_fields *fields;
    struct scan_part *part; /* of the fields that are kept; NULL: nobody asks */
    struct scan_tree *tree; /* NULL: nobody asks */
    struct keys keys;
    struct scan_part key; /* of the member whose value comes next */
    size_t star;          /* the field "*", the other members; SIZE_MAX: there is none */
    struct regret_buffer others;
    size_t depth;
    int rc; /* REGRET_E_NOMEM at times */
};

static int by_hash(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Whether the last n keys are all different; they are then forgotten. */
static int keys_differ(struct keys *keys, size_t begin)
{
    uint64_t *hash = keys->hash + begin;
    size_t n = keys->n - begin;
    int differ = 1;
    keys->n = begin;
    if (n > FEW_KEYS) {
        qsort(hash, n, sizeof *hash, by_hash);
        for (size_t i = 1; i < n; i++) {
            differ &= hash[i] != hash[i - 1];
        }
        return differ;
    }
    for (size_t i = 1; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            differ &= hash[i] != hash[j];
        }
    }
    return differ;
}

static int add_key(struct scan *s, const char *key, size_t length)
{
    s->rc = regret_grow((void **)&s->keys.hash, &s->keys.capacity, s->keys.n, sizeof *s->keys.hash,
                        "keys");
    if (s->rc != REGRET_OK) {
        return 0;
    }
    s->keys.hash[s->keys.n++] = regret_hash64(key, length);
    return 1;
}

/* Appends a string as it stands, or without the escapes that SQLite would not follow: of no character, and in keys all that need not be.
 * *key gets the bytes that a key is, in the buffer. */
static int put_string(struct scan *s, int is_key)
{
    FREED char *plain = NULL;
    struct json_tokens strict = {s->t.at, s->t.end, REGRET_JSON_STRICT};
    struct regret_span span;
    int is_escaped = 0;
    if (json_take_string(&strict, &span, &is_escaped) && !(is_escaped && is_key)) {
        s->t.at = strict.at;
        regret_buffer_append_n(s->out, span.text - 1, span.length + 2);
        return !is_key || add_key(s, span.text, span.length);
    }
    if (!json_take_string(&s->t, &span, &is_escaped)) {
        return 0;
    }
    s->rc = REGRET_NEW(&plain, span.length + 1);
    if (s->rc != REGRET_OK) {
        return 0;
    }
    size_t length = json_unescape(plain, span);
    plain[length] = '\0';
    regret_buffer_json_string(s->out, plain);
    return !is_key || add_key(s, plain, length);
}

static int put_number_or_word(struct scan *s)
{
    static const char *const WORDS[][2] = {{"true", "true"},      {"false", "false"},
                                           {"null", "null"},      {"NaN", "\"NaN\""},
                                           {"Infinity", "9e999"}, {"-Infinity", "-9e999"}};
    double value = 0.0;
    const char *begin = s->t.at;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (*begin == *WORDS[i][0] && json_take_word(&s->t, WORDS[i][0])) {
            regret_buffer_append(s->out, s->tree != NULL && i > 2 ? "null" : WORDS[i][1]);
            return 1;
        }
    }
    if (!json_take_number(&s->t, &value) || isinf(value)) {
        return 0;
    }
    regret_buffer_append_n(s->out, begin, (size_t)(s->t.at - begin));
    return 1;
}

static void skip_blank(struct scan *s)
{
    s->t.at = json_skip_blank(s->t.at, s->t.end);
}

static int take_mark(struct scan *s, char mark)
{
    skip_blank(s);
    if (s->t.at < s->t.end && *s->t.at == mark) {
        s->t.at++;
        return 1;
    }
    return 0;
}

/* Which of the names the key is that ends the buffer and began there. */
static size_t find_key(const struct names *names, const struct regret_buffer *out, size_t begin)
{
    const struct regret_span key = {out->data + begin + 1, out->length - begin - 2};
    size_t i = 0;
    while (i < names->n && !span_is(key, names->name[i])) {
        i++;
    }
    return i;
}

static int put_value(struct scan *s);

/* The member whose name comes next; nothing of it stays that nobody wants. */
static int put_member(struct scan *s, int *is_first)
{
    size_t before = s->out->length;
    regret_buffer_append(s->out, *is_first ? "" : ",");
    size_t begin = s->out->length;
    skip_blank(s);
    if (s->t.at == s->t.end || *s->t.at != '"' || !put_string(s, 1) || !take_mark(s, ':') ||
        regret_buffer_status(s->out) != REGRET_OK) {
        return 0;
    }
    size_t field = s->depth > 1 ? SIZE_MAX : find_key(&s->fields->kept, s->out, begin);
    int is_kept =
        field < s->fields->kept.n || s->depth > 1 || s->fields->kept.n == 0 || s->star != SIZE_MAX;
    int is_hollow = is_kept && find_key(&s->fields->without, s->out, begin) < s->fields->without.n;
    skip_blank(s);
    if (is_kept && !is_hollow) {
        *is_first = 0;
        s->key = (struct scan_part){begin + 1, s->out->length - begin - 2};
        regret_buffer_append_char(s->out, ':');
        size_t value = s->out->length;
        int is_well = put_value(s);
        if (s->part != NULL && field < s->fields->kept.n) {
            s->part[field] = (struct scan_part){value, s->out->length - value};
        } else if (s->depth == 1 && s->star != SIZE_MAX) {
            regret_buffer_append_char(&s->others, s->others.length > 0 ? ',' : '{');
            regret_buffer_append_n(&s->others, s->out->data + begin, s->out->length - begin);
        }
        return is_well;
    }
    const char *behind = s->t.at < s->t.end && strchr(",:]}", *s->t.at) == NULL
                             ? json_skip_value(s->t.at, s->t.end)
                             : NULL;
    if (behind == NULL) {
        return 0;
    }
    s->t.at = behind;
    if (is_hollow) {
        *is_first = 0;
        regret_buffer_append(s->out, ":null");
    } else {
        s->out->length = before;
        s->out->data[before] = '\0';
    }
    return 1;
}

static int put_object(struct scan *s)
{
    size_t begin = s->keys.n;
    int is_first = 1;
    s->t.at++;
    regret_buffer_append_char(s->out, '{');
    if (take_mark(s, '}')) {
        regret_buffer_append_char(s->out, '}');
        return 1;
    }
    do {
        if (!put_member(s, &is_first)) {
            return 0;
        }
    } while (take_mark(s, ','));
    regret_buffer_append_char(s->out, '}');
    return take_mark(s, '}') && keys_differ(&s->keys, begin);
}

static int put_array(struct scan *s)
{
    s->t.at++;
    regret_buffer_append_char(s->out, '[');
    if (take_mark(s, ']')) {
        regret_buffer_append_char(s->out, ']');
        return 1;
    }
    do {
        if (!put_value(s)) {
            return 0;
        }
        skip_blank(s);
        regret_buffer_append(s->out, s->t.at < s->t.end && *s->t.at == ',' ? "," : "");
    } while (take_mark(s, ','));
    regret_buffer_append_char(s->out, ']');
    return take_mark(s, ']');
}

static int put_one(struct scan *s);

/* The value that comes next; a tree gets its node. */
static int put_value(struct scan *s) /* NOLINT(misc-no-recursion): REGRET_JSON_MAX_DEPTH at most */
{
    struct scan_tree *tree = s->tree;
    if (tree == NULL) {
        return put_one(s);
    }
    s->rc = regret_grow((void **)&tree->node, &tree->capacity, tree->n, sizeof *tree->node,
                        "the values of a record");
    if (s->rc != REGRET_OK) {
        return 0;
    }
    size_t i = tree->n++;
    tree->node[i] = (struct scan_node){.key = s->key, .value = {s->out->length, 0}};
    s->key = (struct scan_part){0, 0};
    int is_well = put_one(s);
    tree->node[i].value.length = s->out->length - tree->node[i].value.begin;
    tree->node[i].next = tree->n;
    return is_well;
}

/* As deep as the parser of documents goes. */
static int put_one(struct scan *s) /* NOLINT(misc-no-recursion) */
{
    int is_well = 0;
    skip_blank(s);
    if (s->t.at == s->t.end) {
        return 0;
    }
    if (*s->t.at == '"') {
        return put_string(s, 0);
    }
    if (*s->t.at != '{' && *s->t.at != '[') {
        return put_number_or_word(s);
    }
    if (s->depth == REGRET_JSON_MAX_DEPTH) {
        return 0;
    }
    s->depth++;
    is_well = *s->t.at == '{' ? put_object(s) : put_array(s);
    s->depth--;
    return is_well;
}

/* What the parser of documents says of the same text. */
static int tell_fault(const char *text, size_t length, struct regret_place at, size_t column)
{
    FREED_BY(cJSON_Delete_at) cJSON *value = NULL;
    TRY(json_parse_from(&value, text, length, at, column, REGRET_JSON_IMPORT));
    return regret_json_error(at, "JSON that cannot be read");
}

static int scan_all(struct regret_buffer *out, struct scan_part *part, struct scan_tree *tree,
                    const char *text, size_t length, struct regret_place at, size_t column,
                    const struct scan_fields *fields)
{
    size_t before = out->length;
    for (size_t i = 0; part != NULL && i < fields->kept.n; i++) {
        part[i].length = 0;
    }
    struct scan s = {.t = {json_skip_mark(text, text + length), text + length, REGRET_JSON_IMPORT},
                     .out = out,
                     .fields = fields,
                     .part = part,
                     .tree = tree,
                     .star = names_find(&fields->kept, "*")};
    TRY(regret_buffer_status(out));
    int is_well = put_value(&s) && json_skip_blank(s.t.at, s.t.end) == s.t.end;
    regret_free(s.keys.hash);
    if (part != NULL && s.star != SIZE_MAX) { /* behind the record */
        part[s.star] = (struct scan_part){out->length, s.others.length + 1};
        regret_buffer_append_n(out, regret_buffer_get(&s.others), s.others.length);
        regret_buffer_append(out, s.others.length > 0 ? "}" : "{}");
        part[s.star].length += s.others.length == 0;
    }
    regret_buffer_free_into(out, &s.others);
    TRY(s.rc);
    TRY(regret_buffer_status(out));
    if (!is_well) {
        out->length = before;
        return tell_fault(text, length, at, column);
    }
    return REGRET_OK;
}

int scan_json(struct regret_buffer *out, const char *text, size_t length, struct regret_place at,
              size_t column, const struct scan_fields *fields)
{
    return scan_all(out, NULL, NULL, text, length, at, column, fields);
}

int scan_tree(struct scan_tree *tree, const char *text, size_t length, struct regret_place at,
              size_t column)
{
    static const struct scan_fields ALL = {0};
    tree->n = 0;
    regret_buffer_clear(&tree->text);
    return scan_all(&tree->text, NULL, tree, text, length, at, column, &ALL);
}

int scan_record(struct regret_buffer *out, struct scan_part *part, const char *text, size_t length,
                struct regret_place at, size_t column, const struct scan_fields *fields)
{
    return scan_all(out, part, NULL, text, length, at, column, fields);
}
