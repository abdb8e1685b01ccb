/* The JSON of score rows, token by token, without building a tree. Reading a token checks it to its
 * last byte: 1, or 0 for what is malformed or beyond these plain means. Passing one only finds where
 * it ends. */
#ifndef REGRET_RATE_TOKENISER_H
#define REGRET_RATE_TOKENISER_H

#include <string.h>

#include "regret/rate.h"

struct tokeniser {
    const char *at, *end;
};

/* The string at t->at, between its quotes; *escaped says whether it holds escapes (then the span is
 * not its value). */
int token_string(struct tokeniser *t, struct regret_span *out, int *escaped);
/* A number, correctly rounded as strtod() has it; 0 also for one that this way cannot round. */
int token_number(struct tokeniser *t, double *out);

/* One of the words true, false, null, NaN, … Inline: the length is then known to the compiler. */
static inline int token_word(struct tokeniser *t, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0) {
        return 0;
    }
    t->at += length;
    return 1;
}

/* Past the white space of JSON. */
static inline void token_space(struct tokeniser *t)
{
    while (t->at < t->end && (unsigned char)*t->at <= ' ' &&
           (*t->at == ' ' || *t->at == '\n' || *t->at == '\t' || *t->at == '\r')) {
        t->at++;
    }
}

/* The same from p on. */
const char *pass_space(const char *p, const char *end);
/* Behind the string at p; NULL when it does not end. */
const char *pass_string(const char *p, const char *end);
/* Behind the value at p, and into *deepest (may be NULL) how deep it nests, where NaN and Infinity
 * count as the empty arrays that they are read as; NULL when it does not end. */
const char *pass_value(const char *p, const char *end, size_t *deepest);

static inline int span_is(struct regret_span a, const char *word)
{
    return a.length == strlen(word) && memcmp(a.text, word, a.length) == 0;
}

static inline int span_equal(struct regret_span a, struct regret_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

#endif
