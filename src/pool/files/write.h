/* A pool as one of several things that a folder gets. */
#ifndef REGRET_POOL_WRITE_H
#define REGRET_POOL_WRITE_H

#include "regret/pool.h"

/* What regret_pool_write() writes, into a folder that is being built: regret_staging_begin() with POOL_FILES. */
#define POOL_FILES "pool.json contexts.jsonl outputs.jsonl README.md? config.json?"
int pool_write_into(const char *folder, const struct regret_pool *pool, const char *card);

#endif
