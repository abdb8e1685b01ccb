/* Which rows of a group depend on each other: clusters of it, numbered from 0. */
#ifndef REGRET_RATE_CLUSTERS_H
#define REGRET_RATE_CLUSTERS_H

#include "regret/rate.h"

/* Why something is not estimated, where more than one estimate has the reason. */
extern const char MISSING_ONE_CLUSTER[], MISSING_TOO_LARGE[];

struct clusters {
    uint32_t *of;   /* by member of the group; room for all rows asked for; owned */
    uint32_t *seen; /* by name, between groups all REGRET_RATE_NO_CLUSTER; owned */
    size_t n;       /* clusters of the group at hand */
    size_t n_named; /* of them, those with a name */
    int matter;     /* 1: some of its rows share one, and the options let that count */
};

/* Room for groups of at most n_members rows whose clusters have n_names names. Without names there are
 * no clusters. Free it even after a failure. */
int clusters_new(struct clusters *c, size_t n_names, size_t n_members);
void clusters_free(struct clusters *c);
/* Numbers the clusters of the table rows members[0..n) by name[row]; a row of REGRET_RATE_NO_CLUSTER
 * is one by itself. O(n). */
void clusters_number(struct clusters *c, const uint32_t *name, const size_t *members, size_t n,
                     enum regret_rate_clusters which);

/* The cluster of member k of the group at hand, and how many there are; each member is one by itself where they do not
 * matter. */
static inline uint32_t cluster_at(const struct clusters *c, size_t k)
{
    return c->matter ? c->of[k] : (uint32_t)k;
}
static inline size_t cluster_count(const struct clusters *c, size_t n_members)
{
    return c->matter ? c->n : n_members;
}

/* The rows asked for, by group: members of group g are order[start[g] .. start[g + 1]). Both are freed
 * with regret_free(). */
int sort_by_group(size_t **order, size_t **start, const struct regret_rate_rows *rows,
                  const struct regret_rate_options *options);

#endif
