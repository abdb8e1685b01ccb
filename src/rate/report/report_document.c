#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/core/sticky.h"
#include "base/text/take.h"
#include "rate/report/report.h"
#include "regret/alloc.h"

/* Documents of tables: none of HTML, which has pages. */
static const struct {
    void (*render)(struct regret_buffer *, const struct data_table *);
    const char *begin, *between, *end; /* of a document */
} formats[REGRET_N_FORMATS] = {
    [REGRET_FORMAT_MARKDOWN] = {render_data_markdown, "", "\n", ""},
    [REGRET_FORMAT_CSV] = {render_data_csv, "", "", ""},
    [REGRET_FORMAT_JSON] = {render_data_json, "{", ",", "\n}\n"},
    [REGRET_FORMAT_LATEX] = {render_data_latex, "", "\n", ""},
};

struct rate_document document_begin(struct regret_buffer *out, enum regret_format format,
                                    const struct regret_rate_rows *rows)
{
    if (formats[format].render == NULL) {
        regret_buffer_fail(out, regret_fail(REGRET_E_INPUT, "these tables have no format \"%s\"",
                                            regret_format_word(format)));
    } else {
        regret_buffer_append(out, formats[format].begin);
    }
    return (struct rate_document){.out = out, .format = format, .rows = rows};
}

void document_end(struct rate_document *d)
{
    regret_buffer_append(d->out, d->out->status == REGRET_OK ? formats[d->format].end : "");
}

struct data_table *document_table(struct rate_document *d, const char *name, const char *title,
                                  const char *columns)
{
    data_table_begin(&d->table, name, title, columns);
    return &d->table;
}

void document_put(struct rate_document *d)
{
    regret_buffer_fail(d->out, table_check(&d->table.table));
    if (d->out->status == REGRET_OK && (d->n_tables == 0 || d->format != REGRET_FORMAT_CSV)) {
        regret_buffer_append(d->out, d->n_tables > 0 ? formats[d->format].between : "");
        formats[d->format].render(d->out, &d->table);
        d->n_tables++;
    }
    table_free(&d->table.table);
}

/* A paragraph of Markdown as LaTeX: the marks of code and of items are left out. */
static void latex_words(struct regret_buffer *out, const char *markdown)
{
    struct regret_buffer plain = REGRET_BUFFER_INIT;
    markdown += strspn(markdown, "\n* ");
    for (; *markdown != '\0'; markdown++) {
        if (*markdown != '`' && *markdown != '\n') {
            regret_buffer_append_char(&plain, *markdown);
        }
    }
    regret_buffer_append(out, "\n\\noindent ");
    latex_escape(out, regret_buffer_get(&plain));
    regret_buffer_append(out, "\\par\n");
    regret_buffer_free_into(out, &plain);
}

void document_words(struct rate_document *d, const char *words, ...)
{
    int status = REGRET_OK;
    va_list arguments;
    va_start(arguments, words);
    char *own = sticky_print(&status, words, arguments);
    va_end(arguments);
    if (status != REGRET_OK) {
        regret_buffer_fail(d->out, status);
    } else if (d->format == REGRET_FORMAT_MARKDOWN) {
        regret_buffer_append(d->out, own);
    } else if (d->format == REGRET_FORMAT_LATEX) {
        latex_words(d->out, own);
    }
    regret_free(own);
}

void model_cell(struct rate_document *d, size_t model)
{
    const struct regret_rate_model *m = &d->rows->models[model];
    struct regret_buffer name = REGRET_BUFFER_INIT;
    regret_buffer_append(&name, m->name);
    regret_buffer_append(&name, m->contrastive ? " (contrastive)" : "");
    data_cell_text(&d->table, regret_buffer_get(&name));
    text_free_into(&d->table.table.status, &name);
}

void group_cells(struct rate_document *d, size_t group)
{
    data_cell_text(&d->table, d->rows->groups[group].dataset);
    data_cell_text(&d->table, d->rows->groups[group].attribute);
}

void model_cells(struct rate_document *d, size_t group, size_t model)
{
    group_cells(d, group);
    model_cell(d, model);
}

void cluster_cell(struct rate_document *d, int clustered)
{
    const char *key = d->rows->cluster_key;
    data_cell_text(&d->table, !clustered ? "none" : key == NULL ? "given" : key);
}

void effect_cells(struct data_table *t, const struct regret_rate_effect *e)
{
    DATA_NUMBERS(t, e->estimate, e->se, e->low, e->high, e->d, e->d_se);
}

void append_cut(struct regret_buffer *out, const char *text, size_t characters)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    size_t n = 0;
    regret_buffer_append_safe(&safe, text, SIZE_MAX);
    text = regret_buffer_get(&safe);
    for (; text[n] != '\0'; n++) {
        if (((unsigned char)text[n] & 0xC0) != 0x80 && characters-- == 0) {
            break;
        }
    }
    regret_buffer_append_n(out, text, n);
    regret_buffer_append(out, text[n] != '\0' ? "…" : "");
    regret_buffer_free_into(out, &safe);
}

void append_label(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t group,
                  size_t model)
{
    const struct regret_rate_group *g = &rows->groups[group];
    int several = 0;
    for (size_t k = 0; k < rows->n_groups; k++) {
        several |= strcmp(rows->groups[k].dataset, g->dataset) != 0;
    }
    if (several) {
        append_cut(out, g->dataset, 12);
        regret_buffer_append(out, " · ");
    }
    append_cut(out, g->attribute, 14);
    regret_buffer_append(out, g->attribute[0] != '\0' ? " · " : "");
    append_cut(out, rows->models[model].name, several ? 18 : 28);
    regret_buffer_append(out, rows->models[model].contrastive ? " (contrastive)" : "");
}
