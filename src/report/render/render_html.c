/* HTML: one <section> a table, to be put into any page. Nothing in it has a style or a script of its
 * own; what the classes look like is the page's matter (data/report/page.css). */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/core/sticky.h"
#include "regret/alloc.h"
#include "report/render/table.h"

static const struct table_signs signs = {"−", " ± ", "–"};

/* A table of more columns is printed smaller. */
enum { MANY_COLUMNS = 9, SHORT_TEXT = 26 };

static void put_element(struct regret_buffer *out, const char *element, const char *text)
{
    regret_buffer_printf(out, "<%s>", element);
    html_escape(out, text);
    regret_buffer_printf(out, "</%.*s>", (int)strcspn(element, " "), element);
}

/* The number as it is shown, with all its digits for who wants to sort by it or read them. */
static void put_number(struct regret_buffer *out, const struct table_cell *cell)
{
    regret_buffer_append(out, "<data value=\"");
    if (isfinite(cell->value)) {
        regret_buffer_json_number(out, cell->value);
    }
    if (cell->flags & TABLE_SE && isfinite(cell->se)) {
        regret_buffer_append(out, "\" data-se=\"");
        regret_buffer_json_number(out, cell->se);
    }
    regret_buffer_append(out, "\">");
    table_cell_number(out, cell, &signs);
    regret_buffer_append(out, "</data>");
}

/* A short text is not broken; a long one gets some room. */
static const char *class_of(const char *text)
{
    return strlen(text) <= SHORT_TEXT ? "short" : "long";
}

static void put_cell(struct regret_buffer *out, const struct table_cell *cell)
{
    regret_buffer_printf(out, "<td class=\"%s\">", cell->text != NULL ? class_of(cell->text) : "n");
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "<strong>" : "");
    if (cell->text != NULL) {
        html_escape(out, cell->text);
    }
    if (cell->flags & TABLE_NUMBER) {
        regret_buffer_append(out, cell->text != NULL ? " " : "");
        put_number(out, cell);
    }
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "</strong></td>" : "</td>");
}

/* The heads of columns of numbers stand at the right, too. */
static void put_head(struct regret_buffer *out, const struct table_block *b, size_t column)
{
    size_t labels = b->n_rows > 0 && b->rows[0].label != NULL;
    const struct table_cell *first =
        b->n_rows > 0 && column >= labels ? &b->rows[0].cells[column - labels] : NULL;
    int number = first != NULL && first->text == NULL;
    put_element(out, number ? "th scope=\"col\" class=\"n\"" : "th scope=\"col\"",
                b->columns[column]);
}

static void put_row(struct regret_buffer *out, const struct table_row *row)
{
    regret_buffer_append(out, "<tr>");
    if (row->label != NULL) {
        put_element(out,
                    strlen(row->label) <= SHORT_TEXT ? "th scope=\"row\" class=\"short\""
                                                     : "th scope=\"row\"",
                    row->label);
    }
    for (size_t j = 0; j < row->n_cells; j++) {
        put_cell(out, &row->cells[j]);
    }
    regret_buffer_append(out, "</tr>\n");
}

/* A block without a heading is called what the table is called, which the section shows already. */
static void put_block(struct regret_buffer *out, const struct table *t, const struct table_block *b)
{
    const char *name = b->heading[0] != '\0' ? b->heading : t->title;
    regret_buffer_append(out, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html_escape(out, name);
    regret_buffer_printf(out, "\">\n<table%s>\n",
                         b->n_columns > MANY_COLUMNS ? " class=\"many\"" : "");
    put_element(out, b->heading[0] != '\0' ? "caption" : "caption class=\"same\"", name);
    regret_buffer_append(out, "\n<thead><tr>");
    for (size_t i = 0; i < b->n_columns; i++) {
        put_head(out, b, i);
    }
    regret_buffer_append(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < b->n_rows; i++) {
        put_row(out, &b->rows[i]);
    }
    regret_buffer_append(out, "</tbody>\n</table>\n</div>\n");
}

void html_element(struct regret_buffer *out, const char *element, const char *text)
{
    put_element(out, element, text);
    regret_buffer_append_char(out, '\n');
}

void html_say(struct regret_buffer *out, const char *element, const char *format, ...)
{
    int status = REGRET_OK;
    va_list args;
    va_start(args, format);
    char *text = sticky_print(&status, format, args);
    va_end(args);
    regret_buffer_fail(out, status);
    html_element(out, element, text != NULL ? text : "");
    regret_free(text);
}

void html_estimates(struct regret_buffer *out, const char *html)
{
    static const char between[] = " ± ";
    for (const char *at = NULL; (at = strstr(html, between)) != NULL; html = at + strlen(between)) {
        regret_buffer_append_n(out, html, (size_t)(at - html));
        regret_buffer_append(out, "&nbsp;±&nbsp;");
    }
    regret_buffer_append(out, html);
}

void html_table(struct regret_buffer *out, const struct table *t)
{
    size_t widest = 0;
    for (size_t i = 0; i < t->n_blocks; i++) {
        const struct table_block *b = &t->blocks[i];
        widest = b->readers != TABLE_FOR_DATA && b->n_columns > widest ? b->n_columns : widest;
    }
    if (t->n_blocks > 0) {
        regret_buffer_append(out, widest > MANY_COLUMNS / 2 ? "<div class=\"blocks broad\">\n"
                                                            : "<div class=\"blocks\">\n");
        for (size_t i = 0; i < t->n_blocks; i++) {
            if (t->blocks[i].readers != TABLE_FOR_DATA) {
                put_block(out, t, &t->blocks[i]);
            }
        }
        regret_buffer_append(out, "</div>\n");
    }
    regret_buffer_append(out, t->n_notes > 0 ? "<ul class=\"notes\">\n" : "");
    for (size_t i = 0; i < t->n_notes; i++) {
        html_element(out, "li", t->notes[i]);
    }
    regret_buffer_append(out, t->n_notes > 0 ? "</ul>\n" : "");
}

void render_html(struct regret_buffer *out, const struct table *t)
{
    regret_buffer_printf(out, "<section id=\"%s\">\n", t->name);
    html_element(out, "h2", t->title);
    html_table(out, t);
    regret_buffer_append(out, "</section>\n");
}
