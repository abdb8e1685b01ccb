/* A table as one JSON object (docs/formats.md): blocks of rows, each an array with a value for each column,
 * whose type tells what the values are. Numbers are as they were computed; what is missing or not finite is
 * null. */
#include <math.h>
#include <string.h>

#include "regret/alloc.h"
#include "report/render/table.h"

enum column_type { COLUMN_TEXT, COLUMN_NUMBER, COLUMN_ESTIMATE, COLUMN_MIXED };
static const char *const type_names[] = {[COLUMN_TEXT] = "text",
                                         [COLUMN_NUMBER] = "number",
                                         [COLUMN_ESTIMATE] = "estimate",
                                         [COLUMN_MIXED] = "mixed"};

/* What column `j` after the labels holds: the least that all of its cells are. A number without a value may
 * stand for itself in any column. */
static enum column_type type_of(const struct table_block *b, size_t j)
{
    int texts = 0, numbers = 0, errors = 0;
    for (size_t r = 0; r < b->n_rows; r++) {
        const struct table_cell *cell = &b->rows[r].cells[j];
        texts |= cell->text != NULL;
        numbers |= (cell->flags & TABLE_NUMBER) != 0;
        errors |= (cell->flags & TABLE_SE) != 0;
    }
    if (texts && numbers) {
        return COLUMN_MIXED;
    }
    return errors ? COLUMN_ESTIMATE : numbers ? COLUMN_NUMBER : COLUMN_TEXT;
}

void table_json_string(struct regret_buffer *out, const char *text)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    if (text == NULL || regret_utf8_valid(text, strlen(text), NULL)) {
        regret_buffer_json_string(out, text);
        return;
    }
    regret_buffer_append_visible(&safe, text);
    regret_buffer_json_string(out, regret_buffer_get(&safe));
    regret_buffer_free_into(out, &safe);
}

static void put_number(struct regret_buffer *out, const struct table_cell *cell, unsigned flag)
{
    regret_buffer_json_number(out, (cell->flags & flag) == 0 ? NAN
                                   : flag == TABLE_NUMBER    ? cell->value
                                                             : cell->se);
}

static void put_cell(struct regret_buffer *out, const struct table_cell *cell,
                     enum column_type type)
{
    if (type == COLUMN_TEXT) {
        table_json_string(out, cell->text);
        return;
    }
    if (type == COLUMN_NUMBER) {
        put_number(out, cell, TABLE_NUMBER);
        return;
    }
    regret_buffer_append_char(out, '{');
    if (type == COLUMN_MIXED) {
        regret_buffer_append(out, "\"text\":");
        table_json_string(out, cell->text);
        regret_buffer_append_char(out, ',');
    }
    regret_buffer_append(out, "\"value\":");
    put_number(out, cell, TABLE_NUMBER);
    regret_buffer_append(out, ",\"se\":");
    put_number(out, cell, TABLE_SE);
    regret_buffer_append_char(out, '}');
}

/* With column 0, the labels, which are texts; `types` are those of the columns after it. */
static void put_columns(struct regret_buffer *out, const struct table_block *b, size_t labels,
                        const enum column_type *types)
{
    for (size_t j = 0; j < b->n_columns; j++) {
        enum column_type type = j < labels ? COLUMN_TEXT : types[j - labels];
        regret_buffer_append(out, j > 0 ? ",{\"name\":" : "{\"name\":");
        table_json_string(out, b->columns[j]);
        regret_buffer_printf(out, ",\"type\":\"%s\"}", type_names[type]);
    }
}

static void put_row(struct regret_buffer *out, const struct table_row *row,
                    const enum column_type *types)
{
    regret_buffer_append_char(out, '[');
    if (row->label != NULL) {
        table_json_string(out, row->label);
    }
    for (size_t j = 0; j < row->n_cells; j++) {
        regret_buffer_append(out, j > 0 || row->label != NULL ? "," : "");
        put_cell(out, &row->cells[j], types[j]);
    }
    regret_buffer_append_char(out, ']');
}

static void put_block(struct regret_buffer *out, const struct table_block *b)
{
    size_t labels = b->n_rows == 0 || b->rows[0].label != NULL;
    enum column_type *types = NULL;
    int rc = REGRET_NEW(&types, b->n_columns);
    if (rc != REGRET_OK) {
        regret_buffer_fail(out, rc);
        return;
    }
    for (size_t j = labels; j < b->n_columns; j++) {
        types[j - labels] = type_of(b, j - labels);
    }
    regret_buffer_append(out, "\n {\"heading\":");
    table_json_string(out, b->heading);
    regret_buffer_append(out, ",\"columns\":[");
    put_columns(out, b, labels, types);
    regret_buffer_append(out, "],\"rows\":[");
    for (size_t r = 0; r < b->n_rows; r++) {
        regret_buffer_append(out, r > 0 ? ",\n  " : "\n  ");
        put_row(out, &b->rows[r], types);
    }
    regret_buffer_append(out, "]}");
    regret_free(types);
}

void render_json(struct regret_buffer *out, const struct table *t)
{
    regret_buffer_append(out, "{\"format\":\"regret-table-1\",\"name\":");
    table_json_string(out, t->name);
    regret_buffer_append(out, ",\"title\":");
    table_json_string(out, t->title);
    regret_buffer_append(out, ",\"blocks\":[");
    const char *between = "";
    for (size_t i = 0; i < t->n_blocks; i++) {
        if (t->blocks[i].readers != TABLE_FOR_PEOPLE) {
            regret_buffer_append(out, between);
            put_block(out, &t->blocks[i]);
            between = ",";
        }
    }
    regret_buffer_append(out, "],\"notes\":[");
    for (size_t i = 0; i < t->n_notes; i++) {
        regret_buffer_append(out, i > 0 ? ",\n " : "\n ");
        table_json_string(out, t->notes[i]);
    }
    regret_buffer_append(out, "]}\n");
}
