/* The classifiers of W that a user can name. */
#ifndef REGRET_RATE_CLASSIFIER_H
#define REGRET_RATE_CLASSIFIER_H

#include "regret/rate.h"

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

#endif
