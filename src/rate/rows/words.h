/* Words of a text: runs of anything but white space. */
#ifndef REGRET_RATE_WORDS_H
#define REGRET_RATE_WORDS_H

#include <stddef.h>

#include "regret/rate.h"

/* The next word at or after *at; text == NULL when there is none. *at moves behind it. */
struct regret_span next_token(const char **at);
/* How many of these a text has; most + 1 where there are more than `most`. */
size_t count_tokens(const char *text, size_t most);

/* 1 for a text whose first character is one of aeiouAEIOU, else 0. */
int starts_with_vowel(const char *text);

#endif
