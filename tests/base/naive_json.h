/* JSON read the plain way, a byte at a time by the grammar of RFC 8259, without a look at src/base: what
 * the tokeniser and the reader of documents are held against. */
#ifndef REGRET_TESTS_BASE_NAIVE_JSON_H
#define REGRET_TESTS_BASE_NAIVE_JSON_H

#include <stddef.h>

#include "regret/buffer.h"

/* 1 where the text is one JSON value as the project reads it: at most 64 levels, no key twice, numbers of
 * at most 63 bytes that a double holds, no \u0000 and no half surrogate pair; or, importing, with NaN,
 * Infinity and -Infinity as null and such escapes as U+FFFD. `out` then holds the value in the form of
 * naive_json_print(). */
int naive_json_read(struct regret_buffer *out, const char *text, size_t length, int importing);

/* A tree in a form that tells all of it: strings as "s" LENGTH ":" BYTES, numbers to the last bit. */
struct cJSON;
void naive_json_print(struct regret_buffer *out, const struct cJSON *value);

#endif
