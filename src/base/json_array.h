/* Arrays too long for a tree, and the fields picked from their records. */
#ifndef BASE_JSON_ARRAY_H
#define BASE_JSON_ARRAY_H

#include <cJSON.h>
#include <stddef.h>

#include "base/json.h"

/* Fields of which nobody knows whether they are there. */

/* A field of an object, NULL where it has none, or is none; its text, where it is one; whether it is there, and not null. */
static inline const cJSON *json_member(const cJSON *object, const char *field)
{
    return cJSON_GetObjectItemCaseSensitive(object, field);
}

static inline const char *json_string(const cJSON *object, const char *field)
{
    return cJSON_GetStringValue(json_member(object, field));
}

static inline int json_has(const cJSON *object, const char *field)
{
    const cJSON *v = json_member(object, field);
    return v != NULL && !cJSON_IsNull(v);
}

/* The elements of a JSON array of any length, one after the other in the memory of one. */

struct cJSON;

/* Only where an element ends is found out here, by its tokens: its text is the parser's to judge, and
 * between texts that it accepts stand commas and nothing else, so that what is read in parts is what
 * would be read at once. */
struct json_array {
    struct regret_jsonl *reader; /* nothing of it handed out yet; borrowed */
    const char *path;            /* borrowed */
    size_t line, column;         /* of the next byte, from 1; line 0 before the first */
    enum { JSON_ARRAY_GOES_ON, JSON_ARRAY_CLOSED, JSON_ARRAY_CUT, JSON_ARRAY_OVER } state;
};

/* The next element as a value, to be freed with cJSON_Delete(), NULL at the end; `at`, the line it begins on, is set once
 * it is known. REGRET_E_INPUT: the element's own text, after which the next one can be read; no array, one that is not
 * closed, a comma too many, text after it, an element of more than REGRET_JSONL_MAX_LINE bytes, after which the state is
 * JSON_ARRAY_OVER. */
int json_array_next(struct json_array *array, struct cJSON **value, struct regret_place *at);

#endif
