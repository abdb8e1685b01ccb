/* The table of contrasts (rate_inference.h). */
#include <math.h>

#include "base/text/take.h"
#include "rate/report/report.h"

/* "attribute · model: effect" */
static void side_cell(struct rate_document *d, const struct regret_rate_estimate *e,
                      enum regret_rate_effect_kind effect)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    append_label(&label, d->rows, e->group, e->model);
    regret_buffer_printf(&label, ": %s", regret_rate_effect_name(effect));
    data_cell_text(&d->table, regret_buffer_get(&label));
    text_free_into(&d->table.table.status, &label);
}

/* The cells "dataset" to "effect". */
static void place_cells(struct rate_document *d, const struct regret_rate_estimate *e,
                        enum regret_rate_effect_kind effect)
{
    model_cells(d, e->group, e->model);
    data_cell_text(&d->table, regret_rate_effect_name(effect));
}

static void contrast_row(struct rate_document *d, const struct regret_rate_contrasts *contrasts,
                         const struct regret_rate_contrast *c)
{
    const struct regret_rate_estimate *e[2] = {&contrasts->estimates[c->estimate[0]],
                                               &contrasts->estimates[c->estimate[1]]};
    struct data_table *t = &d->table;
    data_cell_text(t, regret_rate_contrast_name(c->kind));
    for (int k = 0; k < 2; k++) {
        side_cell(d, e[k], c->effect[k]);
        place_cells(d, e[k], c->effect[k]);
    }
    data_cell_text(t, c->is_d ? "d" : "reward");
    DATA_NUMBERS(t, c->value[0], c->value[1], c->difference, c->se, c->df, c->low, c->high,
                 c->all_low, c->all_high, c->p, c->p_holm, c->detectable);
    cluster_cell(d, e[0]->clustered || e[1]->clustered);
    DATA_COUNTS(t, c->n_clusters, c->n_shared);
    data_cell_text(t, c->missing);
}

static void write_together(struct rate_document *d, const struct regret_rate_contrasts *c)
{
    if (d->format == REGRET_FORMAT_JSON) {
        regret_buffer_printf(d->out, ",\n\"simultaneous\": \"%s\",\n\"critical\": ",
                             c->by_max_t ? "max-t" : "sidak");
        regret_buffer_json_number(d->out, c->critical);
    } else {
        document_words(
            d,
            "\n%zu contrast%s, first minus second. `low` and `high` hold each in 95 %% of "
            "the cases, `all_low` and `all_high` all of them together (%s, |z| up to "
            "%.3f); `p_holm` is adjusted for all. `detectable`: the least true "
            "difference found with 80 %% power.\n",
            c->n, c->n == 1 ? "" : "s",
            c->by_max_t ? "the greatest |t| by their correlations" : "Šidák", c->critical);
    }
}

void regret_rate_write_contrasts(struct regret_buffer *out, enum regret_format format,
                                 const struct regret_rate_rows *rows,
                                 const struct regret_rate_contrasts *contrasts)
{
    struct rate_document d = document_begin(out, format, rows);
    document_table(&d, "contrasts", "Differences of attribute effects",
                   "contrast first (dataset) (attribute) (reward_model) (effect) second "
                   "(second_dataset) (second_attribute) (second_reward_model) (second_effect) "
                   "scale (first_value) (second_value) difference se (df) low high all_low "
                   "all_high p p_holm detectable (cluster) n_clusters n_shared missing");
    for (size_t k = 0; k < contrasts->n; k++) {
        contrast_row(&d, contrasts, &contrasts->contrasts[k]);
    }
    document_put(&d);
    write_together(&d, contrasts);
    write_issues_section(&d);
    document_end(&d);
}
