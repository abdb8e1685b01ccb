/* A classifier of texts: ridge on hashed words, fitted on labelled texts. */
#ifndef REGRET_RATE_LABEL_RIDGE_H
#define REGRET_RATE_LABEL_RIDGE_H

#include <stddef.h>
#include <stdint.h>

/* Fits label[i] (0 or 1) on text[i], i < n, and writes to score[j] the prediction for target[j],
 * j < n_targets: 1/2 and above means 1. *agreement is the share of the labels that predictions
 * cross-fitted on five folds (row i in fold i mod 5) repeat. Hashed token counts in 1,024 buckets,
 * unit rows, penalty 1, an unpenalised intercept. O(1024³ + n · words²). */
int label_ridge(double *score, double *agreement, const char *const *text, const uint8_t *label,
                size_t n, const char *const *target, size_t n_targets);

#endif
