/* Paragraphs in lines of whole words. */
#ifndef REGRET_BASE_WRAP_H
#define REGRET_BASE_WRAP_H

#include "regret/buffer.h"

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

#endif
