/* Tables as CSV, HTML, JSON, LaTeX and Markdown. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "regret/status.h"
#include "report/table.h"

/* Long CSV by RFC 4180 (lines end in "\n"): one record a cell, so that tables whose blocks have
 * different columns are still one rectangular file. Notes and the title are records too, with the
 * block "note" and "title", so that what the data are is never cut off the numbers. */

static void csv_put_cell(struct regret_buffer *out, const struct table_block *b,
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

static void render_csv(struct regret_buffer *out, const struct table *t)
{
    regret_buffer_append(out, "block,row,column,value,se,text\ntitle,,,,,");
    csv_field(out, t->title);
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < t->n_blocks; i++) {
        const struct table_block *b = &t->blocks[i];
        for (size_t r = 0; b->readers != TABLE_FOR_PEOPLE && r < b->n_rows; r++) {
            for (size_t j = 0; j < b->rows[r].n_cells; j++) {
                csv_put_cell(out, b, &b->rows[r], j);
            }
        }
    }
    for (size_t i = 0; i < t->n_notes; i++) {
        regret_buffer_append(out, "note,,,,,");
        csv_field(out, t->notes[i]);
        regret_buffer_append_char(out, '\n');
    }
}

/* HTML: one <section> a table, to be put into any page. Nothing in it has a style or a script of its
 * own; what the classes look like is the page's matter (data/report/page.css). */

static const struct table_signs html_signs = {"−", " ± ", "–"};

/* A table of more columns is printed smaller. */
enum { MANY_COLUMNS = 9, SHORT_TEXT = 26 };

static void html_put_element(struct regret_buffer *out, const char *element, const char *text)
{
    regret_buffer_printf(out, "<%s>", element);
    html_escape(out, text);
    regret_buffer_printf(out, "</%.*s>", (int)strcspn(element, " "), element);
}

/* The number as it is shown, with all its digits for who wants to sort by it or read them. */
static void html_put_number(struct regret_buffer *out, const struct table_cell *cell)
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
    table_cell_number(out, cell, &html_signs);
    regret_buffer_append(out, "</data>");
}

/* A short text is not broken; a long one gets some room. */
static const char *class_of(const char *text)
{
    return strlen(text) <= SHORT_TEXT ? "short" : "long";
}

static void html_put_cell(struct regret_buffer *out, const struct table_cell *cell)
{
    regret_buffer_printf(out, "<td class=\"%s\">", cell->text != NULL ? class_of(cell->text) : "n");
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "<strong>" : "");
    if (cell->text != NULL) {
        html_escape(out, cell->text);
    }
    if (cell->flags & TABLE_NUMBER) {
        regret_buffer_append(out, cell->text != NULL ? " " : "");
        html_put_number(out, cell);
    }
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "</strong></td>" : "</td>");
}

/* The heads of columns of numbers stand at the right, too. */
static void html_put_head(struct regret_buffer *out, const struct table_block *b, size_t column)
{
    size_t labels = b->n_rows > 0 && b->rows[0].label != NULL;
    const struct table_cell *first =
        b->n_rows > 0 && column >= labels ? &b->rows[0].cells[column - labels] : NULL;
    int number = first != NULL && first->text == NULL;
    html_put_element(out, number ? "th scope=\"col\" class=\"n\"" : "th scope=\"col\"",
                     b->columns[column]);
}

static void html_put_row(struct regret_buffer *out, const struct table_row *row)
{
    regret_buffer_append(out, "<tr>");
    if (row->label != NULL) {
        html_put_element(out,
                         strlen(row->label) <= SHORT_TEXT ? "th scope=\"row\" class=\"short\""
                                                          : "th scope=\"row\"",
                         row->label);
    }
    for (size_t j = 0; j < row->n_cells; j++) {
        html_put_cell(out, &row->cells[j]);
    }
    regret_buffer_append(out, "</tr>\n");
}

/* A block without a heading is called what the table is called, which the section shows already. */
static void html_put_block(struct regret_buffer *out, const struct table *t,
                           const struct table_block *b)
{
    const char *name = b->heading[0] != '\0' ? b->heading : t->title;
    regret_buffer_append(out, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html_escape(out, name);
    regret_buffer_printf(out, "\">\n<table%s>\n",
                         b->n_columns > MANY_COLUMNS ? " class=\"many\"" : "");
    html_put_element(out, b->heading[0] != '\0' ? "caption" : "caption class=\"same\"", name);
    regret_buffer_append(out, "\n<thead><tr>");
    for (size_t i = 0; i < b->n_columns; i++) {
        html_put_head(out, b, i);
    }
    regret_buffer_append(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < b->n_rows; i++) {
        html_put_row(out, &b->rows[i]);
    }
    regret_buffer_append(out, "</tbody>\n</table>\n</div>\n");
}

void html_element(struct regret_buffer *out, const char *element, const char *text)
{
    html_put_element(out, element, text);
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
                html_put_block(out, t, &t->blocks[i]);
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

static void render_html(struct regret_buffer *out, const struct table *t)
{
    regret_buffer_printf(out, "<section id=\"%s\">\n", t->name);
    html_element(out, "h2", t->title);
    html_table(out, t);
    regret_buffer_append(out, "</section>\n");
}

/* A table as one JSON object (docs/formats.md): blocks of rows, each an array with a value for each column,
 * whose type tells what the values are. Numbers are as they were computed; what is missing or not finite is
 * null. */

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

static void json_put_number(struct regret_buffer *out, const struct table_cell *cell, unsigned flag)
{
    regret_buffer_json_number(out, (cell->flags & flag) == 0 ? NAN
                                   : flag == TABLE_NUMBER    ? cell->value
                                                             : cell->se);
}

static void json_put_cell(struct regret_buffer *out, const struct table_cell *cell,
                          enum column_type type)
{
    if (type == COLUMN_TEXT) {
        table_json_string(out, cell->text);
        return;
    }
    if (type == COLUMN_NUMBER) {
        json_put_number(out, cell, TABLE_NUMBER);
        return;
    }
    regret_buffer_append_char(out, '{');
    if (type == COLUMN_MIXED) {
        regret_buffer_append(out, "\"text\":");
        table_json_string(out, cell->text);
        regret_buffer_append_char(out, ',');
    }
    regret_buffer_append(out, "\"value\":");
    json_put_number(out, cell, TABLE_NUMBER);
    regret_buffer_append(out, ",\"se\":");
    json_put_number(out, cell, TABLE_SE);
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

static void json_put_row(struct regret_buffer *out, const struct table_row *row,
                         const enum column_type *types)
{
    regret_buffer_append_char(out, '[');
    if (row->label != NULL) {
        table_json_string(out, row->label);
    }
    for (size_t j = 0; j < row->n_cells; j++) {
        regret_buffer_append(out, j > 0 || row->label != NULL ? "," : "");
        json_put_cell(out, &row->cells[j], types[j]);
    }
    regret_buffer_append_char(out, ']');
}

static void json_put_block(struct regret_buffer *out, const struct table_block *b)
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
        json_put_row(out, &b->rows[r], types);
    }
    regret_buffer_append(out, "]}");
    regret_free(types);
}

static void render_json(struct regret_buffer *out, const struct table *t)
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
            json_put_block(out, &t->blocks[i]);
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

/* LaTeX with the booktabs package; one tabular a block. */

static const struct table_signs latex_signs = {"$-$", " $\\pm$ ", "--"};

enum { LONG_TEXT = 40 }; /* characters of a text that is set in lines */

/* Whether a column is shown; `data` is the table of data that the columns are of, or NULL. */
static int is_shown(const struct data_table *data, size_t k)
{
    return data == NULL || !data_is_detail(data, k);
}

static void latex_put_cell(struct regret_buffer *out, const struct table_cell *cell)
{
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "\\textbf{" : "");
    if (cell->text != NULL) {
        latex_escape(out, cell->text);
    }
    if (cell->flags & TABLE_NUMBER) {
        regret_buffer_append(out, cell->text != NULL ? " " : "");
        table_cell_number(out, cell, &latex_signs);
    }
    regret_buffer_append(out, cell->flags & TABLE_BEST ? "}" : "");
}

static void latex_put_row(struct regret_buffer *out, const struct table_row *row,
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
            latex_put_cell(out, &row->cells[j]);
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

static void latex_put_block(struct regret_buffer *out, const struct table_block *b,
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
        latex_put_row(out, &b->rows[i], data);
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
            latex_put_block(out, &t->blocks[i], data);
        }
    }
    regret_buffer_append(out, "\\par\\footnotesize\n");
    for (size_t i = 0; i < t->n_notes; i++) {
        latex_escape(out, t->notes[i]);
        regret_buffer_append(out, "\\par\n");
    }
    regret_buffer_append(out, "\\end{table}\n");
}

static void render_latex(struct regret_buffer *out, const struct table *t)
{
    put_table(out, t, NULL);
}

void render_data_latex(struct regret_buffer *out, const struct data_table *t)
{
    put_table(out, &t->table, t);
}

/* GitHub-flavoured Markdown. */

static void markdown_put_cell(struct regret_buffer *out, const struct table_cell *cell)
{
    const char *stress = cell->flags & TABLE_BEST ? "**" : "";
    regret_buffer_printf(out, " %s", stress);
    if (cell->text != NULL) {
        markdown_escape(out, cell->text);
    }
    if (cell->flags & TABLE_NUMBER) {
        regret_buffer_append(out, cell->text != NULL ? " " : "");
        table_cell_number(out, cell, &html_signs);
    }
    regret_buffer_printf(out, "%s |", stress);
}

static void markdown_put_block(struct regret_buffer *out, const struct table_block *b)
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
            markdown_put_cell(out, &b->rows[i].cells[j]);
        }
        regret_buffer_append_char(out, '\n');
    }
}

static void render_markdown(struct regret_buffer *out, const struct table *t)
{
    regret_buffer_append(out, "## ");
    markdown_escape(out, t->title);
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < t->n_blocks; i++) {
        if (t->blocks[i].readers != TABLE_FOR_DATA) {
            markdown_put_block(out, &t->blocks[i]);
        }
    }
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < t->n_notes; i++) {
        regret_buffer_append(out, "* ");
        markdown_escape(out, t->notes[i]);
        regret_buffer_append_char(out, '\n');
    }
}

/* Every format: its word and its renderer, in the order of enum regret_format. */
static void (*const renderers[REGRET_N_FORMATS])(struct regret_buffer *, const struct table *) = {
    [REGRET_FORMAT_MARKDOWN] = render_markdown, [REGRET_FORMAT_CSV] = render_csv,
    [REGRET_FORMAT_LATEX] = render_latex,       [REGRET_FORMAT_HTML] = render_html,
    [REGRET_FORMAT_JSON] = render_json,         [REGRET_FORMAT_TEXT] = render_text,
};
static const char *const words[REGRET_N_FORMATS] = {
    [REGRET_FORMAT_MARKDOWN] = "md", [REGRET_FORMAT_CSV] = "csv",   [REGRET_FORMAT_LATEX] = "tex",
    [REGRET_FORMAT_HTML] = "html",   [REGRET_FORMAT_JSON] = "json", [REGRET_FORMAT_TEXT] = "text",
};

int render(struct regret_buffer *out, const struct table *t, enum regret_format format)
{
    TRY(table_check(t));
    renderers[format](out, t);
    return regret_buffer_status(out);
}

int render_made(struct regret_buffer *out, struct table *t, int made, enum regret_format format)
{
    int rc;
    TRY_CLEANUP(made);
    rc = render(out, t, format);
cleanup:
    table_free(t);
    return rc;
}

const char *regret_format_word(enum regret_format format)
{
    return words[format];
}

int regret_format_parse(enum regret_format *out, const char *word)
{
    for (size_t i = 0; i < REGRET_N_FORMATS; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = (enum regret_format)i;
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "unknown format \"%s\"; there are text, md, csv, tex, html and json", word);
}
