/* Features of texts. */
#ifndef TEXT_FEATURES_H
#define TEXT_FEATURES_H

#include "regret/text.h"

/* φ as the sum of what a pair has for itself, n_pairs x columns, and what all pairs of a context have in common,
 * contexts x columns: the context's words, its tag and its covariates. Both as of regret_features_build(), which is
 * what *of_pairs becomes where `of_contexts` is NULL. */
int features_build_parts(struct regret_csr **of_pairs, struct regret_csr **of_contexts,
                         const struct regret_pairs *pairs,
                         const struct regret_feature_options *options);

#endif
