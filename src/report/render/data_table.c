#include "report/render/data_table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct table_signs signs = {"-", " ± ", "–"};

void data_table_begin(struct data_table *t, const char *name, const char *title,
                      const char *columns)
{
    *t = (struct data_table){0};
    table_begin(&t->table, name, "%s", title);
    table_block(&t->table, "%s", "");
    for (columns += strspn(columns, " "); *columns != '\0'; t->n_columns++) {
        size_t length = strcspn(columns, " ");
        int detail = columns[0] == '(';
        table_column(&t->table, "%.*s", (int)length - 2 * detail, columns + detail);
        t->details |= (uint64_t)detail << t->n_columns;
        columns += length + strspn(columns + length, " ");
    }
}

void data_table_show(struct data_table *t, const char *part)
{
    for (size_t k = 0; t->table.status == REGRET_OK && k < t->n_columns; k++) {
        if (strstr(t->table.blocks[0].columns[k], part) != NULL) {
            t->details &= ~((uint64_t)1 << k);
        }
    }
}

static void put_cell(struct data_table *t, const char *text, double value, int digits,
                     unsigned flags)
{
    if (t->cells++ % t->n_columns == 0) {
        table_row_of_cells(&t->table);
    }
    table_cell(&t->table, text, value, NAN, digits, flags);
}

void data_cell_text(struct data_table *t, const char *text)
{
    put_cell(t, text, NAN, 0, 0);
}

void data_cell_number(struct data_table *t, double value)
{
    put_cell(t, NULL, value, 4, TABLE_NUMBER | TABLE_SIGNIFICANT);
}

void data_cell_numbers(struct data_table *t, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        data_cell_number(t, values[i]);
    }
}

void data_cell_count(struct data_table *t, size_t value)
{
    put_cell(t, NULL, (double)value, 0, TABLE_NUMBER);
}

void data_cell_counts(struct data_table *t, const size_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        data_cell_count(t, values[i]);
    }
}

int data_is_detail(const struct data_table *t, size_t k)
{
    return (int)(t->details >> k & 1);
}

/* A text of unknown origin on one line, as a terminal may show it; its blanks stay as they are. */
static void append_line(struct regret_buffer *out, const char *text)
{
    struct regret_buffer word = REGRET_BUFFER_INIT;
    while (*text != '\0') {
        size_t n = strcspn(text, " "), blanks = strspn(text + n, " ");
        regret_buffer_clear(&word);
        regret_buffer_append_n(&word, text, n);
        regret_buffer_append_safe(out, regret_buffer_get(&word), SIZE_MAX);
        regret_buffer_append_n(out, text + n, blanks);
        text += n + blanks;
    }
    regret_buffer_free_into(out, &word);
}

static void put_text(struct regret_buffer *out, const struct table_cell *cell)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    if (cell->text != NULL) {
        append_line(&line, cell->text);
        markdown_escape(out, regret_buffer_get(&line));
        regret_buffer_fail(out, regret_buffer_status(&line));
    }
    regret_buffer_free(&line);
}

void render_data_markdown(struct regret_buffer *out, const struct data_table *t)
{
    const struct table_block *b = &t->table.blocks[0];
    regret_buffer_append(out, "## ");
    markdown_escape(out, t->table.title);
    regret_buffer_append(out, "\n\n|");
    for (size_t k = 0; k < b->n_columns; k++) {
        if (!data_is_detail(t, k)) {
            regret_buffer_printf(out, " %s |", b->columns[k]);
        }
    }
    regret_buffer_append(out, "\n|");
    for (size_t k = 0; k < b->n_columns; k++) {
        regret_buffer_append(out, data_is_detail(t, k) ? "" : "---|");
    }
    for (size_t i = 0; i < b->n_rows; i++) {
        regret_buffer_append(out, "\n|");
        for (size_t k = 0; k < b->n_columns; k++) {
            const struct table_cell *cell = &b->rows[i].cells[k];
            if (data_is_detail(t, k)) {
                continue;
            }
            regret_buffer_append_char(out, ' ');
            put_text(out, cell);
            if (cell->flags & TABLE_NUMBER) {
                table_cell_number(out, cell, &signs);
            }
            regret_buffer_append(out, " |");
        }
    }
    regret_buffer_append_char(out, '\n');
}

void render_data_csv(struct regret_buffer *out, const struct data_table *t)
{
    const struct table_block *b = &t->table.blocks[0];
    for (size_t k = 0; k < b->n_columns; k++) {
        regret_buffer_append(out, k > 0 ? "," : "");
        csv_field(out, b->columns[k]);
    }
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < b->n_rows; i++) {
        for (size_t k = 0; k < b->n_columns; k++) {
            const struct table_cell *cell = &b->rows[i].cells[k];
            regret_buffer_append(out, k > 0 ? "," : "");
            csv_field(out, cell->text != NULL ? cell->text : "");
            csv_number(out, cell->flags & TABLE_NUMBER ? cell->value : (double)NAN);
        }
        regret_buffer_append_char(out, '\n');
    }
}

void render_data_json(struct regret_buffer *out, const struct data_table *t)
{
    const struct table_block *b = &t->table.blocks[0];
    regret_buffer_printf(out, "\n\"%s\": [", t->table.name);
    for (size_t i = 0; i < b->n_rows; i++) {
        regret_buffer_append(out, i > 0 ? ",\n  {" : "\n  {");
        for (size_t k = 0; k < b->n_columns; k++) {
            const struct table_cell *cell = &b->rows[i].cells[k];
            regret_buffer_append(out, k > 0 ? ", " : "");
            regret_buffer_json_string(out, b->columns[k]);
            regret_buffer_append(out, ": ");
            if (cell->text != NULL) {
                regret_buffer_json_string(out, cell->text);
            } else {
                regret_buffer_json_number(out, cell->value); /* null where it is missing */
            }
        }
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append(out, b->n_rows > 0 ? "\n]" : "]");
}
