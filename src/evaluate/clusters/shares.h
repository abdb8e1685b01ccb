/* Does the share of a kind of rows move with something? By clusters. */
#ifndef REGRET_EVALUATE_CLUSTERS_SHARES_H
#define REGRET_EVALUATE_CLUSTERS_SHARES_H

#include <stddef.h>

#include "evaluate/clusters/clusters.h"

/* The kind of a row and how much it counts: `value` of a centred covariate, or one. */
struct share_row {
    size_t kind; /* (size_t)-1: the row is left out */
    double value;
};
typedef struct share_row share_of(const void *context, size_t row);

/* Of n kinds, with π_k the share of rows that are of kind k: S_k = Σ_i v_i (1{k_i = k} − π_k), and its variance over clusters,
 * Σ_g (a_gk − π_k b_g)² with a the cluster's sum of v of the kind and b that of all. */
struct shares {
    size_t n, rows, clusters;
    size_t *count;    /* [n] rows of a kind */
    double *sum;      /* [n] S_k */
    double *variance; /* [n], times G/(G − 1); NaN of one cluster */
};

int shares_gather(struct shares *out, size_t n, const struct cluster_order *order,
                  enum regret_log_source source, share_of *of, const void *context);
void shares_free(struct shares *shares);

#endif
