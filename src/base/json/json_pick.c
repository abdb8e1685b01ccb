#include "base/json/json_pick.h"

#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_parse.h"
#include "base/json/json_tokens.h"
#include "base/text/spans.h"
#include "regret/buffer.h"

int json_add(cJSON *object, const char *field, cJSON *value, struct regret_place at)
{
    if (cJSON_GetObjectItemCaseSensitive(object, field) != NULL) {
        cJSON_Delete(value);
        return regret_json_error(at, "key \"%s\" is given twice", field);
    }
    if (!cJSON_AddItemToObject(object, field, value)) {
        cJSON_Delete(value);
        return regret_fail(REGRET_E_NOMEM, "out of memory: reading %s", at.file);
    }
    return REGRET_OK;
}

/* From the name of a member to its value; 0 where neither stands there. */
static int take_name(struct json_tokens *t, struct regret_span *name)
{
    int is_escaped = 0;
    if (!json_take_string(t, name, &is_escaped)) {
        return 0;
    }
    t->at = json_skip_blank(t->at, t->end);
    if (t->at == t->end || *t->at != ':') {
        return 0;
    }
    t->at = json_skip_blank(t->at + 1, t->end);
    return t->at < t->end && strchr(",:]}", *t->at) == NULL;
}

/* Is this the name of a field, or, with the mark, one whose values are hollow? */
static int is_named(struct regret_span name, const char *field, char mark)
{
    return mark == '\0' ? span_is(name, field) : *field == mark && span_is(name, field + 1);
}

static size_t find_field(struct regret_span name, const char *const *fields, size_t n, char mark)
{
    size_t i = 0;
    while (i < n && !is_named(name, fields[i], mark)) {
        i++;
    }
    return i;
}

/* Appends a value in which those that are hollow are null. */
static void append_hollowed(struct regret_buffer *out, const char *p, const char *end,
                            const char *const *fields, size_t n)
{
    struct json_tokens t = {p, end, REGRET_JSON_IMPORT};
    struct json_token s;
    while ((s = json_next(&t)).kind != JSON_END) {
        struct json_tokens member = {s.begin, end, REGRET_JSON_IMPORT};
        struct regret_span name;
        if (s.kind != JSON_STRING || !take_name(&member, &name) ||
            find_field(name, fields, n, '-') == n) {
            continue;
        }
        const char *behind = json_skip_value(member.at, end);
        if (behind != NULL) {
            regret_buffer_append_n(out, p, (size_t)(member.at - p));
            regret_buffer_append(out, "null");
            p = t.at = behind;
        }
    }
    regret_buffer_append_n(out, p, (size_t)(end - p));
}

static int parse_hollowed(cJSON **value, const char *begin, const char *end, struct regret_place at,
                          const char *const *fields, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    append_hollowed(&text, begin, end, fields, n);
    TRY(regret_buffer_status(&text));
    return json_parse_from(value, regret_buffer_get(&text), text.length, at, 1, REGRET_JSON_IMPORT);
}

/* Goes behind the value at t->at, to the end of the text where it does not end, and adds it where it is wanted. */
static int take_value(cJSON *out, struct json_tokens *t, struct regret_span name,
                      struct regret_place at, const char *const *fields, size_t n)
{
    cJSON *value = NULL;
    const char *begin = t->at, *behind = json_skip_value(begin, t->end);
    size_t i = find_field(name, fields, n, '\0');
    t->at = behind != NULL ? json_skip_blank(behind, t->end) : t->end;
    if (behind == NULL || i == n) {
        return REGRET_OK;
    }
    TRY(*fields[n - 1] == '-'
            ? parse_hollowed(&value, begin, behind, at, fields, n)
            : json_parse_from(&value, begin, (size_t)(behind - begin), at, 1, REGRET_JSON_IMPORT));
    return json_add(out, fields[i], value, at);
}

/* *is_whole: the text is an object from its first to its last byte, as far as it was looked at. */
static int pick(cJSON *out, int *is_whole, struct json_tokens t, struct regret_place at,
                const char *const *fields, size_t n)
{
    struct regret_span name;
    t.at = json_skip_blank(json_skip_mark(t.at, t.end), t.end);
    if (t.at == t.end || *t.at != '{') {
        return REGRET_OK;
    }
    for (char mark = '{'; t.at < t.end && *t.at == mark; mark = ',') {
        t.at = json_skip_blank(t.at + 1, t.end);
        if (mark == '{' && t.at < t.end && *t.at == '}') {
            break;
        }
        if (!take_name(&t, &name)) {
            return REGRET_OK;
        }
        TRY(take_value(out, &t, name, at, fields, n));
    }
    *is_whole = t.at < t.end && *t.at == '}' && json_skip_blank(t.at + 1, t.end) == t.end;
    return REGRET_OK;
}

int json_pick(cJSON **out, const char *text, size_t length, struct regret_place at, size_t column,
              const char *const *fields, size_t n)
{
    const struct json_tokens t = {text, text + length, REGRET_JSON_IMPORT};
    int is_whole = 0;
    cJSON *picked = cJSON_CreateObject();
    int rc = picked != NULL ? pick(picked, &is_whole, t, at, fields, n)
                            : regret_fail(REGRET_E_NOMEM, "out of memory: reading %s", at.file);
    if (is_whole) {
        *out = picked;
        return rc;
    }
    cJSON_Delete(
        picked); /* the parser finds the same fault, or one before it, and tells its column */
    return rc == REGRET_E_NOMEM
               ? rc
               : json_parse_from(out, text, length, at, column, REGRET_JSON_IMPORT);
}
