/* Pools written, and their history. */
#ifndef POOL_WRITE_H
#define POOL_WRITE_H

#include <stddef.h>

#include "base/json.h"
#include "regret/pool.h"

/* A pool as one of several things that a folder gets. */

/* What regret_pool_write() writes, into a folder that is being built: regret_staging_begin() with POOL_FILES. */
#define POOL_FILES "pool.json contexts.jsonl outputs.jsonl README.md? config.json?"
int pool_write_into(const char *folder, const struct regret_pool *pool, const char *card);

/* The history of a pool: the steps by which it came to be. */

struct cJSON;

/* Element i of "history" of pool.json into pool->history[i]. */
int pool_read_step(struct regret_pool *pool, size_t i, const struct cJSON *element,
                   struct regret_place at);

/* Texts on one line and of bounded length, digests, dates. */
int pool_check_history(const struct regret_pool_step *history, size_t n);

/* The digest of pool.json at `path` as it would be without the dates of its history: made again on another day a pool is the same. */
int pool_digest_header(char out[33], const struct regret_pool *pool, const char *path);

/* Licence and source of both, "A; B" where they differ, synthetic where one is, and the steps of `more` that the pool lacks, moved. */
int pool_join_said(struct regret_pool *pool, struct regret_pool *more);

void pool_free_history(struct regret_pool_step *history, size_t n);

#endif
