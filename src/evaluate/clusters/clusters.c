#include "evaluate/clusters/clusters.h"

#include "base/core/try.h"
#include "regret/alloc.h"

/* Counts rows a cluster into start[c + 1]. */
static void count(struct cluster_order *order, const struct regret_log *log)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            order->start[log->rows[s].cluster[i] + 1]++;
        }
    }
    for (size_t c = 0; c < order->n_clusters; c++) {
        order->start[c + 1] += order->start[c];
    }
}

/* Puts every row at the next place of its cluster; start[c] then is where cluster c + 1 begins, and is moved up by one. */
static void place_rows(struct cluster_order *order, const struct regret_log *log)
{
    uint32_t number = 0;
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            order->place[order->start[log->rows[s].cluster[i]]++] = number++;
        }
    }
    for (size_t c = order->n_clusters; c > 0; c--) {
        order->start[c] = order->start[c - 1];
    }
    order->start[0] = 0;
}

int cluster_order_build(struct cluster_order *out, const struct regret_log *log)
{
    size_t n = log->rows[REGRET_LOG_OBS].n + log->rows[REGRET_LOG_EXP].n;
    FREED_BY(cluster_order_free)
    struct cluster_order order = {.n_clusters = log->n_clusters,
                                  .n_obs = log->rows[REGRET_LOG_OBS].n};
    if (n > UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu rows in OBS and EXP together; evaluate a part of below 2^32", n);
    }
    TRY(REGRET_NEW(&order.start, order.n_clusters + 1));
    TRY(REGRET_NEW(&order.place, n));
    count(&order, log);
    place_rows(&order, log);
    *out = order;
    order = (struct cluster_order){0};
    return REGRET_OK;
}

void cluster_order_free(struct cluster_order *order)
{
    regret_free(order->start);
    regret_free(order->place);
    *order = (struct cluster_order){0};
}
