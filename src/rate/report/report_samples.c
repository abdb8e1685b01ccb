/* Some rows with their texts beside one another, as a table. */
#include <math.h>
#include <stdint.h>

#include "base/core/try.h"
#include "base/text/take.h"
#include "rate/report/report.h"
#include "regret/alloc.h"

int has_texts(const struct regret_rate_rows *rows, size_t i)
{
    int all = rows->texts != NULL && rows->w[i] <= REGRET_LABEL_1;
    for (int s = 0; all && s < REGRET_N_SIDES; s++) {
        all = rows->texts[i].completion[s] != NULL;
    }
    return all;
}

void append_rewards(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i,
                    int side)
{
    const char *between = "";
    for (size_t m = 0; m < rows->n_models; m++) {
        double x = rows->models[m].contrastive ? (double)NAN : rows->models[m].score[side][i];
        if (isfinite(x)) {
            regret_buffer_printf(out, "%s%s %.4g", between, rows->models[m].name, x);
            between = ", ";
        }
    }
}

/* A cell of what is in `text`, which is cleared but for a failure. */
static void take_cell(struct data_table *t, struct regret_buffer *text)
{
    data_cell_text(t, regret_buffer_get(text));
    regret_buffer_clear(text);
}

static void sample_row(struct rate_document *d, size_t i)
{
    enum { CUT = 240 };
    const struct regret_rate_rows *rows = d->rows;
    struct data_table *t = &d->table;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t width =
        d->format == REGRET_FORMAT_MARKDOWN || d->format == REGRET_FORMAT_LATEX ? CUT : SIZE_MAX;
    group_cells(d, rows->group[i]);
    regret_buffer_printf(&text, "%s:%zu",
                         rows->file[i] < rows->n_files ? rows->files[rows->file[i]].name : "row",
                         rows->line[i]);
    take_cell(t, &text);
    data_cell_count(t, rows->w[i]);
    for (int s = 0; s < REGRET_N_SIDES; s++) {
        regret_buffer_append_safe(&text, rows->texts[i].completion[s], width);
        take_cell(t, &text);
        append_rewards(&text, rows, i, s);
        take_cell(t, &text);
    }
    text_free_into(&t->table.status, &text);
}

int regret_rate_write_samples(struct regret_buffer *out, enum regret_format format,
                              const struct regret_rate_rows *rows, size_t per_group, size_t *shown)
{
    size_t *of_group = NULL;
    TRY(REGRET_NEW(&of_group, rows->n_groups + 1));
    *shown = 0;
    struct rate_document d = document_begin(out, format, rows);
    document_table(&d, "samples", "Texts beside one another",
                   "dataset attribute row w original original_rewards rewrite rewrite_rewards "
                   "rewrite_of_rewrite rewrite_of_rewrite_rewards");
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (has_texts(rows, i) && of_group[rows->group[i]]++ < per_group) {
            sample_row(&d, i);
            ++*shown;
        }
    }
    document_put(&d);
    document_end(&d);
    regret_free(of_group);
    return regret_buffer_status(out);
}
