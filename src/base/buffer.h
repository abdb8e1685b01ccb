/* A text that grows, and what is escaped as it is written. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stddef.h>

#include "regret/buffer.h"

/* Untrusted texts in the formats that are written for people and spreadsheets. What
 * could steer a terminal or hide in a page is written as regret_buffer_append_visible() does, but in CSV, which programs read:
 * there a name comes back byte for byte, and control characters alone are written so. */

/* `text` as plain words of a Markdown table cell or paragraph. */
void markdown_escape(struct regret_buffer *out, const char *text);
/* `text` as text or a double-quoted attribute of HTML or SVG. */
void html_escape(struct regret_buffer *out, const char *text);
/* One RFC 4180 field, quoted where it must be. */
void csv_field(struct regret_buffer *out, const char *text);
/* A number that reads back exactly; nothing of one that is not finite. */
void csv_number(struct regret_buffer *out, double value);
/* `text` in a LaTeX paragraph or table. */
void latex_escape(struct regret_buffer *out, const char *text);

/* regret_buffer_append_safe(), but that a text cut short keeps both its ends, by which names of models differ: "org/mo…-8b". */
void safe_middle(struct regret_buffer *out, const char *text, size_t columns);
/* The same, without quotes where it needs none, and by printf where a terminal would not show it as it is. */
void shell_word(struct regret_buffer *out, const char *text);
/* Words of a command, and behind them as one such word a path and what follows it ("/config.json"). */
void shell_path(struct regret_buffer *out, const char *before, const char *path, const char *rest);

/* Lists of JSON on one line: the one writer of them. */

/* Appends element i of what a list is of. */
typedef void json_item(struct regret_buffer *t, const void *of, size_t i);

/* Appends ["a","b"]: n elements with commas between. */
void json_list(struct regret_buffer *t, size_t n, json_item *put, const void *of);
void json_strings(struct regret_buffer *t, const char *const *text, size_t n);
void json_numbers(struct regret_buffer *t, const double *number, size_t n);

#endif
