/* The columns of contexts as numbers for φ. */
#ifndef REGRET_EXPERIMENT_COVARIATES_H
#define REGRET_EXPERIMENT_COVARIATES_H

#include "regret/buffer.h"
#include "regret/matrix.h"
#include "regret/pool.h"

/* contexts of the grid × what its pool's columns become, in their order: a number is one column, standardised over the
 * grid's contexts that have it (mean 0, deviation 1 with divisor n; zero where they all have the same), zero in those that
 * lack it, and where these are OWN_LEAST_BLANKS or more a second one, 1 there, 0 elsewhere; a word is a column for
 * each of its different words, by first appearance, of value 1 in the rows that have it. NULL where the pool has no columns. */
int covariates_encode(struct regret_csr **out, const struct regret_grid *grid);

/* Appends the names of these, a list of JSON: "words", "language=en" of a word, "words=" of its lack. */
void covariates_names(struct regret_buffer *out, const struct regret_grid *grid);

#endif
