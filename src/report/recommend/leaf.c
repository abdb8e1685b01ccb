#include "report/recommend/leaf.h"

#include "base/text/escape.h"
#include "base/text/wrap.h"
#include "report/render/table.h"

enum { INDENT = 2 };

void leaf_end(struct leaf *s)
{
    static const char *const ends[] = {[LEAF_NOTHING] = "",
                                       [LEAF_LIST] = "</ul>\n",
                                       [LEAF_TABLE] = "</tbody>\n</table>\n</div>\n"};
    regret_buffer_append(s->out, ends[s->open]);
    s->open = LEAF_NOTHING;
}

void leaf_gap(struct leaf *s)
{
    regret_buffer_append(s->out, s->form == LEAF_HTML ? "" : "\n");
}

/* <ELEMENT>TEXT</NAME>, of a text that is escaped. */
static void put_html(struct leaf *s, const char *begin, const char *text, const char *end)
{
    regret_buffer_append(s->out, begin);
    html_estimates(s->out, text);
    regret_buffer_printf(s->out, "%s\n", end);
}

void leaf_title(struct leaf *s, const char *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, 0, INDENT};
    if (s->form == LEAF_HTML) {
        put_html(s, "<p class=\"rests\">", text, "</p>");
    } else if (s->form == LEAF_MARKDOWN) {
        regret_buffer_printf(s->out, "# %s\n", text);
    } else {
        text_wrap(s->out, text, &margins);
    }
}

void leaf_heading(struct leaf *s, const char *text)
{
    static const struct {
        const char *before, *behind;
    } marks[] = {[LEAF_TEXT] = {"\n", "\n"},
                 [LEAF_MARKDOWN] = {"\n## ", "\n\n"},
                 [LEAF_HTML] = {"<h3>", "</h3>\n"}};
    leaf_end(s);
    s->heading = text;
    regret_buffer_printf(s->out, "%s%s%s", marks[s->form].before, text, marks[s->form].behind);
}

static void put(struct leaf *s, struct regret_buffer *text, const char *mark,
                const struct text_margins *margins)
{
    struct regret_buffer marked = REGRET_BUFFER_INIT;
    regret_buffer_printf(&marked, "%s%s", mark, regret_buffer_get(text));
    if (s->form == LEAF_MARKDOWN) {
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
    if (s->form == LEAF_HTML) {
        leaf_end(s);
        put_html(s, s->has_words ? "<p>" : "<p class=\"verdict\">", regret_buffer_get(text),
                 "</p>");
        s->has_words = 1;
        regret_buffer_free_into(s->out, text);
        return;
    }
    put(s, text, "", &margins);
    if (s->form == LEAF_MARKDOWN) {
        leaf_gap(s);
    }
}

void leaf_item(struct leaf *s, struct regret_buffer *text)
{
    const struct text_margins margins = {LEAF_COLUMNS, INDENT, (size_t)2 * INDENT};
    if (s->form != LEAF_HTML) {
        put(s, text, "* ", &margins);
        return;
    }
    if (s->open != LEAF_LIST) {
        leaf_end(s);
        regret_buffer_append(s->out, "<ul class=\"sentences\">\n");
        s->open = LEAF_LIST;
    }
    put_html(s, "<li>", regret_buffer_get(text), "</li>");
    regret_buffer_free_into(s->out, text);
}

void leaf_words(const struct leaf *s, struct regret_buffer *text, const char *words)
{
    if (s->form == LEAF_HTML) {
        html_escape(text, words);
    } else if (s->form == LEAF_MARKDOWN) {
        markdown_escape(text, words);
    } else {
        regret_buffer_append_safe(text, words, (size_t)-1);
    }
}

void leaf_name(const struct leaf *s, struct regret_buffer *text, const char *name)
{
    if (s->form == LEAF_TEXT && !s->whole_names) {
        safe_middle(text, name, LEAF_NAME);
    } else {
        leaf_words(s, text, name);
    }
}

static void put_stress(const struct leaf *s, struct regret_buffer *text, const char *html)
{
    regret_buffer_append(text, s->form == LEAF_HTML ? html : s->form == LEAF_MARKDOWN ? "**" : "");
}

void leaf_begin_strong(const struct leaf *s, struct regret_buffer *text)
{
    put_stress(s, text, "<strong>");
}

void leaf_end_strong(const struct leaf *s, struct regret_buffer *text)
{
    put_stress(s, text, "</strong>");
}

/* ---------------------------------------------------------------- tables */

static void begin_html_table(struct leaf *s)
{
    leaf_end(s);
    const char *name = s->heading != NULL ? s->heading : "Table";
    regret_buffer_printf(s->out,
                         "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
                         "<table>\n<caption class=\"same\">%s</caption>\n<thead>\n",
                         name, name);
    s->open = LEAF_TABLE;
}

void leaf_table(struct leaf *s, const struct leaf_column *columns, size_t n)
{
    if (s->form == LEAF_HTML) {
        begin_html_table(s);
    }
    s->is_head = 1;
    for (size_t i = 0; i < n; i++) {
        leaf_cell(s, columns, columns[i].head);
    }
    leaf_end_row(s);
    s->is_head = 0;
    regret_buffer_append(s->out, s->form == LEAF_HTML ? "</thead>\n<tbody>\n" : "");
    for (size_t i = 0; i < n && s->form == LEAF_MARKDOWN; i++) {
        regret_buffer_append(s->out, i == 0 ? "|---|" : "---|");
    }
    if (s->form == LEAF_MARKDOWN) {
        leaf_gap(s);
    }
}

static void put_html_cell(struct leaf *s, size_t i, const char *text)
{
    const char *element = s->is_head ? "th scope=\"col\"" : i == 0 ? "th scope=\"row\"" : "td";
    regret_buffer_printf(s->out, "%s<%s>", i == 0 ? "<tr>" : "", element);
    html_escape(s->out, text);
    regret_buffer_append(s->out, s->is_head || i == 0 ? "</th>" : "</td>");
}

void leaf_cell(struct leaf *s, const struct leaf_column *columns, const char *text)
{
    size_t i = s->column++;
    if (s->form == LEAF_HTML) {
        put_html_cell(s, i, text);
    } else if (s->form == LEAF_MARKDOWN) {
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
    return text_count_lines(s->out);
}

void leaf_end_row(struct leaf *s)
{
    while (s->form == LEAF_TEXT && s->out->length > 0 && s->out->data[s->out->length - 1] == ' ') {
        s->out->data[--s->out->length] = '\0';
    }
    regret_buffer_append(s->out, s->form == LEAF_HTML ? "</tr>\n" : "\n");
    s->column = 0;
}
