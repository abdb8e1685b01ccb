/* Proxies kept from one replicate to the next. A proxy of the two SVD kinds is a pure function of the feature set, the
 * labels, the options and how often each pair is in OBS, and cells that differ in n_exp alone have the same
 * OBS; predicted labels also depend on the coordinates of φ, which EXP has a part in, and are never kept. */
#ifndef REGRET_EXPERIMENT_PROXY_MEMO_H
#define REGRET_EXPERIMENT_PROXY_MEMO_H

#include "experiment/features/feature_set.h"
#include "regret/proxy.h"

/* The proxies of the last folds that one thread has fitted; zeroed: none. */
struct proxy_memo {
    struct kept_proxy *kept; /* [room], the oldest of them is replaced */
    size_t room, oldest;
};

/* Room for as many proxies as a cell has folds; none where they are more than PROXY_MEMO_FOLDS, which would hold
 * too much memory: P × (dim + labels + 1) numbers each. */
enum { PROXY_MEMO_FOLDS = 10 };
int proxy_memo_create(struct proxy_memo *memo, size_t folds);
void proxy_memo_clear(struct proxy_memo *memo);

/* regret_proxy_fit(), unless the memo (NULL: none) holds what would come of it, bit for bit. The features are
 * those that the terms and statistics of the source belong to. */
int proxy_memo_fit(double *z, size_t *dim, struct proxy_memo *memo,
                   const struct feature_set *features, const struct regret_proxy_source *source,
                   const double *count, const struct regret_proxy_options *options);

#endif
