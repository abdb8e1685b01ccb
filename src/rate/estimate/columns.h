/* The rows of one group as one reward model sees them, gathered side by side. */
#ifndef REGRET_RATE_COLUMNS_H
#define REGRET_RATE_COLUMNS_H

#include "regret/rate.h"

/* The used rows, W = 1 first, each part in the order of the table. */
struct columns {
    size_t n1, n0, n_predicted;
    int contrastive;
    int has[REGRET_N_SIDES]; /* pointwise: which sides are scored */
    int has_single, has_rate;
    double *score[REGRET_N_SIDES]; /* n1 + n0 rewards by side (pointwise only) */
    double *single, *rate;         /* n1 + n0 summands δ of the two kinds of estimators */
    double *drift;                 /* n1 + n0 values RR − O (pointwise only) */
    double *block;                 /* owns all of the above */
    size_t *row;                   /* n1 + n0: where in `members` the row stands; owned */
    size_t capacity;               /* rows that the memory has room for */
};

/* Gathers model `m` over the table rows members[0..n), n >= 1, into *c, which is zeroed or was
 * gathered before (its memory is used again). Free it with columns_free() even after a failure. */
int columns_gather(struct columns *c, const struct regret_rate_rows *rows, size_t m,
                   const size_t *members, size_t n);
void columns_free(struct columns *c);

struct clusters;
/* Bootstrap standard errors and intervals of all the models of one group: estimates[k] belongs to
 * columns[k]; n_members as above. Clusters are resampled whole where they matter. */
int columns_bootstrap(struct regret_rate_estimate *estimates, const struct columns *columns,
                      size_t n_models, const struct regret_rate_rows *rows, const size_t *members,
                      size_t n_members, const struct clusters *clusters,
                      const struct regret_rate_options *options);

#endif
