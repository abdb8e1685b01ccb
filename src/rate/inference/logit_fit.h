/* A logistic line with errors of clusters: the sandwich. */
#ifndef REGRET_RATE_LOGIT_FIT_H
#define REGRET_RATE_LOGIT_FIT_H

#include "regret/rate_inference.h"

/* Fits logit P(y = 1) = a + b x to choices->n rows by Newton's method and fills in intercept, slope (p: of b = 1),
 * df, n_clusters and missing of `choices`. y in [0, 1]; cluster[k] below n_clusters; `room` has two numbers for
 * each cluster. */
void logit_fit(struct regret_rate_choices *choices, const double *x, const double *y,
               const uint32_t *cluster, size_t n_clusters, double *room);

#endif
