/* The rows of OBS and EXP, cluster by cluster. */
#ifndef REGRET_EVALUATE_CLUSTERS_CLUSTERS_H
#define REGRET_EVALUATE_CLUSTERS_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/log.h"

struct cluster_order {
    size_t n_clusters;
    size_t n_obs;  /* rows of OBS: row r is of OBS below it, else row r - n_obs of EXP */
    size_t *start; /* [n_clusters + 1] */
    uint32_t
        *place; /* rows of cluster c, in their order: place[start[c]] … place[start[c + 1] - 1] */
};

/* O(rows + clusters). REGRET_E_INPUT for 2^32 rows or more. */
int cluster_order_build(struct cluster_order *out, const struct regret_log *log);
void cluster_order_free(struct cluster_order *order);

static inline enum regret_log_source cluster_source(const struct cluster_order *order, size_t place)
{
    return place < order->n_obs ? REGRET_LOG_OBS : REGRET_LOG_EXP;
}

static inline size_t cluster_row(const struct cluster_order *order, size_t place)
{
    return place < order->n_obs ? place : place - order->n_obs;
}

#endif
