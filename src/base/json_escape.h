/* What Python writes into JSON and JSON does not have. */
#ifndef REGRET_SRC_BASE_JSON_ESCAPE_H
#define REGRET_SRC_BASE_JSON_ESCAPE_H

#include <stddef.h>

#include "regret/text_buffer.h"

/* The escape that begins with the backslash at p, of which n bytes are left: *length is the bytes it
 * takes, both halves of a surrogate pair together. 1 when it stands for no character that a text
 * may hold: U+0000, or half a surrogate pair. */
int json_escape_is_wrong(size_t *length, const char *p, size_t n);

/* The next fault from *p on, where *in_string says whether that is inside a string: a wrong escape, or
 * outside of strings NaN, Infinity or -Infinity. Moves *p to it and returns its length; 0 when there
 * is none. */
size_t json_next_fault(const char **p, const char *end, int *in_string);

/* Appends the text as importers read it: NaN, Infinity and -Infinity as null, wrong escapes as
 * U+FFFD. Appends nothing and leaves *changed 0 when there is nothing to change. */
void json_mend(struct regret_text *out, int *changed, const char *text, size_t length);

#endif
