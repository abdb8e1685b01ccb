/* Lists of JSON on one line: the one writer of them. */
#ifndef REGRET_BASE_JSON_LIST_H
#define REGRET_BASE_JSON_LIST_H

#include "regret/buffer.h"

/* Appends element i of what a list is of. */
typedef void json_item(struct regret_buffer *t, const void *of, size_t i);

/* Appends ["a","b"]: n elements with commas between. */
void json_list(struct regret_buffer *t, size_t n, json_item *put, const void *of);
void json_strings(struct regret_buffer *t, const char *const *text, size_t n);
void json_numbers(struct regret_buffer *t, const double *number, size_t n);

#endif
