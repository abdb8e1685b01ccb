/* Metrics of texts. */
#ifndef TEXT_METRICS_H
#define TEXT_METRICS_H

#include <stddef.h>

/* The score of `output` by the metric of that name; both texts are UTF-8 (bytes that are not stand for U+FFFD). REGRET_E_INPUT: there is no
 * such metric; the message lists them. O(n log n) of n bytes; of rouge-l the product of the numbers of words
 * over 64. */
int regret_metric_score(double *out, const char *name, const char *output, const char *reference);
/* The same against n >= 1 references. */
int regret_metric_score_any(double *out, const char *name, const char *output,
                            const char *const *references, size_t n);
/* The name of metric i, from 0; NULL behind the last. */
const char *regret_metric_name(size_t i);

/* pass@k, the probability that one of k outputs drawn without replacement of n is right, `right` of them being so:
 * 1 − C(n − right, k)/C(n, k), the unbiased estimator of Chen and others ("Evaluating large language models trained
 * on code", 2021). NaN unless 1 <= k <= n and right <= n. O(k). */
double regret_pass_at_k(size_t n, size_t right, size_t k);

#endif
