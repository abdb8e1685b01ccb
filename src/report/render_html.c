/* HTML: one <section> a table, to be put into any page. */
#include "report/table.h"

static const struct table_signs signs = {"−", " ± ", "–"};

static void put_element(struct regret_text *out, const char *element, const char *text)
{
    regret_text_printf(out, "<%s>", element);
    html_escape(out, text);
    regret_text_printf(out, "</%s>", element);
}

static void put_cell(struct regret_text *out, const struct table_cell *cell)
{
    regret_text_append(out, cell->text != NULL ? "<td>" : "<td style=\"text-align: right\">");
    regret_text_append(out, cell->flags & TABLE_BEST ? "<strong>" : "");
    if (cell->text != NULL) {
        html_escape(out, cell->text);
    }
    if (cell->flags & TABLE_NUMBER) {
        regret_text_append(out, cell->text != NULL ? " " : "");
        table_cell_number(out, cell, &signs);
    }
    regret_text_append(out, cell->flags & TABLE_BEST ? "</strong></td>" : "</td>");
}

static void put_block(struct regret_text *out, const struct table_block *b)
{
    regret_text_append(out, "<table>\n");
    if (b->heading[0] != '\0') {
        put_element(out, "caption", b->heading);
        regret_text_append_char(out, '\n');
    }
    regret_text_append(out, "<thead><tr>");
    for (size_t i = 0; i < b->n_columns; i++) {
        put_element(out, "th", b->columns[i]);
    }
    regret_text_append(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < b->n_rows; i++) {
        regret_text_append(out, "<tr>");
        put_element(out, "th", b->rows[i].label);
        for (size_t j = 0; j < b->rows[i].n_cells; j++) {
            put_cell(out, &b->rows[i].cells[j]);
        }
        regret_text_append(out, "</tr>\n");
    }
    regret_text_append(out, "</tbody>\n</table>\n");
}

void render_html(struct regret_text *out, const struct table *t)
{
    regret_text_printf(out, "<section id=\"%s\">\n", t->name);
    put_element(out, "h2", t->title);
    regret_text_append_char(out, '\n');
    for (size_t i = 0; i < t->n_blocks; i++) {
        put_block(out, &t->blocks[i]);
    }
    regret_text_append(out, "<ul>\n");
    for (size_t i = 0; i < t->n_notes; i++) {
        put_element(out, "li", t->notes[i]);
        regret_text_append_char(out, '\n');
    }
    regret_text_append(out, "</ul>\n</section>\n");
}
