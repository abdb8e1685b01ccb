/* Labels by a classifier. */
#ifndef RATE_LABELS_H
#define RATE_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/rate.h"

/* The classifiers of W that a user can name. */

enum classifier_kind { CLASSIFIER_LENGTH, CLASSIFIER_SCORE, CLASSIFIER_TEXT };
struct classifier {
    enum classifier_kind kind;
    uint32_t model;   /* of a score */
    double threshold; /* not of a text */
};

/* "length:T", "score:MODEL:T" or "text" (see regret_rate_predict_w()); refused where it wants what the
 * rows do not have: texts, or scores of the model. */
int classifier_parse(struct classifier *out, const struct regret_rate_rows *rows,
                     const char *classifier);
/* What one of the first two makes of a text of row i: NaN where it is not there. */
double classifier_value(const struct classifier *c, const struct regret_rate_rows *rows, size_t i,
                        int side);

/* A classifier of texts: ridge on hashed words, fitted on labelled texts. */

/* What is made of the texts. */
struct label_ridge_scores {
    double *target; /* n_targets predictions for the targets: 1/2 and above means 1 */
    double *mean;   /* n_targets: the mean of the five folds' predictions, each within 0 and 1 */
    double *own;    /* n predictions for the labelled texts by the fold that lacks them, within 0
                          and 1 */
    const size_t
        *family; /* n, from 0 in the order of their first text: texts that depend on each other
                             share one, and so a fold; NULL: each text has its own */
    const size_t
        *sibling; /* NULL, or n_targets: a text of the same family as target j, whose fit mean[j]
                             is then of; LABEL_RIDGE_NO_SIBLING: none */
    double agreement; /* the share of the labels that `own` repeats */
};

/* Fits label[i] (0 or 1) on text[i], i < n, and predicts. Family i is in fold i mod 5. Hashed token counts in 1,024 buckets,
 * unit rows, penalty 1, an unpenalised intercept. O(1024³ + n · words²). */
int label_ridge(struct label_ridge_scores *out, const char *const *text, const uint8_t *label,
                size_t n, const char *const *target, size_t n_targets);

/* The labelled texts of one fit, those that it shall judge, and what comes out. */
struct label_ridge_texts {
    const char **text, **target; /* borrowed texts */
    uint8_t *label;
    size_t *place, *target_place; /* what the caller knows them by */
    size_t *family, *sibling;     /* as of the scores */
    size_t n, n_ones, n_targets;  /* set to 0 to begin anew */
    struct label_ridge_scores scores;
};

/* Room for so many. Free it even after a failure. */
int label_ridge_texts_new(struct label_ridge_texts *t, size_t most, size_t most_targets);
void label_ridge_texts_free(struct label_ridge_texts *t);
void label_ridge_add(struct label_ridge_texts *t, const char *text, uint8_t label, size_t family,
                     size_t place);
void label_ridge_add_target(struct label_ridge_texts *t, const char *text, size_t sibling,
                            size_t place);
/* label_ridge() of them; *learnable is 0, and nothing is judged, where a label has fewer than two texts. */
int label_ridge_fit(int *learnable, struct label_ridge_texts *t);

#endif
