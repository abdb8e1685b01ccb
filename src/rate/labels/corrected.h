/* One effect of a sample whose W is known in part, and predicted everywhere. */
#ifndef REGRET_RATE_CORRECTED_H
#define REGRET_RATE_CORRECTED_H

#include "regret/rate.h"

/* The n labelled rows first, then the others. */
struct labelled_sample {
    size_t n, n_more; /* both at least 1, n at least 2 */
    double *w;        /* W, of the first n */
    double *p;        /* Ŵ of all, within 0 and 1 */
    double *x; /* what the effect is made of: O, or a difference of rewards that does not know W */
    const uint32_t *cluster; /* of all, below n_clusters; NULL: every row is drawn by itself */
    size_t n_clusters;
    double *room; /* CORRECTED_ROOM numbers a cluster; NULL without clusters */
};
enum { CORRECTED_ROOM = 6 };

struct corrected_effect {
    double lambda, estimate, se, labelled, labelled_se, df;
    size_t
        n_clusters; /* behind it, of labelled and predicted rows; rows where they are independent */
    const char *missing; /* static text: only `labelled` and n_clusters are there; or NULL */
};

/* By the formulas at regret_rate_correct_w(), with the best λ, or with `fixed_lambda` where that is not
 * NaN. Not finite where M(W) or M(1 − W) is zero.
 * O(rows + clusters). */
struct corrected_effect correct_effect(const struct labelled_sample *s,
                                       enum regret_rate_effect_kind kind, int contrastive,
                                       double fixed_lambda);

#endif
