/* Contexts with the same text. */
#ifndef REGRET_EVALUATE_COPIES_TEXTS_H
#define REGRET_EVALUATE_COPIES_TEXTS_H

#include "regret/log.h"

/* first[x] of every context: the first one with the same text, ASCII letters made small and white space made one blank, none at the
 * ends; x itself where it has none. *n_texts: contexts with a text. Texts are told by 64-bit hashes. O(bytes). */
int texts_find_copies(uint32_t *first, size_t *n_texts, const struct regret_log *log);
/* The same by text, tag and covariates together, of contexts that have kept them; *n_told: contexts of which there are any. */
int texts_find_alike(uint32_t *first, size_t *n_told, const struct regret_log *log);

#endif
