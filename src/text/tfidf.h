/* TF-IDF, embeddings and columns of one's own. */
#ifndef TEXT_TFIDF_H
#define TEXT_TFIDF_H

#include <stddef.h>

#include "regret/design.h"

enum { OWN_COLUMNS_RANK = 32 };

/* From so many rows on that lack a number, a column says which they are. */
enum { OWN_LEAST_BLANKS = 10 };
/* Of the numbers of n rows, NaN where one is not known: mean and deviation (divisor: how many are known), 0 where all are
 * alike to rounding; and how many are not known. */
struct own_moments {
    double mean, sd;
    size_t blank;
};
struct own_moments own_moments(const double *value, size_t n);

/* A number v stands as v/√2 and as steps, whether v reaches each of its octiles: what decides may be a threshold. Steps have
 * together the variance that v/√2 has: ½. */
enum { OWN_STEPS = 7, OWN_OF_NUMBER = 1 + OWN_STEPS };
struct own_number {
    double cut[OWN_STEPS], share[OWN_STEPS], scale;
};
/* Of all n values, ascending. */
void own_number_cut(struct own_number *out, const double *sorted, size_t n);
void own_number_put(double out[OWN_OF_NUMBER], const struct own_number *number, double v);

/* k(x) of every context, contexts × *rank, column-major, to be freed with regret_free(), of columns as φ has them: numbers
 * standardised, with an element in every row, and words one-hot. Nothing where `columns` is NULL or all contexts are alike. */
int own_columns_make(double **out, size_t *rank, const struct regret_csr *columns);

#endif
