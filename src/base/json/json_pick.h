/* A few fields of a large object, and fields of which nobody knows whether they are there. */
#ifndef REGRET_BASE_JSON_PICK_H
#define REGRET_BASE_JSON_PICK_H

#include <stddef.h>

#include <cJSON.h>

#include "regret/json.h"

/* Those of n fields that the object has, in an object of their own, to be freed with cJSON_Delete(); read as
 * REGRET_JSON_IMPORT does. The others are passed over by their quotes and brackets, not judged: what is large and of no use costs
 * no memory. The last of the fields may have a "-" before their names: what the wanted ones have under these, at
 * any depth, is null, and as little looked at. Another value than an object comes whole; what is malformed is told as json_parse_from() tells it. */
int json_pick(cJSON **out, const char *text, size_t length, struct regret_place at, size_t column,
              const char *const *fields, size_t n);

/* Adds a value, which the object owns from here on, or which is freed. REGRET_E_INPUT: it has the field. */
int json_add(cJSON *object, const char *field, cJSON *value, struct regret_place at);

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

#endif
