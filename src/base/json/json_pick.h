/* A few fields of a large object. */
#ifndef REGRET_BASE_JSON_PICK_H
#define REGRET_BASE_JSON_PICK_H

#include <stddef.h>

#include "regret/json.h"

struct cJSON;

/* Those of n fields that the object has, in an object of their own, to be freed with cJSON_Delete(); read as
 * REGRET_JSON_IMPORT does. The others are passed over by their quotes and brackets, not judged: what is large and of no use costs
 * no memory. Another value than an object comes whole; what is malformed is told as json_parse_from() tells it. */
int json_pick(struct cJSON **out, const char *text, size_t length, struct regret_place at,
              size_t column, const char *const *fields, size_t n);

/* Adds a value, which the object owns from here on, or which is freed. REGRET_E_INPUT: it has the field. */
int json_add(struct cJSON *object, const char *field, struct cJSON *value, struct regret_place at);

#endif
