/* Which rows of a group depend on each other: clusters of it, numbered from 0. */
#ifndef REGRET_RATE_CLUSTERS_H
#define REGRET_RATE_CLUSTERS_H

#include "regret/rate.h"

struct clusters {
    uint32_t *of;   /* by member of the group; room for all rows asked for; owned */
    uint32_t *seen; /* by cluster of the table, between groups all REGRET_RATE_NO_CLUSTER; owned */
    size_t n;       /* clusters of the group at hand */
    int matter;     /* 1: some of its rows share one, and the options let that count */
};

/* Room for groups of at most n_members rows. Free it even after a failure. */
int clusters_new(struct clusters *c, const struct regret_rate_rows *rows, size_t n_members);
void clusters_free(struct clusters *c);
/* Numbers the clusters of the table rows members[0..n); a row that names none is one by itself.
 * O(n). */
void clusters_number(struct clusters *c, const struct regret_rate_rows *rows, const size_t *members,
                     size_t n, enum regret_rate_clusters which);

#endif
