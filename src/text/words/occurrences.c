#include "text/words/occurrences.h"

#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "text/words/keys.h"

static int occurrence_compare(const void *a, const void *b)
{
    const struct occurrence *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->position > y->position) - (x->position < y->position);
}

int occurrences_build(struct occurrences *out, const struct regret_tokens *tokens, int order)
{
    FREED_BY(occurrences_free) struct occurrences o = {NULL, NULL};
    size_t n = tokens->n_texts, count = 0;
    TRY(REGRET_NEW(&o.start, n + 1));
    TRY(REGRET_NEW(&o.item, tokens->start[n]));
    for (size_t i = 0; i < n; i++) {
        const uint64_t *hash = tokens->hash + tokens->start[i];
        size_t length = tokens->start[i + 1] - tokens->start[i];
        for (size_t t = 0; t + (size_t)order <= length; t++) {
            uint64_t key = order == 1 ? hash[t] : key_bigram(hash[t], hash[t + 1]);
            o.item[count++] = (struct occurrence){key, t};
        }
        o.start[i + 1] = count;
        qsort(o.item + o.start[i], count - o.start[i], sizeof *o.item, occurrence_compare);
    }
    *out = o;
    memset(&o, 0, sizeof o); /* handed on */
    return REGRET_OK;
}

void occurrences_free(struct occurrences *o)
{
    regret_free(o->start);
    regret_free(o->item);
    *o = (struct occurrences){NULL, NULL};
}

size_t occurrences_find(const struct occurrence **first, const struct occurrences *o, size_t text,
                        uint64_t key)
{
    size_t low = o->start[text], end = o->start[text + 1];
    /* By halves, without a branch that cannot be foreseen. */
    for (size_t left = end - low, half; left > 0; left -= half) {
        half = (left + 1) / 2;
        low += o->item[low + half - 1].key < key ? half : 0;
    }
    size_t n = 0;
    while (low + n < end && o->item[low + n].key == key) {
        n++;
    }
    *first = o->item + low;
    return n;
}
