#include "report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/names.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

static struct table_block *last_block(struct table *t)
{
    if (t->status == REGRET_OK && t->n_blocks == 0) {
        t->status = regret_fail(REGRET_E_INTERNAL, "table %s: a row without a block", t->name);
    }
    return t->status == REGRET_OK ? &t->blocks[t->n_blocks - 1] : NULL;
}

static struct table_cell *new_cell(struct table *t)
{
    struct table_block *b = last_block(t);
    if (b == NULL || b->n_rows == 0) {
        return NULL;
    }
    struct table_row *row = &b->rows[b->n_rows - 1];
    return sticky_append(&t->status, (void **)&row->cells, &row->n_cells, sizeof *row->cells);
}

void table_begin(struct table *t, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *t = (struct table){0};
    t->title = sticky_print(&t->status, format, args);
    va_end(args);
    if (t->status == REGRET_OK) {
        t->status = regret_strdup(&t->name, name);
    }
}

void table_note(struct table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sticky_append_text(&t->status, (void **)&t->notes, &t->n_notes, sizeof *t->notes, format, args);
    va_end(args);
}

void table_block(struct table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sticky_append_text(&t->status, (void **)&t->blocks, &t->n_blocks, sizeof *t->blocks, format,
                       args);
    va_end(args);
}

void table_block_readers(struct table *t, enum table_readers readers)
{
    struct table_block *b = last_block(t);
    if (b != NULL) {
        b->readers = readers;
    }
}

void table_column(struct table *t, const char *format, ...)
{
    struct table_block none = {0}, *b = last_block(t);
    b = b != NULL ? b : &none; /* of a table that has failed: nothing is appended */
    va_list args;
    va_start(args, format);
    sticky_append_text(&t->status, (void **)&b->columns, &b->n_columns, sizeof *b->columns, format,
                       args);
    va_end(args);
}

void table_columns(struct table *t, const char *const *heads, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        table_column(t, "%s", heads[i]);
    }
}

void table_row(struct table *t, const char *format, ...)
{
    struct table_block none = {0}, *b = last_block(t);
    b = b != NULL ? b : &none;
    va_list args;
    va_start(args, format);
    sticky_append_text(&t->status, (void **)&b->rows, &b->n_rows, sizeof *b->rows, format, args);
    va_end(args);
}

void table_row_of_cells(struct table *t)
{
    struct table_block *b = last_block(t);
    if (b != NULL) {
        sticky_append(&t->status, (void **)&b->rows, &b->n_rows, sizeof *b->rows);
    }
}

void table_text(struct table *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = sticky_print(&t->status, format, args);
    va_end(args);
    struct table_cell *cell = new_cell(t);
    if (cell == NULL) {
        regret_free(text);
        return;
    }
    cell->text = text;
}

void table_cell(struct table *t, const char *text, double value, double se, int decimals,
                unsigned flags)
{
    char *copy = NULL;
    if (t->status == REGRET_OK && text != NULL) {
        t->status = regret_strdup(&copy, text);
    }
    struct table_cell *cell = new_cell(t);
    if (cell == NULL) {
        regret_free(copy);
        return;
    }
    *cell = (struct table_cell){copy, value, se, NAN, NAN, decimals, flags};
}

void table_limits(struct table *t, double value, double low, double high, int decimals,
                  unsigned flags)
{
    struct table_cell *cell = new_cell(t);
    if (cell != NULL) {
        *cell = (struct table_cell){.value = value,
                                    .se = NAN,
                                    .low = low,
                                    .high = high,
                                    .decimals = decimals,
                                    .flags = flags | TABLE_NUMBER | TABLE_LIMITS};
    }
}

void table_number(struct table *t, double value, int decimals)
{
    table_cell(t, NULL, value, NAN, decimals, TABLE_NUMBER);
}

void table_signed(struct table *t, double value, int decimals)
{
    table_cell(t, NULL, value, NAN, decimals, TABLE_NUMBER | TABLE_SIGNED);
}

void table_estimate(struct table *t, double value, double se, int decimals)
{
    table_cell(t, NULL, value, se, decimals, TABLE_NUMBER | TABLE_SE);
}

void table_signed_estimate(struct table *t, double value, double se, int decimals)
{
    table_cell(t, NULL, value, se, decimals, TABLE_NUMBER | TABLE_SE | TABLE_SIGNED);
}

int table_check(const struct table *t)
{
    for (size_t i = 0; t->status == REGRET_OK && i < t->n_blocks; i++) {
        const struct table_block *b = &t->blocks[i];
        for (size_t j = 0; j < b->n_rows; j++) {
            const char *label = b->rows[j].label;
            size_t n = b->rows[j].n_cells + (label != NULL);
            if (n != b->n_columns) {
                return regret_fail(REGRET_E_INTERNAL,
                                   "table %s: row \"%s\" has %zu cells for %zu columns", t->name,
                                   label != NULL ? label : "", n, b->n_columns);
            }
        }
    }
    return t->status;
}

static void free_block(struct table_block *b)
{
    texts_free(b->columns, b->n_columns);
    for (size_t i = 0; i < b->n_rows; i++) {
        for (size_t j = 0; j < b->rows[i].n_cells; j++) {
            regret_free(b->rows[i].cells[j].text);
        }
        regret_free(b->rows[i].cells);
        regret_free(b->rows[i].label);
    }
    regret_free(b->rows);
    regret_free(b->heading);
}

void table_free(struct table *t)
{
    for (size_t i = 0; i < t->n_blocks; i++) {
        free_block(&t->blocks[i]);
    }
    texts_free(t->notes, t->n_notes);
    regret_free(t->blocks);
    regret_free(t->name);
    regret_free(t->title);
    *t = (struct table){0};
}

/* " [low, high]" */
static void put_limits(struct regret_buffer *out, const struct table_cell *cell,
                       const struct table_signs *signs)
{
    const double end[2] = {cell->low, cell->high};
    for (size_t i = 0; i < 2; i++) {
        regret_buffer_append(out, i == 0 ? " [" : ", ");
        regret_buffer_append(out, end[i] < 0.0 ? signs->minus : "");
        regret_buffer_printf(out, "%.*f", cell->decimals, fabs(end[i]));
    }
    regret_buffer_append(out, "]");
}

void table_cell_number(struct regret_buffer *out, const struct table_cell *cell,
                       const struct table_signs *signs)
{
    if (!isfinite(cell->value)) {
        regret_buffer_append(out, signs->dash);
        return;
    }
    if (cell->flags & TABLE_SIGNIFICANT) {
        regret_buffer_append(out, signbit(cell->value) ? signs->minus : "");
        regret_buffer_printf(out, "%.*g", cell->decimals, fabs(cell->value));
        return;
    }
    char digits[64];
    snprintf(digits, sizeof digits, "%.*f", cell->decimals, fabs(cell->value));
    /* A number that rounds to zero has no sign worth showing. */
    int zero = strspn(digits, "0.") == strlen(digits);
    if (cell->value < 0.0 && !zero) {
        regret_buffer_append(out, signs->minus);
    } else if (cell->flags & TABLE_SIGNED) {
        regret_buffer_append_char(out, '+');
    }
    regret_buffer_append(out, digits);
    if (cell->flags & TABLE_LIMITS && isfinite(cell->low) && isfinite(cell->high)) {
        put_limits(out, cell, signs);
    }
    if (cell->flags & TABLE_SE) {
        regret_buffer_append(out, signs->plus_minus);
        if (isfinite(cell->se)) {
            regret_buffer_printf(out, "%.*f", cell->decimals, cell->se);
        } else {
            regret_buffer_append(out, signs->dash);
        }
    }
}

static const struct table_signs data_table_signs = {"-", " ± ", "–"};

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
                table_cell_number(out, cell, &data_table_signs);
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
