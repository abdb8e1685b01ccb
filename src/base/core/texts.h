/* Arrays of texts, each owned. */
#ifndef REGRET_BASE_TEXTS_H
#define REGRET_BASE_TEXTS_H

#include <stddef.h>

/* Frees n texts and their array; NULL is fine, for either. */
void texts_free(char **texts, size_t n);

#endif
