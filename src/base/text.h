/* Texts: UTF-8, names of files, paths, lines that fit, stores of many. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* Names: of what a program registers with the library, and those that are known to none. */

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

/* A text that was built and is done with. */

/* Hands the text over, "" where it is empty, to be freed with regret_free(), or what made it fail; the buffer is as new. */
int text_take(char **out, struct regret_buffer *text);
/* Frees a text of which another thing was made; the sticky status of that takes its failure. */
void text_free_into(int *status, struct regret_buffer *text);

/* Names of files: their last parts, and which patterns they match. */

/* What stands behind the last slash; the whole without one. Borrowed. */
const char *path_last(const char *path);

/* A file in the folder of another: what stands before the last slash of `path`, the slash too, and the name. */
int path_beside(char **out, const char *path, const char *name);

/* 1 where one of n shell patterns matches the name. */
int name_matches(const char *const *patterns, size_t n, const char *name);

/* Comparing and measuring pieces of text. */

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

/* Paragraphs in lines of whole words. */

struct text_margins {
    size_t columns;     /* of a line, its indent included; a longer word stands alone on its line */
    size_t first, rest; /* blanks before the first line and before the others */
};

/* Appends the words of `text`, which blanks part, in lines that each end in a newline; nothing of a text without words. */
void text_wrap(struct regret_buffer *out, const char *text, const struct text_margins *margins);

/* How many lines of the text are at their end. */
size_t text_count_lines(const struct regret_buffer *text);

/* Appends a text of lines, of which those wider than `columns` are wrapped, what follows indented by two blanks more. */
void text_wrap_wide(struct regret_buffer *out, const char *text, size_t columns);

/* Texts that need not be in memory: those beyond the first few megabytes stand in a file without a name, mapped, of which
 * the system reads what is looked at. */

struct regret_text_store;

/* A copy of `length` bytes and a zero in *out, to be read alone, which stands as long as *store; that is made with its first
 * text. The file is in TMPDIR, else /var/tmp; REGRET_E_IO: it cannot be made or written. */
int text_store_add(char **out, struct regret_text_store **store, const char *text, size_t length);

/* Says that a text was read: after so many, what stands in the file is let go from memory. NULL is fine, and so is a text
 * of another place. */
void text_store_pass(struct regret_text_store *store, const char *text);

void text_store_free(struct regret_text_store *store);

#endif
