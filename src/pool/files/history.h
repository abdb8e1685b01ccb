/* The history of a pool: the steps by which it came to be. */
#ifndef REGRET_SRC_POOL_HISTORY_H
#define REGRET_SRC_POOL_HISTORY_H

#include "regret/json.h"
#include "regret/pool.h"

struct cJSON;

/* Element i of "history" of pool.json into pool->history[i]. */
int pool_read_step(struct regret_pool *pool, size_t i, const struct cJSON *element,
                   struct regret_place at);

/* Texts on one line and of bounded length, digests, dates. */
int pool_check_history(const struct regret_pool_step *history, size_t n);

/* The digest of pool.json at `path` as it would be without the dates of its history: made again on another day a pool is the same. */
int pool_digest_header(char out[33], const struct regret_pool *pool, const char *path);

/* 1 where two steps say the same. */
int pool_same_step(const struct regret_pool_step *a, const struct regret_pool_step *b);

void pool_free_history(struct regret_pool_step *history, size_t n);

#endif
