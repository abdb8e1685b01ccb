/* Names: of what a program registers with the library, and those that are known to none. */
#ifndef REGRET_BASE_NAME_H
#define REGRET_BASE_NAME_H

#include <stddef.h>

/* 1 of 1 to `most` lower-case letters, digits and "-", a letter first; 0 of others and of NULL. */
int name_is_plain(const char *name, size_t most);

/* Which of n names it is, those that are NULL passed over, or, where it is none, the first of the same words between blanks
 * and ends of lines, as a table shows it; n: neither. */
size_t name_find(const char *const *names, size_t n, const char *name);

/* The known word nearest to `word` by edit distance (two neighbours that changed places are one edit), or
 * NULL when none is near enough (more than a third of its letters differ). Borrowed from `known`. */
const char *name_nearest(const char *word, const char *const *known, size_t n);

/* What is alike in names that people take for one: without blanks, dashes, zeros that lead, case of letters and Unicode form
 * (NFKC_Casefold); to be freed with free(). NULL of what is no UTF-8. */
char *name_fold(const char *name);
/* Two of the names, borrowed, that are alike so, the first that come; NULL where there are none. O(n²). */
int name_twins(const char *twin[2], const char *const *name, size_t n);
/* What is to be said of them, behind their names. */
extern const char NAME_TWINS[];

/* REGRET_E_INPUT: the word is no WHAT; with the n that are known and the nearest of them. */
int name_unknown(const char *what, const char *word, const char *const *known, size_t n);

#endif
