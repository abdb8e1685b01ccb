/* The plain subset of JSON that score rows are made of, scanned without building a tree. Every
 * function returns 1, or 0 for "unusual, let the full parser look": 0 is never an error by itself,
 * and 1 is promised only for text that row_parse() accepts with the same meaning. */
#ifndef REGRET_RATE_SCAN_H
#define REGRET_RATE_SCAN_H

#include <string.h>

#include "regret/json.h"
#include "regret/rate.h"

struct scan {
    const char *at, *end;
};

/* The string at s->at, between its quotes; *escaped says whether it holds escapes (then the span is
 * not its value). */
int scan_string(struct scan *s, struct regret_span *out, int *escaped);
/* A key or a short value: a string without escapes. */
int scan_word(struct scan *s, struct regret_span *out);
/* A number, correctly rounded as strtod() has it. */
int scan_number(struct scan *s, double *out);
/* One of the words true, false and null. */
int scan_literal(struct scan *s, const char *word, size_t length);
/* Passes over a string, number or literal. */
int scan_scalar(struct scan *s);
void scan_space(struct scan *s);
/* After a member: 1 at the comma (now behind it), 2 at the closing brace (likewise). */
int scan_next_member(struct scan *s);

/* Inline: the length of a literal word is then known to the compiler. */
static inline int span_is(struct regret_span a, const char *word)
{
    return a.length == strlen(word) && memcmp(a.text, word, a.length) == 0;
}

static inline int span_equal(struct regret_span a, struct regret_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* What a row's text is read into, and by which names. */
struct row_reader {
    struct regret_span z_field; /* ends with a zero */
    struct regret_rate_row row;
    struct cJSON *tree; /* what the row borrows from, on the slow path; owned */
    char id[32];        /* an id given as a number */
    char *mended;       /* see row_mend(); owned */
    size_t mended_capacity;
};

/* Both fill reader->row from one line (no line end). The quick one returns 1, or 0 for "unusual";
 * the careful one 0 or a negative code with a message that names `at`. */
int row_scan(struct row_reader *reader, const char *line, size_t length);
int row_parse(struct row_reader *reader, const char *line, size_t length, struct regret_place at);
void row_reader_clear(struct row_reader *reader); /* what the row borrows from */
void row_reader_free(struct row_reader *reader);  /* all of it */

/* Replaces what Python writes and JSON does not have by what the row readers understand, byte for
 * byte as long: NaN, Infinity and -Infinity by an empty array, which they take for "nothing" (as a
 * score: for "not a number"); escapes that stand for no character (\u0000, half a surrogate pair)
 * by U+FFFD. *line then points to a copy that the reader owns. */
int row_mend(struct row_reader *reader, const char **line, size_t length);

/* true and false in any case; 0 and 1. Anything else is not boolean. */
enum regret_rate_label label_of_word(struct regret_span word);
enum regret_rate_label label_of_number(double value);

/* The side of a key of completions or scores, in either layout; -1 for another key. */
int side_of_key(struct regret_span key);

#endif
