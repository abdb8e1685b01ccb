/* GitHub-flavoured Markdown. */

#include "report/render/table.h"

static const struct table_signs signs = {"−", " ± ", "–"};

static void put_cell(struct regret_buffer *out, const struct table_cell *cell)
{
    const char *stress = cell->flags & TABLE_BEST ? "**" : "";
    regret_buffer_printf(out, " %s", stress);
    if (cell->text != NULL) {
        markdown_escape(out, cell->text);
    }
    if (cell->flags & TABLE_NUMBER) {
        regret_buffer_append(out, cell->text != NULL ? " " : "");
        table_cell_number(out, cell, &signs);
    }
    regret_buffer_printf(out, "%s |", stress);
}

static void put_block(struct regret_buffer *out, const struct table_block *b)
{
    if (b->heading[0] != '\0') {
        regret_buffer_append(out, "\n**");
        markdown_escape(out, b->heading);
        regret_buffer_append(out, "**\n");
    }
    regret_buffer_append(out, "\n|");
    for (size_t i = 0; i < b->n_columns; i++) {
        regret_buffer_append_char(out, ' ');
        markdown_escape(out, b->columns[i]);
        regret_buffer_append(out, " |");
    }
    regret_buffer_append(out, "\n|");
    for (size_t i = 0; i < b->n_columns; i++) {
        int number = i > 0 && b->n_rows > 0 && b->rows[0].cells[i - 1].text == NULL;
        regret_buffer_append(out, number ? "---:|" : "---|");
    }
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < b->n_rows; i++) {
        regret_buffer_append(out, "| ");
        markdown_escape(out, b->rows[i].label);
        regret_buffer_append(out, " |");
        for (size_t j = 0; j < b->rows[i].n_cells; j++) {
            put_cell(out, &b->rows[i].cells[j]);
        }
        regret_buffer_append_char(out, '\n');
    }
}

void render_markdown(struct regret_buffer *out, const struct table *t)
{
    regret_buffer_append(out, "## ");
    markdown_escape(out, t->title);
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < t->n_blocks; i++) {
        if (t->blocks[i].readers != TABLE_FOR_DATA) {
            put_block(out, &t->blocks[i]);
        }
    }
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < t->n_notes; i++) {
        regret_buffer_append(out, "* ");
        markdown_escape(out, t->notes[i]);
        regret_buffer_append_char(out, '\n');
    }
}
