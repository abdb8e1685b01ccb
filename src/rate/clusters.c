#include "rate/clusters.h"

#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"

int clusters_new(struct clusters *c, const struct regret_rate_rows *rows, size_t n_members)
{
    memset(c, 0, sizeof *c);
    if (rows->n_clusters == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&c->of, n_members));
    TRY(REGRET_NEW(&c->seen, rows->n_clusters));
    memset(c->seen, 0xFF, rows->n_clusters * sizeof *c->seen);
    return REGRET_OK;
}

void clusters_free(struct clusters *c)
{
    regret_free(c->of);
    regret_free(c->seen);
    memset(c, 0, sizeof *c);
}

void clusters_number(struct clusters *c, const struct regret_rate_rows *rows, const size_t *members,
                     size_t n, enum regret_rate_clusters which)
{
    c->n = n;
    c->matter = 0;
    if (c->of == NULL || which == REGRET_CLUSTERS_NONE) {
        return;
    }
    uint32_t found = 0, named = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t name = rows->cluster[members[k]];
        uint32_t *number = name != REGRET_RATE_NO_CLUSTER ? &c->seen[name] : &c->of[k];
        if (number == &c->of[k] || *number == REGRET_RATE_NO_CLUSTER) {
            named += name != REGRET_RATE_NO_CLUSTER;
            *number = found++;
        }
        c->of[k] = *number;
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t name = rows->cluster[members[k]];
        if (name != REGRET_RATE_NO_CLUSTER) {
            c->seen[name] = REGRET_RATE_NO_CLUSTER;
        }
    }
    c->n = found;
    c->matter = found < n && (named > 1 || which == REGRET_CLUSTERS_ALWAYS);
}
