/* A piece of text that somebody else owns. */
#ifndef REGRET_SPAN_H
#define REGRET_SPAN_H

#include <stddef.h>

/* `length` bytes, not terminated by a zero. text == NULL: absent, where absence means something. */
struct regret_span {
    const char *text;
    size_t length;
};

#endif
