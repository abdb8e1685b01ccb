/* Tables about predicted labels. */

#include "rate/report/report.h"

static void correction_cells(struct data_table *t, const struct regret_rate_correction *c)
{
    data_cell_text(t, regret_rate_effect_name((enum regret_rate_effect_kind)c->effect));
    DATA_COUNTS(t, c->n_labelled, c->n_predicted);
    DATA_NUMBERS(t, c->lambda, c->estimate, c->se, c->labelled, c->labelled_se, c->uncorrected,
                 c->uncorrected_se);
}

static void correction_table(struct rate_document *d)
{
    const struct regret_rate_rows *rows = d->rows;
    struct data_table *t = document_table(
        d, "corrections", "Predicted W, corrected by the labelled rows",
        "dataset attribute reward_model effect labelled predicted lambda corrected se "
        "by_labelled by_labelled_se uncorrected uncorrected_se");
    for (size_t k = 0; k < rows->n_corrections; k++) {
        model_cells(d, rows->corrections[k].group, rows->corrections[k].model);
        correction_cells(t, &rows->corrections[k]);
    }
    document_put(d);
}

size_t count_predicted(const struct regret_rate_rows *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        n += rows->w_predicted[i];
    }
    return n;
}

void write_corrections_section(struct rate_document *d)
{
    if (count_predicted(d->rows) == 0) {
        return;
    }
    if (d->rows->corrections != NULL) {
        correction_table(d);
    } else if (d->format == REGRET_FORMAT_JSON) {
        regret_buffer_append(d->out, ",\n\"corrections\": null");
    } else {
        document_words(d, "\nUNCORRECTED: predictions were taken for labels. Where they err the "
                          "effects are biased, and the intervals do not know it.\n");
    }
}

void regret_rate_write_predicted(struct regret_buffer *out, enum regret_format format,
                                 const struct regret_rate_predicted_world *how,
                                 const struct regret_rate_predicted_result *results)
{
    struct rate_document d = document_begin(out, format, NULL);
    struct data_table *t = document_table(
        &d, "predicted", "Predicted W in a world with a known truth",
        "(rows) labelled_share accuracy tilt way effect truth bias bias_se rmse coverage width");
    for (int k = 0; k < REGRET_RATE_N_WAYS * REGRET_RATE_N_PREDICTED_EFFECTS; k++) {
        int effect = k % REGRET_RATE_N_PREDICTED_EFFECTS;
        data_cell_count(t, how->n_rows);
        DATA_NUMBERS(t, how->labelled, how->accuracy, how->tilt);
        data_cell_text(
            t, regret_rate_way_name((enum regret_rate_way)(k / REGRET_RATE_N_PREDICTED_EFFECTS)));
        data_cell_text(t, regret_rate_effect_name(
                              (enum regret_rate_effect_kind)(REGRET_EFFECT_RATE_ATE + effect)));
        DATA_NUMBERS(t, results[k].truth, results[k].bias, results[k].bias_se, results[k].rmse,
                     results[k].coverage, results[k].width);
    }
    document_put(&d);
    document_end(&d);
}
