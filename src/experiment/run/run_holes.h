/* Strata of contexts within which agents are compared where pairs are unobserved. */
#ifndef REGRET_EXPERIMENT_RUN_HOLES_H
#define REGRET_EXPERIMENT_RUN_HOLES_H

#include "experiment/features/feature_set.h"

/* of[x], below *n: the tags or, where words tell besides how many agents are observed on a context, five parts by what they
 * tell. `by` is "tags", "words" or "none". The caller frees *of. */
int run_strata(uint32_t **of, size_t *n, const char **by, const struct feature_set *set);

#endif
