/* Advice beside the answer. */
#ifndef REPORT_ADVICE_H
#define REPORT_ADVICE_H

#include <stddef.h>

#include "value/deciding.h"

struct recommend;

struct picked_word {
    char *word;   /* owned */
    double share; /* of the fits of mixed that picked it */
};

struct picked_words {
    struct picked_word *items; /* the most frequent first; owned */
    size_t n;
};

/* Of a source's choices on held-out contexts; nothing of a run whose contexts have no own columns. */
int picked_columns(struct regret_buffer *out, const struct recommend *s, size_t source,
                   deciding_writer *write);

#endif
