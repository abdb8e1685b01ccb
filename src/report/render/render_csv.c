/* Long CSV by RFC 4180 (lines end in "\n"): one record a cell, so that tables whose blocks have
 * different columns are still one rectangular file. Notes and the title are records too, with the
 * block "note" and "title", so that what the data are is never cut off the numbers. */
#include <math.h>

#include "report/render/table.h"

static void put_cell(struct regret_buffer *out, const struct table_block *b,
                     const struct table_row *row, size_t j)
{
    const struct table_cell *cell = &row->cells[j];
    csv_field(out, b->heading);
    regret_buffer_append_char(out, ',');
    csv_field(out, row->label);
    regret_buffer_append_char(out, ',');
    csv_field(out, b->columns[j + 1]);
    regret_buffer_append_char(out, ',');
    csv_number(out, cell->flags & TABLE_NUMBER ? cell->value : (double)NAN);
    regret_buffer_append_char(out, ',');
    csv_number(out, cell->flags & TABLE_SE ? cell->se : (double)NAN);
    regret_buffer_append_char(out, ',');
    csv_field(out, cell->text != NULL ? cell->text : "");
    regret_buffer_append_char(out, '\n');
}

void render_csv(struct regret_buffer *out, const struct table *t)
{
    regret_buffer_append(out, "block,row,column,value,se,text\ntitle,,,,,");
    csv_field(out, t->title);
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < t->n_blocks; i++) {
        const struct table_block *b = &t->blocks[i];
        for (size_t r = 0; b->readers != TABLE_FOR_PEOPLE && r < b->n_rows; r++) {
            for (size_t j = 0; j < b->rows[r].n_cells; j++) {
                put_cell(out, b, &b->rows[r], j);
            }
        }
    }
    for (size_t i = 0; i < t->n_notes; i++) {
        regret_buffer_append(out, "note,,,,,");
        csv_field(out, t->notes[i]);
        regret_buffer_append_char(out, '\n');
    }
}
