/* Which column of a table of requests is what. */
#ifndef REGRET_MODEL_COLUMNS_H
#define REGRET_MODEL_COLUMNS_H

#include "regret/json.h"
#include "regret/model.h"

enum request_role { REQUEST_TEXT, REQUEST_ID, REQUEST_TAG, REQUEST_ROLES };

#define REQUEST_NO_COLUMN ((size_t)-1)

/* 1 where a column of a table is that of a pool: names of pools have "_" for what they cannot hold. */
int request_column_is(const char *name, const char *of_pool);

/* The column of each role among n names; REQUEST_NO_COLUMN of an id or a tag that is not there. `at` is the header's place.
 * A name that the options give must be there. */
int request_columns_find(size_t column[REQUEST_ROLES], const char *const *names, size_t n,
                         const struct regret_requests_options *options, struct regret_place at);

#endif
