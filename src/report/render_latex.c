/* LaTeX with the booktabs package; one tabular a block. */
#include <string.h>

#include "report/table.h"

static const struct table_signs signs = {"$-$", " $\\pm$ ", "--"};

static void put_row(struct regret_text *out, const struct table_row *row)
{
    latex_escape(out, row->label);
    for (size_t j = 0; j < row->n_cells; j++) {
        const struct table_cell *cell = &row->cells[j];
        regret_text_append(out, cell->flags & TABLE_BEST ? " & \\textbf{" : " & ");
        if (cell->text != NULL) {
            latex_escape(out, cell->text);
        }
        if (cell->flags & TABLE_NUMBER) {
            regret_text_append(out, cell->text != NULL ? " " : "");
            table_cell_number(out, cell, &signs);
        }
        regret_text_append(out, cell->flags & TABLE_BEST ? "}" : "");
    }
    regret_text_append(out, " \\\\\n");
}

static void put_block(struct regret_text *out, const struct table_block *b)
{
    if (b->heading[0] != '\0') {
        regret_text_append(out, "\n\\medskip\\textbf{");
        latex_escape(out, b->heading);
        regret_text_append(out, "}\\par\n");
    }
    regret_text_append(out, "\\begin{tabular}{l");
    for (size_t i = 1; i < b->n_columns; i++) {
        int text = b->n_rows > 0 && b->rows[0].cells[i - 1].text != NULL;
        regret_text_append_char(out, text ? 'l' : 'r');
    }
    regret_text_append(out, "}\n\\toprule\n");
    for (size_t i = 0; i < b->n_columns; i++) {
        regret_text_append(out, i > 0 ? " & " : "");
        latex_escape(out, b->columns[i]);
    }
    regret_text_append(out, " \\\\\n\\midrule\n");
    for (size_t i = 0; i < b->n_rows; i++) {
        put_row(out, &b->rows[i]);
    }
    regret_text_append(out, "\\bottomrule\n\\end{tabular}\\par\n");
}

void render_latex(struct regret_text *out, const struct table *t)
{
    regret_text_append(out, "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n"
                            "\\caption{");
    latex_escape(out, t->title);
    regret_text_printf(out, "}\n\\label{tab:%s}\n", t->name);
    for (size_t i = 0; i < t->n_blocks; i++) {
        put_block(out, &t->blocks[i]);
    }
    regret_text_append(out, "\\par\\footnotesize\n");
    for (size_t i = 0; i < t->n_notes; i++) {
        latex_escape(out, t->notes[i]);
        regret_text_append(out, "\\par\n");
    }
    regret_text_append(out, "\\end{table}\n");
}
