/* Comparing pieces of text. */
#ifndef REGRET_BASE_SPANS_H
#define REGRET_BASE_SPANS_H

#include <string.h>

#include "regret/span.h"

static inline int span_is(struct regret_span a, const char *word)
{
    return a.length == strlen(word) && memcmp(a.text, word, a.length) == 0;
}

static inline int span_equal(struct regret_span a, struct regret_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

#endif
