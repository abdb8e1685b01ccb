#include "report/recommend/leaf.h"

#include "base/text/escape.h"
#include "base/text/wrap.h"

enum { INDENT = 2 };

void leaf_gap(struct leaf *s)
{
    regret_buffer_append_char(s->out, '\n');
}

void leaf_title(struct leaf *s, const char *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, 0, INDENT};
    if (s->markdown) {
        regret_buffer_printf(s->out, "# %s\n", text);
    } else {
        text_wrap(s->out, text, &margins);
    }
}

void leaf_heading(struct leaf *s, const char *text)
{
    regret_buffer_printf(s->out, s->markdown ? "\n## %s\n\n" : "\n%s\n", text);
}

static void put(struct leaf *s, struct regret_buffer *text, const char *mark,
                const struct text_margins *margins)
{
    struct regret_buffer marked = REGRET_BUFFER_INIT;
    regret_buffer_printf(&marked, "%s%s", mark, regret_buffer_get(text));
    if (s->markdown) {
        regret_buffer_printf(s->out, "%s\n", regret_buffer_get(&marked));
    } else {
        text_wrap(s->out, regret_buffer_get(&marked), margins);
    }
    regret_buffer_free_into(s->out, &marked);
    regret_buffer_free_into(s->out, text);
}

void leaf_paragraph(struct leaf *s, struct regret_buffer *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, 0, 0};
    put(s, text, "", &margins);
    if (s->markdown) {
        leaf_gap(s);
    }
}

void leaf_item(struct leaf *s, struct regret_buffer *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, INDENT, (size_t)2 * INDENT};
    put(s, text, "* ", &margins);
}

void leaf_name(const struct leaf *s, struct regret_buffer *text, const char *name)
{
    if (s->markdown) {
        markdown_escape(text, name);
    } else {
        regret_buffer_append_safe(text, name, LEAF_NAME);
    }
}

void leaf_words(const struct leaf *s, struct regret_buffer *text, const char *sentence)
{
    if (s->markdown) {
        markdown_escape(text, sentence);
    } else {
        regret_buffer_append_safe(text, sentence, (size_t)-1);
    }
}

void leaf_table(struct leaf *s, const struct leaf_column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        leaf_cell(s, columns, columns[i].head);
    }
    leaf_end_row(s);
    for (size_t i = 0; i < n && s->markdown; i++) {
        regret_buffer_append(s->out, i == 0 ? "|---|" : "---|");
    }
    if (s->markdown) {
        leaf_gap(s);
    }
}

void leaf_cell(struct leaf *s, const struct leaf_column *columns, const char *text)
{
    size_t i = s->column++;
    if (s->markdown) {
        regret_buffer_append(s->out, i == 0 ? "| " : " ");
        markdown_escape(s->out, text);
        regret_buffer_append(s->out, " |");
    } else {
        regret_buffer_append(s->out, "  ");
        regret_buffer_append_field(s->out, text, columns[i].width);
    }
}

void leaf_take(struct leaf *s, const struct leaf_column *columns, struct regret_buffer *text)
{
    leaf_cell(s, columns, regret_buffer_get(text));
    regret_buffer_free_into(s->out, text);
}

size_t leaf_lines(const struct leaf *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->out->length; i++) {
        n += s->out->data[i] == '\n';
    }
    return n;
}

void leaf_end_row(struct leaf *s)
{
    while (!s->markdown && s->out->length > 0 && s->out->data[s->out->length - 1] == ' ') {
        s->out->data[--s->out->length] = '\0';
    }
    leaf_gap(s);
    s->column = 0;
}
