/* Arrays of texts. */
#ifndef REGRET_BASE_TEXTS_H
#define REGRET_BASE_TEXTS_H

#include <stddef.h>
#include <string.h>

/* The first of n texts that is this one; n: none is. */
static inline size_t texts_find(const char *const *texts, size_t n, const char *text)
{
    size_t i = 0;
    while (i < n && strcmp(texts[i], text) != 0) {
        i++;
    }
    return i;
}

/* 1 where one of them is. */
static inline int texts_have(const char *const *texts, size_t n, const char *text)
{
    return texts_find(texts, n, text) < n;
}

/* Frees n texts, each owned, and their array; NULL is fine, for either. */
void texts_free(char **texts, size_t n);

#endif
