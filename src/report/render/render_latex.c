/* LaTeX with the booktabs package; one tabular a block. */
#include <string.h>

#include "report/render/data_table.h"

static const struct table_signs signs = {"$-$", " $\\pm$ ", "--"};

enum { LONG_TEXT = 40 }; /* characters of a text that is set in lines */

/* Whether a column is shown; `data` is the table of data that the columns are of, or NULL. */
static int is_shown(const struct data_table *data, size_t k)
{
    return data == NULL || !data_is_detail(data, k);
}

static void put_cell(struct regret_buffer *out, const struct table_cell *cell)
{
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "\\textbf{" : "");
    if (cell->text != NULL) {
        latex_escape(out, cell->text);
    }
    if (cell->flags & TABLE_NUMBER) {
        regret_buffer_append(out, cell->text != NULL ? " " : "");
        table_cell_number(out, cell, &signs);
    }
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "}" : "");
}

static void put_row(struct regret_buffer *out, const struct table_row *row,
                    const struct data_table *data)
{
    const char *between = "";
    if (row->label != NULL) {
        latex_escape(out, row->label);
        between = " & ";
    }
    for (size_t j = 0; j < row->n_cells; j++) {
        if (is_shown(data, j)) {
            regret_buffer_append(out, between);
            put_cell(out, &row->cells[j]);
            between = " & ";
        }
    }
    regret_buffer_append(out, " \\\\\n");
}

/* l, r, or a width in which a long text of column k of a table of data is set. */
static const char *alignment(const struct table_block *b, size_t k)
{
    const char *found = "l";
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct table_cell *cell = &b->rows[i].cells[k];
        if (cell->text != NULL && strlen(cell->text) > LONG_TEXT) {
            return "p{6cm}";
        }
        found = cell->flags & TABLE_NUMBER ? "r" : found;
    }
    return found;
}

static void put_alignments(struct regret_buffer *out, const struct table_block *b,
                           const struct data_table *data)
{
    for (size_t i = 0; data != NULL && i < b->n_columns; i++) {
        regret_buffer_append(out, is_shown(data, i) ? alignment(b, i) : "");
    }
    for (size_t i = 0; data == NULL && i < b->n_columns; i++) {
        int text = i == 0 || (b->n_rows > 0 && b->rows[0].cells[i - 1].text != NULL);
        regret_buffer_append_char(out, text ? 'l' : 'r');
    }
}

static void put_block(struct regret_buffer *out, const struct table_block *b,
                      const struct data_table *data)
{
    const char *between = "";
    if (b->heading[0] != '\0') {
        regret_buffer_append(out, "\n\\medskip\\textbf{");
        latex_escape(out, b->heading);
        regret_buffer_append(out, "}\\par\n");
    }
    regret_buffer_append(out, "\\begin{tabular}{");
    put_alignments(out, b, data);
    regret_buffer_append(out, "}\n\\toprule\n");
    for (size_t i = 0; i < b->n_columns; i++) {
        if (is_shown(data, i)) {
            regret_buffer_append(out, between);
            latex_escape(out, b->columns[i]);
            between = " & ";
        }
    }
    regret_buffer_append(out, " \\\\\n\\midrule\n");
    for (size_t i = 0; i < b->n_rows; i++) {
        put_row(out, &b->rows[i], data);
    }
    regret_buffer_append(out, "\\bottomrule\n\\end{tabular}\\par\n");
}

static void put_table(struct regret_buffer *out, const struct table *t,
                      const struct data_table *data)
{
    regret_buffer_append(out, "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n"
                              "\\caption{");
    latex_escape(out, t->title);
    regret_buffer_printf(out, "}\n\\label{tab:%s}\n", t->name);
    for (size_t i = 0; i < t->n_blocks; i++) {
        if (t->blocks[i].readers != TABLE_FOR_DATA) {
            put_block(out, &t->blocks[i], data);
        }
    }
    regret_buffer_append(out, "\\par\\footnotesize\n");
    for (size_t i = 0; i < t->n_notes; i++) {
        latex_escape(out, t->notes[i]);
        regret_buffer_append(out, "\\par\n");
    }
    regret_buffer_append(out, "\\end{table}\n");
}

void render_latex(struct regret_buffer *out, const struct table *t)
{
    put_table(out, t, NULL);
}

void render_data_latex(struct regret_buffer *out, const struct data_table *t)
{
    put_table(out, &t->table, t);
}
