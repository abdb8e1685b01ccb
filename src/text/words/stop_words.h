/* The English function words that TF-IDF leaves out. */
#ifndef REGRET_TEXT_STOP_WORDS_H
#define REGRET_TEXT_STOP_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Their token hashes in ascending order, a fresh array for the caller. */
int stop_word_hashes(uint64_t **out, size_t *n);

#endif
