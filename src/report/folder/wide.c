/* Wide CSV by RFC 4180: what a data frame wants to be read from. Every column has one type, and a number is a number
 * with all its digits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/folder/wide.h"
#include "results/run/run_file.h"

/* A head of the file, of one or several blocks, and which columns it wants. */
struct wide_head {
    const char *name;
    size_t length; /* of the name, without " ± SE" */
    size_t nth;    /* of those of that name in a block, from 0 */
    int keyed;     /* 1: of columns that stand for values of keys: value, se and text */
    int number, se, text;
};

struct wide {
    const struct table *table;
    struct wide_head *heads; /* room for every column of every block */
    size_t n_heads;
    size_t *head_of; /* of the columns of all blocks, one block after the other */
    const char **keys;
    size_t n_keys;
};

FREED_FIELDS(wide, of->heads, of->head_of, of->keys)

static int has_keys(const struct table_block *b, size_t column)
{
    size_t i = 0;
    while (i < b->n_keys && b->keys[i].column != column) {
        i++;
    }
    return i < b->n_keys;
}

/* The cells of a row begin with column 1, or with 0 where it has no label. */
static const struct table_cell *cell_at(const struct table_row *row, size_t column)
{
    size_t first = row->label != NULL;
    return column >= first ? &row->cells[column - first] : NULL;
}

static size_t name_length(const char *name)
{
    static const char error[] = " ± SE";
    size_t n = strlen(name), tail = sizeof error - 1;
    return n > tail && strcmp(name + n - tail, error) == 0 ? n - tail : n;
}

/* How many columns of the block before this one have its name. */
static size_t count_before(const struct table_block *b, size_t column)
{
    size_t n = 0;
    for (size_t j = 0; j < column; j++) {
        n += !has_keys(b, j) && strcmp(b->columns[j], b->columns[column]) == 0;
    }
    return n;
}

static struct wide_head *find_head(struct wide *w, const struct table_block *b, size_t column)
{
    int keyed = has_keys(b, column);
    const char *name = keyed ? "" : b->columns[column];
    size_t length = name_length(name), nth = keyed ? 0 : count_before(b, column), i = 0;
    while (i < w->n_heads &&
           (w->heads[i].keyed != keyed || w->heads[i].length != length || w->heads[i].nth != nth ||
            memcmp(w->heads[i].name, name, length) != 0)) {
        i++;
    }
    if (i == w->n_heads) {
        w->heads[w->n_heads++] =
            (struct wide_head){.name = name, .length = length, .nth = nth, .keyed = keyed};
    }
    return &w->heads[i];
}

static void note_cells(struct wide_head *head, const struct table_block *b, size_t column)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct table_cell *cell = cell_at(&b->rows[i], column);
        if (cell != NULL) {
            head->number |= (cell->flags & TABLE_NUMBER) != 0;
            head->se |= (cell->flags & TABLE_SE) != 0;
            head->text |= cell->text != NULL;
        }
    }
}

static void note_key(struct wide *w, const char *name)
{
    size_t i = texts_find(w->keys, w->n_keys, name);
    w->keys[i] = name;
    w->n_keys += i == w->n_keys;
}

static int is_label(const struct table_block *b, size_t column)
{
    return column == 0 && (b->n_rows == 0 || b->rows[0].label != NULL);
}

static int collect(struct wide *w, const struct regret_results *r)
{
    size_t columns = 0, keys = 0, at = 0;
    for (size_t i = 0; i < w->table->n_blocks; i++) {
        columns += w->table->blocks[i].n_columns;
        keys += w->table->blocks[i].n_keys;
    }
    TRY(REGRET_NEW(&w->heads, columns));
    TRY(REGRET_NEW(&w->head_of, columns));
    TRY(REGRET_NEW(&w->keys, r->n_keys + keys + 1));
    for (size_t k = 0; k < r->n_keys; k++) {
        note_key(w, r->keys[k].name);
    }
    for (size_t i = 0; i < w->table->n_blocks; i++) {
        const struct table_block *b = &w->table->blocks[i];
        for (size_t k = 0; k < b->n_keys; k++) {
            note_key(w, b->keys[k].name);
        }
        for (size_t j = 0; j < b->n_columns; j++, at++) {
            if (!is_label(b, j) && b->readers != TABLE_FOR_PEOPLE) {
                struct wide_head *head = find_head(w, b, j);
                w->head_of[at] = (size_t)(head - w->heads);
                note_cells(head, b, j);
            }
        }
    }
    return REGRET_OK;
}

static void put_head(struct regret_buffer *out, const struct wide_head *head, const char *what)
{
    char name[256];
    int bare = head->keyed;
    int n = snprintf(name, sizeof name, "%.*s", (int)(head->length < 200 ? head->length : 200),
                     head->name);
    if (head->nth > 0) {
        n += snprintf(name + n, sizeof name - (size_t)n, " %zu", head->nth + 1);
    }
    snprintf(name + n, sizeof name - (size_t)n, "%s%s", bare || what[0] == '\0' ? "" : " ", what);
    regret_buffer_append_char(out, ',');
    csv_field(out, bare && what[0] == '\0' ? "value" : name);
}

static void put_heads(struct regret_buffer *out, const struct wide *w)
{
    regret_buffer_append(out, "block");
    for (size_t k = 0; k < w->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, w->keys[k]);
    }
    regret_buffer_append(out, ",row");
    for (size_t i = 0; i < w->n_heads; i++) {
        const struct wide_head *head = &w->heads[i];
        if (head->number) {
            put_head(out, head, "");
        }
        if (head->se) {
            put_head(out, head, "se");
        }
        if (head->text) {
            put_head(out, head, head->number ? "text" : "");
        }
    }
    regret_buffer_append(out, RUN_FACTS_CSV);
}

/* The key's value for a row and a column (TABLE_EACH: for those without keys), or "". */
static const char *key_value(const struct table_block *b, const char *name, size_t row,
                             size_t column)
{
    for (size_t i = 0; i < b->n_keys; i++) {
        const struct table_key *key = &b->keys[i];
        if ((key->row == TABLE_EACH || key->row == row) &&
            (key->column == TABLE_EACH || key->column == column) && strcmp(key->name, name) == 0) {
            return key->value;
        }
    }
    return "";
}

static void put_cell(struct regret_buffer *out, const struct wide_head *head,
                     const struct table_cell *cell)
{
    static const struct table_cell none = {0};
    cell = cell != NULL ? cell : &none;
    if (head->number) {
        regret_buffer_append_char(out, ',');
        csv_number(out, cell->flags & TABLE_NUMBER ? cell->value : (double)NAN);
    }
    if (head->se) {
        regret_buffer_append_char(out, ',');
        csv_number(out, cell->flags & TABLE_SE ? cell->se : (double)NAN);
    }
    if (head->text) {
        regret_buffer_append_char(out, ',');
        csv_field(out, cell->text != NULL ? cell->text : "");
    }
}

/* A place in the table that records are made of. */
struct wide_row {
    const struct table_block *block;
    const size_t *head_of; /* of the block's columns */
    size_t row;
};

/* The cells that stand under no key (column TABLE_EACH), or the one of a column that does. */
static void put_record(struct regret_buffer *out, const struct wide *w, const struct wide_row *at,
                       size_t column, const struct regret_results *r)
{
    const struct table_block *b = at->block;
    const struct table_row *row = &b->rows[at->row];
    csv_field(out, b->heading);
    for (size_t k = 0; k < w->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, key_value(b, w->keys[k], at->row, column));
    }
    regret_buffer_append_char(out, ',');
    csv_field(out, row->label != NULL ? row->label : "");
    for (size_t i = 0; i < w->n_heads; i++) {
        const struct table_cell *cell = NULL;
        for (size_t j = 0; cell == NULL && j < b->n_columns; j++) {
            int mine = column == TABLE_EACH ? !w->heads[at->head_of[j]].keyed : j == column;
            cell = mine && !is_label(b, j) && at->head_of[j] == i ? cell_at(row, j) : NULL;
        }
        put_cell(out, &w->heads[i], cell);
    }
    run_facts_csv(out, &r->run);
}

static void put_row(struct regret_buffer *out, const struct wide *w, const struct wide_row *at,
                    const struct regret_results *r)
{
    const struct table_block *b = at->block;
    int plain = 0;
    for (size_t j = 0; j < b->n_columns; j++) {
        plain |= !is_label(b, j) && !w->heads[at->head_of[j]].keyed;
    }
    if (plain) {
        put_record(out, w, at, TABLE_EACH, r);
    }
    for (size_t j = 0; j < b->n_columns; j++) {
        if (!is_label(b, j) && w->heads[at->head_of[j]].keyed) {
            put_record(out, w, at, j, r);
        }
    }
}

int wide_csv(struct regret_buffer *out, const struct table *t, const struct regret_results *r)
{
    FREED_BY(wide_fields) struct wide w = {.table = t};
    size_t first = 0;
    TRY(table_check(t));
    TRY(collect(&w, r));
    put_heads(out, &w);
    for (size_t i = 0; i < t->n_blocks; i++) {
        size_t rows = t->blocks[i].readers != TABLE_FOR_PEOPLE ? t->blocks[i].n_rows : 0;
        for (size_t j = 0; j < rows; j++) {
            put_row(out, &w, &(struct wide_row){&t->blocks[i], &w.head_of[first], j}, r);
        }
        first += t->blocks[i].n_columns;
    }
    return regret_buffer_status(out);
}
