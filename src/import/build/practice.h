/* A configuration to begin with, of a size that suits a pool: what `regret init` writes, and what stands in pools of evaluation harnesses. */
#ifndef REGRET_IMPORT_PRACTICE_H
#define REGRET_IMPORT_PRACTICE_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/pool.h"

/* What it depends on. */
struct practice {
    const char *pool;     /* its path from the configuration's folder */
    size_t pairs, agents; /* pairs that have an output */
    int has_holes, has_tags, has_texts, has_columns, has_costs;
    int has_rewards; /* several components, so that users differ in what they want */
};

/* Appends config.json. */
void practice_config(struct regret_buffer *out, const struct practice *p);
/* Of a pool, whose texts say something of its contexts. */
struct practice practice_of(const struct regret_pool *pool, const char *path);

#endif
