/* How long rows of φ are, before they are made. */
#ifndef REGRET_EXPERIMENT_ROW_SAMPLE_H
#define REGRET_EXPERIMENT_ROW_SAMPLE_H

#include "experiment/features/cell_cost.h"

/* By φ of a few pairs, evenly from the set; `texts` of all its pairs (NULL: of none), and of its contexts. */
int row_sample(struct row_sizes *out, const struct feature_set *set, const char *const *texts,
               const char *const *context_texts);

#endif
