/* Strata of contexts within which agents are compared where pairs are unobserved. */
#ifndef REGRET_EXPERIMENT_RUN_HOLES_H
#define REGRET_EXPERIMENT_RUN_HOLES_H

#include "experiment/features/feature_set.h"

/* (*out)[x], below *n_out: the tags or, where words tell besides how many agents are observed on a context, five parts by what they
 * tell. `by` is "tags", "words" or "none". The caller frees *out. */
int run_strata(uint32_t **out, size_t *n_out, const char **by, const struct feature_set *set);

#endif
