/* What is known of a request beside its text and its tag, as numbers: every own column as features of mean zero. */
#ifndef REGRET_MODEL_OWN_H
#define REGRET_MODEL_OWN_H

#include "regret/model.h"
#include "text/features/own_columns.h"

/* A number is one column v (less the mean over the contexts that have it, over its deviation; 0 where it is blank) as v/√2
 * and steps at its octiles, as own_columns.h has it, and one more where OWN_LEAST_BLANKS contexts or more lack it: 1 in
 * those; a word is one column each. All less their means over the contexts. */
struct model_column {
    char *name;      /* owned */
    size_t first, n; /* of its features */
    char **word;     /* [n], of a column of words; NULL: of numbers; owned, and each */
    double *share;   /* [n], of the contexts that have the word; owned */
    double mean, sd,
        blank; /* of numbers; sd 0: all are alike; blank: the share that lacks it, 0 without a column for it */
    double least, most; /* v of the contexts; what is farther away is as far */
    struct own_number number;
};
struct model_columns {
    size_t n, features;
    struct model_column *item; /* owned */
};

/* Of the contexts of the data. REGRET_E_INPUT: more than REGRET_MODEL_MAX_TAGS features. */
int model_columns_make(struct model_columns *out, const struct regret_model_data *data);
void model_columns_free(struct model_columns *columns);

/* 1 where a value is told, and is none of a word that no context had. */
int model_column_knows(const struct model_column *column, const struct regret_covariate *value);
/* 1 where a number lies beyond those of the contexts. */
int model_column_is_far(const struct model_column *column, const struct regret_covariate *value);
/* The features of a request, [columns->features]: 0, their mean, where a column is not known. Returns notes on it. */
unsigned model_columns_read(double *out, const struct model_columns *columns,
                            const struct regret_covariate *values);

#endif
