/* Comparing and measuring pieces of text. */
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

/* Characters of a UTF-8 text. */
static inline size_t count_characters(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return n;
}

#endif
