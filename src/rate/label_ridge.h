/* A classifier of texts: ridge on hashed words, fitted on labelled texts. */
#ifndef REGRET_RATE_LABEL_RIDGE_H
#define REGRET_RATE_LABEL_RIDGE_H

#include <stddef.h>
#include <stdint.h>

/* What is made of the texts. */
struct label_ridge_scores {
    double *target;    /* n_targets predictions for the targets: 1/2 and above means 1 */
    double *mean;      /* n_targets: the mean of the five folds' predictions, each within 0 and 1 */
    double *own;       /* n predictions for the labelled texts by the fold that lacks them, within 0
                          and 1 */
    const size_t *kin; /* NULL, or n_targets: the text that target j was made from, or another row's
                          number: mean[j] is then of the one fit that lacks its fold */
    double agreement;  /* the share of the labels that `own` repeats */
};

/* Fits label[i] (0 or 1) on text[i], i < n, and predicts. Row i is in fold i mod 5. Hashed token counts in 1,024 buckets,
 * unit rows, penalty 1, an unpenalised intercept. O(1024³ + n · words²). */
int label_ridge(struct label_ridge_scores *out, const char *const *text, const uint8_t *label,
                size_t n, const char *const *target, size_t n_targets);

#endif
