/* Texts read piece by piece, and arrays too long for a tree. */
#ifndef BASE_JSON_ARRAY_H
#define BASE_JSON_ARRAY_H

#include <stddef.h>

#include "base/json.h"

/* Where somebody is who reads a text piece by piece. */
struct json_cursor {
    struct regret_jsonl *reader; /* nothing of it handed out yet; borrowed */
    struct regret_place at;      /* of the next byte; line 0 before the first; `file` is borrowed */
    size_t column;               /* of it, from 1 */
};

/* Past a byte order mark, to line 1. */
void json_cursor_begin(struct json_cursor *c);
/* Hands out the next n bytes, which were read, and counts the lines and columns that they take; they stay where they are until more is
 * read. */
void json_cursor_take(struct json_cursor *c, size_t n);
/* The next byte that is not white space, not handed out; -1 at the end of the file. */
int json_cursor_peek(int *byte, struct json_cursor *c);
/* Looks for the end of the value that the next byte begins, *length bytes on; *end is the byte after it, one of `ends`, 0 where the file
 * ends first. REGRET_E_INPUT: more than REGRET_JSONL_MAX_LINE bytes of `what`. */
int json_cursor_find_end(size_t *length, char *end, struct json_cursor *c, const char *ends,
                         const char *what);

/* The elements of a JSON array of any length, one after the other in the memory of one. */

struct cJSON;

/* Only where an element ends is found out here, by its tokens: its text is the parser's to judge, and
 * between texts that it accepts stand commas and nothing else, so that what is read in parts is what
 * would be read at once. */
struct json_array {
    struct json_cursor text;
    enum { JSON_ARRAY_GOES_ON, JSON_ARRAY_CLOSED, JSON_ARRAY_CUT, JSON_ARRAY_OVER } state;
};

/* The next element as a value, to be freed with cJSON_Delete(), NULL at the end; `at`, the line it begins on, is set once
 * it is known. REGRET_E_INPUT: the element's own text, after which the next one can be read; no array, one that is not
 * closed, a comma too many, text after it, an element of more than REGRET_JSONL_MAX_LINE bytes, after which the state is
 * JSON_ARRAY_OVER. */
int json_array_next(struct json_array *array, struct cJSON **value, struct regret_place *at);

#endif
