#include "rate/estimate/clusters.h"

#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

const char MISSING_ONE_CLUSTER[] = "all rows are of one cluster, so no interval can be made; "
                                   "--cluster none takes them as independent";
const char MISSING_TOO_LARGE[] = "the scores are too large: the result overflows";

int clusters_new(struct clusters *c, size_t n_names, size_t n_members)
{
    memset(c, 0, sizeof *c);
    if (n_names == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&c->of, n_members));
    TRY(REGRET_NEW(&c->seen, n_names));
    memset(c->seen, 0xFF, n_names * sizeof *c->seen);
    return REGRET_OK;
}

void clusters_free(struct clusters *c)
{
    regret_free(c->of);
    regret_free(c->seen);
    memset(c, 0, sizeof *c);
}

void clusters_number(struct clusters *c, const uint32_t *name, const size_t *members, size_t n,
                     enum regret_rate_clusters which)
{
    c->n = n;
    c->n_named = c->matter = 0;
    if (c->of == NULL || which == REGRET_CLUSTERS_NONE) {
        return;
    }
    uint32_t found = 0, named = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t own = name[members[k]];
        uint32_t *number = own != REGRET_RATE_NO_CLUSTER ? &c->seen[own] : &c->of[k];
        if (number == &c->of[k] || *number == REGRET_RATE_NO_CLUSTER) {
            named += own != REGRET_RATE_NO_CLUSTER;
            *number = found++;
        }
        c->of[k] = *number;
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t own = name[members[k]];
        if (own != REGRET_RATE_NO_CLUSTER) {
            c->seen[own] = REGRET_RATE_NO_CLUSTER;
        }
    }
    c->n = found;
    c->n_named = named;
    c->matter = found < n && (named > 1 || which == REGRET_CLUSTERS_ALWAYS);
}

int sort_by_group(size_t **order, size_t **start, const struct regret_rate_rows *rows,
                  const struct regret_rate_options *options)
{
    size_t n = options->subset != NULL ? options->n_subset : rows->n_rows;
    size_t *begin = NULL;
    FREED size_t *sorted = NULL;
    TRY(REGRET_NEW(&sorted, n));
    TRY(REGRET_NEW(&begin, rows->n_groups + 2));
    for (size_t k = 0; k < n; k++) {
        begin[rows->group[options->subset != NULL ? options->subset[k] : k] + 2]++;
    }
    for (size_t g = 2; g < rows->n_groups + 2; g++) {
        begin[g] += begin[g - 1];
    }
    for (size_t k = 0; k < n; k++) {
        size_t i = options->subset != NULL ? options->subset[k] : k;
        sorted[begin[rows->group[i] + 1]++] = i;
    }
    *order = sorted;
    *start = begin;
    sorted = NULL;
    return REGRET_OK;
}
