/* A pool in memory. */
#ifndef POOL_MEMORY_H
#define POOL_MEMORY_H

#include <stddef.h>

#include "base/json.h"
#include "regret/pool.h"
#include "text/patch.h"

/* What every pool of patches has in common, made from public data or by the generator: components
 * success, size, locality, focus; patch statistics as aux labels; the user types as segments. */

enum { CODING_SUCCESS, CODING_SIZE, CODING_LOCALITY, CODING_FOCUS, CODING_COMPONENTS };
enum { CODING_VALUES = CODING_COMPONENTS + REGRET_PATCH_STATISTICS }; /* of an output */

/* Sets components, aux labels and segments of a pool, in the place of those it has. Segments are the user types of
 * protocol §2: three quarters of a type's weight lie on (size, locality, focus) as the protocol
 * has it and one quarter on success, which the utility map takes out again (w̃). */
int coding_pool_describe(struct regret_pool *pool);

/* The CODING_VALUES values of an output: success (0 or 1), the components and statistics of the
 * patch of `length` bytes at `text`. *changed (may be NULL) gets its added and removed lines,
 * *files (may be NULL) the files it touches. */
int coding_values(double *values, size_t *changed, size_t *files, int success, const char *text,
                  size_t length, const struct regret_patch_issue *issue);

/* Columns of contexts: what is known of a context besides its text and its tag. */

struct cJSON;

/* Element i of "columns" of pool.json into pool->columns[i]. */
int pool_read_column(struct regret_pool *pool, size_t i, const struct cJSON *element,
                     struct regret_place at);
/* "columns" of a line of contexts.jsonl into *out, which is empty; what it filled before a failure is to be freed. */
int pool_read_covariates(struct regret_covariate **out, const struct regret_pool *pool,
                         const struct cJSON *row, struct regret_place at);

/* The covariates of one context: numbers finite or NaN, words short and on one line. */
int pool_check_covariates(const struct regret_pool *pool, const struct regret_covariate *columns);
/* 1 where two contexts have the same of one column, … */
int pool_same_covariate(enum regret_column_kind kind, const struct regret_covariate *a,
                        const struct regret_covariate *b);
/* … of all. */
int pool_same_covariates(const struct regret_pool *pool, const struct regret_covariate *a,
                         const struct regret_covariate *b);
/* Those of one context of a pool of n columns; NULL is fine. */
void pool_free_covariates(struct regret_covariate *columns, size_t n);

/* 1 where the segments are what regret_pool_default_segments() makes. */
int pool_has_default_segments(const struct regret_pool *pool);

#endif
