/* Outcome on choice between two agents and all that is recorded, as sums of products. */
#ifndef REGRET_EVALUATE_SENSITIVITY_REGRESSION_H
#define REGRET_EVALUATE_SENSITIVITY_REGRESSION_H

#include <stddef.h>

#include "regret/log.h"

enum {
    REGRESSION_MAX_TAGS = 32,   /* dummies of tags; less frequent ones share the last */
    REGRESSION_MAX_WORDS = 12,  /* likewise of a covariate of words */
    REGRESSION_MAX_COLUMNS = 16 /* covariates, the first ones */
};

/* Columns that belong together: the tags, a covariate, the length of the text. */
struct column_group {
    enum column_kind { GROUP_TAGS, GROUP_COVARIATE, GROUP_LENGTH } kind;
    size_t covariate; /* of the log */
    size_t first, n;  /* columns */
};

struct regression {
    size_t n_rows;
    size_t
        m; /* columns: the intercept, D (1 for the first agent, 0 for the second), what is recorded, Y */
    double *
        gram; /* [m × m] Σ of products; numbers are standardised over contexts, missing ones are 0 then */
    size_t n_groups;
    struct column_group group[REGRESSION_MAX_COLUMNS + 2];
};

enum { REGRESSION_INTERCEPT = 0, REGRESSION_CHOICE = 1 };

/* Of the OBS rows of two agents. O(rows · (columns that a row is not zero in)²). */
int regression_build(struct regression *out, const struct regret_log *log, size_t agent,
                     size_t other);
void regression_free(struct regression *r);

#endif
