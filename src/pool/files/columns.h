/* Columns of contexts: what is known of a context besides its text and its tag. */
#ifndef REGRET_SRC_POOL_COLUMNS_H
#define REGRET_SRC_POOL_COLUMNS_H

#include "regret/json.h"
#include "regret/pool.h"

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

void pool_free_columns(struct regret_pool *pool);
/* Those of one context of a pool of n columns; NULL is fine. */
void pool_free_covariates(struct regret_covariate *columns, size_t n);

#endif
