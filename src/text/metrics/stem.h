/* Porter's stemmer. */
#ifndef REGRET_TEXT_STEM_H
#define REGRET_TEXT_STEM_H

#include <stddef.h>

/* Cuts a word of n characters a-z and 0-9 where it stands; returns its new length, at most n. M. F. Porter, "An
 * algorithm for suffix stripping", Program 14, 1980, with the departures of NLTK 3.8 (nltk/stem/porter.py,
 * NLTK_EXTENSIONS). */
size_t stem_word(char *word, size_t n);

#endif
