#include "text/words/occurrences.h"

#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/parallel.h"
#include "text/words/keys.h"

static int occurrence_compare(const void *a, const void *b)
{
    const struct occurrence *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->position > y->position) - (x->position < y->position);
}

struct indexing {
    struct occurrences *to;
    const struct regret_tokens *tokens;
    size_t order;
};

static int index_text(void *context, size_t i, size_t worker)
{
    const struct indexing *x = context;
    const uint64_t *hash = x->tokens->hash + x->tokens->start[i];
    struct occurrence *item = x->to->item + x->to->start[i];
    size_t n = x->to->start[i + 1] - x->to->start[i];
    (void)worker;
    for (size_t t = 0; t < n; t++) {
        item[t] =
            (struct occurrence){x->order == 1 ? hash[t] : key_bigram(hash[t], hash[t + 1]), t};
    }
    qsort(item, n, sizeof *item, occurrence_compare);
    return REGRET_OK;
}

int occurrences_build(struct occurrences *out, const struct regret_tokens *tokens, int order)
{
    FREED_BY(occurrences_free) struct occurrences o = {NULL, NULL};
    struct indexing x = {&o, tokens, (size_t)order};
    size_t n = tokens->n_texts;
    TRY(REGRET_NEW(&o.start, n + 1));
    for (size_t i = 0; i < n; i++) {
        size_t length = tokens->start[i + 1] - tokens->start[i];
        o.start[i + 1] = o.start[i] + (length < x.order ? 0 : length - x.order + 1);
    }
    TRY(REGRET_NEW(&o.item, o.start[n]));
    TRY(regret_parallel_for(n, regret_threads_allowed(), index_text, &x));
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
