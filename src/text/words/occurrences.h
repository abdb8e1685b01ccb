/* Where every token (or bigram) stands in every text: the index behind all overlap measures. */
#ifndef REGRET_TEXT_OCCURRENCES_H
#define REGRET_TEXT_OCCURRENCES_H

#include <stddef.h>
#include <stdint.h>

#include "regret/text.h"

struct occurrence {
    uint64_t key;    /* token hash or key_bigram() */
    size_t position; /* of its first token within the text */
};

struct occurrences {
    size_t *start;           /* n_texts + 1 offsets into item; owned */
    struct occurrence *item; /* per text sorted by key, then position; owned */
};

/* Indexes tokens (order 1) or bigrams (order 2) of all texts. */
int occurrences_build(struct occurrences *out, const struct regret_tokens *tokens, int order);
void occurrences_free(struct occurrences *o);

/* The occurrences of `key` in a text: their number, and the first one (lowest position) in *first.
 * O(log tokens + number). */
size_t occurrences_find(const struct occurrence **first, const struct occurrences *o, size_t text,
                        uint64_t key);

#endif
