/* Arrays too long for a tree, and the fields picked from their records. */
#ifndef BASE_JSON_ARRAY_H
#define BASE_JSON_ARRAY_H

#include <cJSON.h>
#include <stddef.h>

#include "base/json.h"

/* A few fields of a large object, and fields of which nobody knows whether they are there. */

/* Those of n fields that the object has, in an object of their own, to be freed with cJSON_Delete(); read as
 * REGRET_JSON_IMPORT does. The others are passed over by their quotes and brackets, not judged: what is large and of no use costs
 * no memory. The last of the fields may have a "-" before their names: what the wanted ones have under these, at
 * any depth, is null, and as little looked at. Another value than an object comes whole; what is malformed is told as json_parse_from() tells it. */
int json_pick(cJSON **out, const char *text, size_t length, struct regret_place at, size_t column,
              const char *const *fields, size_t n);

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
    int is_inside; /* set by json_array_seek(): of a larger text, whose rest is not looked at */
    const char *const *
        fields; /* of an element that is an object: all that is read of it, as json_pick() does; NULL: the whole */
    size_t n_fields;
};

/* Before the first element, of a text that is an object: goes to the array that it has under `key`, or that the object
 * under `key` has under `key` in turn. *found is 0 where there is none, and the text is over. What stands before it in the
 * same object under the names of `fields` comes in an object, *before (free with cJSON_Delete(), after an error, too). */
int json_array_seek(struct json_array *array, int *found, struct cJSON **before, const char *key,
                    const char *const *fields, size_t n_fields);

/* The next element as a value, to be freed with cJSON_Delete(), NULL at the end; `at`, the line it begins on, is set once
 * it is known. REGRET_E_INPUT: the element's own text, after which the next one can be read; no array, one that is not
 * closed, a comma too many, text after it, an element of more than REGRET_JSONL_MAX_LINE bytes, after which the state is
 * JSON_ARRAY_OVER. */
int json_array_next(struct json_array *array, struct cJSON **value, struct regret_place *at);

/* Told of an element; what it fails with ends the reading. */
typedef int json_element(void *context, const struct cJSON *value, struct regret_place at);
/* All that are left. */
int json_array_each(struct json_array *array, json_element *element, void *context);

#endif
