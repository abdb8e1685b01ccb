/* A replicate: one split of its contexts, or every fold of them (contexts.folds). */
#ifndef REGRET_EXPERIMENT_CROSS_FIT_H
#define REGRET_EXPERIMENT_CROSS_FIT_H

#include "experiment/replicate/details.h"

/* What the rows of a cell at a seed say. The folds come one after the other, each in the memory of the one
 * before, and a number of the row is the mean of theirs, weighted by the contexts it is about: those of
 * the regret, or the reference ones for what is measured on values. So it is a mean over all contexts.
 * λ and α are plain means over folds; ρ, τ, the basis and the mode of cross-validation are what most folds
 * have (of equals, the first). Folds that lack a number are left out of its mean; it is NaN where all do.
 * With a single split the numbers are that split's. `details`, zeroed before, is filled where the configuration
 * wants it, and to be cleared. Adds to `effort`. */
int cross_fit(struct measures *out, struct details *details, struct effort *effort,
              const struct replicate_source *from, size_t cell, uint64_t seed);

#endif
