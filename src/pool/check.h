/* Checks of a pool. */
#ifndef POOL_CHECK_H
#define POOL_CHECK_H

#include <stddef.h>

#include "base/names.h"
#include "regret/pool.h"

/* Where a pool came from, for messages; a NULL origin stands for a pool made in memory. */
struct pool_origin {
    const char *header, *contexts, *outputs; /* paths of the three files; borrowed */
    const size_t *context_lines;             /* one a context; borrowed */
    size_t *output_lines; /* one an output; borrowed; permuted along when outputs are sorted */
};

/* The rule of ids and names; `what` says which, for the message. */
int pool_check_id(const char *what, const char *id);

/* Of tags, which are whatever people call them: text, not empty, and no longer than an id. */
int pool_check_tag(const char *tag);

/* A copy of `text` with a "-" for every character that ids must not have; the caller frees it. */
int pool_clean_id(char **out, const char *text);

/* Names, agents, components, counts, segments, aux labels. */
int pool_check_header(const struct regret_pool *pool, const struct pool_origin *origin);

/* Contexts; leaves their ids in *table (borrowed strings), which the caller frees. */
int pool_check_contexts(const struct regret_pool *pool, const struct pool_origin *origin,
                        struct id_table *table);

/* The values of one output: components within their range, counts whole, labels finite. */
int pool_check_values(const struct regret_pool *pool, const double *values);

/* References and values of every output, in any order. */
int pool_check_outputs(const struct regret_pool *pool, const struct pool_origin *origin);

/* The three above for a pool made in memory. */
int pool_check_parts(const struct regret_pool *pool);

/* Sorts outputs by (context, agent, draw), keeping the order of equals. */
int pool_sort_outputs(struct regret_pool *pool, struct pool_origin *origin);

/* Of sorted outputs: nothing twice, draws 0, 1, … without gaps. */
int pool_check_order(const struct regret_pool *pool, const struct pool_origin *origin);

#endif
