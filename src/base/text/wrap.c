#include "base/text/wrap.h"

#include <string.h>

void text_wrap(struct regret_buffer *out, const char *text, const struct text_margins *margins)
{
    struct regret_buffer word = REGRET_BUFFER_INIT;
    size_t used = 0, lines = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t n = strcspn(text, " ");
        regret_buffer_clear(&word);
        regret_buffer_append_n(&word, text, n);
        size_t columns = regret_text_columns(regret_buffer_get(&word));
        if (lines == 0 || used + 1 + columns > margins->columns) {
            size_t indent = lines == 0 ? margins->first : margins->rest;
            regret_buffer_printf(out, "%s%*s", lines > 0 ? "\n" : "", (int)indent, "");
            used = indent;
            lines++;
        } else {
            regret_buffer_append_char(out, ' ');
            used++;
        }
        regret_buffer_append_n(out, text, n);
        used += columns;
        text += n;
    }
    regret_buffer_append(out, lines > 0 ? "\n" : "");
    regret_buffer_free_into(out, &word);
}

size_t text_count_lines(const struct regret_buffer *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++) {
        n += text->data[i] == '\n';
    }
    return n;
}

void text_wrap_wide(struct regret_buffer *out, const char *text, size_t columns)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    while (*text != '\0') {
        size_t n = strcspn(text, "\n"), indent = strspn(text, " ");
        const struct text_margins margins = {columns, indent, indent + 2};
        regret_buffer_clear(&line);
        regret_buffer_append_n(&line, text, n);
        if (regret_text_columns(regret_buffer_get(&line)) > columns) {
            text_wrap(out, regret_buffer_get(&line), &margins);
        } else {
            regret_buffer_printf(out, "%s\n", regret_buffer_get(&line));
        }
        text += n + (text[n] == '\n');
    }
    regret_buffer_free_into(out, &line);
}
