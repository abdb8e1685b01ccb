/* Tables about predicted labels. */

#include "rate/report/report.h"

static void correction_cells(struct data_table *t, const struct regret_rate_correction *c)
{
    data_cell_text(t, regret_rate_effect_name((enum regret_rate_effect_kind)c->effect));
    data_cell_count(t, c->n_labelled);
    data_cell_count(t, c->n_predicted);
    data_cell_number(t, c->lambda);
    data_cell_number(t, c->estimate);
    data_cell_number(t, c->se);
    data_cell_number(t, c->labelled);
    data_cell_number(t, c->labelled_se);
    data_cell_number(t, c->uncorrected);
    data_cell_number(t, c->uncorrected_se);
}

static void correction_table(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows)
{
    static const struct data_column columns[] = {
        {"dataset", 0},       {"attribute", 0},      {"reward_model", 0},
        {"effect", 0},        {"labelled", 0},       {"predicted", 0},
        {"lambda", 0},        {"corrected", 0},      {"se", 0},
        {"by_labelled", 0},   {"by_labelled_se", 0}, {"uncorrected", 0},
        {"uncorrected_se", 0}};
    struct data_table t;
    data_table_begin(&t, "corrections", "Predicted W, corrected by the labelled rows", columns,
                     sizeof columns / sizeof *columns);
    for (size_t k = 0; k < rows->n_corrections; k++) {
        const struct regret_rate_group *g = &rows->groups[rows->corrections[k].group];
        data_cell_text(&t, g->dataset);
        data_cell_text(&t, g->attribute);
        model_cell(&t, rows, rows->corrections[k].model);
        correction_cells(&t, &rows->corrections[k]);
    }
    document_table(out, format, 0, &t);
}

size_t count_predicted(const struct regret_rate_rows *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        n += rows->w_predicted[i];
    }
    return n;
}

void write_corrections_section(struct regret_buffer *out, enum regret_format format,
                               const struct regret_rate_rows *rows)
{
    if (count_predicted(rows) == 0 || format == REGRET_FORMAT_CSV) {
        return;
    }
    if (rows->corrections != NULL) {
        correction_table(out, format, rows);
    } else if (format == REGRET_FORMAT_JSON) {
        regret_buffer_append(out, ",\n\"corrections\": null");
    } else {
        document_words(out, format,
                       "\nUNCORRECTED: predictions were taken for labels. Where they err the "
                       "effects are biased, and the intervals do not know it.\n");
    }
}

void regret_rate_write_predicted(struct regret_buffer *out, enum regret_format format,
                                 const struct regret_rate_predicted_world *how,
                                 const struct regret_rate_predicted_result *results)
{
    static const struct data_column columns[] = {
        {"rows", 1},    {"labelled_share", 0}, {"accuracy", 0}, {"tilt", 0},
        {"way", 0},     {"effect", 0},         {"truth", 0},    {"bias", 0},
        {"bias_se", 0}, {"rmse", 0},           {"coverage", 0}, {"width", 0}};
    struct data_table t;
    document_begin(out, format);
    data_table_begin(&t, "predicted", "Predicted W in a world with a known truth", columns,
                     sizeof columns / sizeof *columns);
    for (int k = 0; k < REGRET_RATE_N_WAYS * REGRET_RATE_N_PREDICTED_EFFECTS; k++) {
        int effect = k % REGRET_RATE_N_PREDICTED_EFFECTS;
        data_cell_count(&t, how->n_rows);
        data_cell_number(&t, how->labelled);
        data_cell_number(&t, how->accuracy);
        data_cell_number(&t, how->tilt);
        data_cell_text(
            &t, regret_rate_way_name((enum regret_rate_way)(k / REGRET_RATE_N_PREDICTED_EFFECTS)));
        data_cell_text(&t, regret_rate_effect_name(
                               (enum regret_rate_effect_kind)(REGRET_EFFECT_RATE_ATE + effect)));
        data_cell_number(&t, results[k].truth);
        data_cell_number(&t, results[k].bias);
        data_cell_number(&t, results[k].bias_se);
        data_cell_number(&t, results[k].rmse);
        data_cell_number(&t, results[k].coverage);
        data_cell_number(&t, results[k].width);
    }
    document_table(out, format, 1, &t);
    document_end(out, format);
}
