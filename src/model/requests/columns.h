/* Which column of a table of requests is what. */
#ifndef REGRET_MODEL_COLUMNS_H
#define REGRET_MODEL_COLUMNS_H

#include "regret/json.h"
#include "regret/model.h"

struct cJSON;

enum request_role { REQUEST_TEXT, REQUEST_ID, REQUEST_TAG, REQUEST_ROLES };

#define REQUEST_NO_COLUMN ((size_t)-1)

/* The column of names that is that of a pool, n where none is: names of pools have "_" for what they cannot hold.
 * REGRET_E_INPUT: two are. */
int request_column_find(size_t *column, const char *const *names, size_t n, const char *of_pool,
                        struct regret_place at);
/* The field of a record of JSON that is that of a pool, perhaps in objects and lists of it, "a.b"; *field, NULL before, is left where
 * none is. REGRET_E_INPUT:
 * two are. */
int request_field_find(const struct cJSON **field, const struct cJSON *record, const char *of_pool,
                       struct regret_place at);

/* The column of each role among n names; REQUEST_NO_COLUMN of an id or a tag that is not there. `at` is the header's place.
 * A name that the options give must be there. */
int request_columns_find(size_t column[REQUEST_ROLES], const char *const *names, size_t n,
                         const struct regret_requests_options *options, struct regret_place at);

#endif
