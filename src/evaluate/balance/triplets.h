/* Features of rows, gathered as places of a matrix of units. */
#ifndef REGRET_EVALUATE_BALANCE_TRIPLETS_H
#define REGRET_EVALUATE_BALANCE_TRIPLETS_H

#include <stddef.h>

#include "evaluate/balance/assignment.h"
#include "regret/matrix.h"

/* Units × dimensions; a unit of several rows has their mean. NULL `x`: there is nothing of the kind. */
struct block {
    struct regret_csr *x;
    size_t *source; /* [dimensions] what one is of: tag, covariate; of words the place of a term */
};

void block_free(struct block *block);

struct triplets {
    const struct assignment *assignment; /* borrowed */
    size_t n, capacity[3];
    size_t *unit, *dimension;
    double *value;
};

/* Adds a row's value to its unit, over the unit's rows; nothing where the unit is not in the sample. */
int triplets_add(struct triplets *t, size_t row, size_t dimension, double value);
/* The matrix, and `source` [dimensions] (taken over); frees the triplets whatever happens. */
int triplets_take(struct block *out, struct triplets *t, size_t dimensions, size_t *source);
void triplets_free(struct triplets *t);

#endif
