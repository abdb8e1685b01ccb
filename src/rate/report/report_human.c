/* Reward models against people, as tables. */

#include "rate/report/report.h"

static void pair_cells(struct rate_document *d, const struct regret_rate_choices *c)
{
    model_cells(d, c->group, c->model);
    data_cell_text(&d->table, c->is_double ? "rewrites" : "original and rewrite");
}

static void write_choices(struct rate_document *d, const struct regret_rate_calibration *k)
{
    struct data_table *t =
        document_table(d, "choices", "Preferences of people and of the reward model",
                       "dataset attribute reward_model texts n decided agreement agreement_low "
                       "agreement_high wins human_wins (cluster) (n_clusters) (df) intercept "
                       "(intercept_se) intercept_low intercept_high (intercept_p) slope (slope_se) "
                       "slope_low slope_high (slope_p) calibration_error missing");
    for (size_t i = 0; i < k->n_choices; i++) {
        const struct regret_rate_choices *c = &k->choices[i];
        const struct regret_rate_coefficient *line[2] = {&c->intercept, &c->slope};
        pair_cells(d, c);
        DATA_COUNTS(t, c->n, c->n_decided);
        DATA_NUMBERS(t, c->agreement, c->agreement_low, c->agreement_high, c->wins, c->human_wins);
        cluster_cell(d, c->clustered);
        data_cell_count(t, c->n_clusters);
        data_cell_number(t, c->df);
        for (int l = 0; l < 2; l++) {
            const double numbers[] = {line[l]->estimate, line[l]->se, line[l]->low, line[l]->high,
                                      line[l]->p};
            data_cell_numbers(t, numbers, sizeof numbers / sizeof *numbers);
        }
        data_cell_number(t, c->calibration_error);
        data_cell_text(t, c->missing);
    }
    document_put(d);
    document_words(d, "\nlogit P(people prefer the text with W = 1) = intercept + slope · "
                      "(difference of the rewards); 0 and 1 where the rewards are "
                      "calibrated.\n");
}

static void write_bins(struct rate_document *d, const struct regret_rate_calibration *k)
{
    struct data_table *t =
        document_table(d, "reliability", "How often people choose what the rewards predict",
                       "dataset attribute reward_model texts bin_low bin_high n predicted chosen");
    for (size_t i = 0; i < k->n_choices; i++) {
        const struct regret_rate_choices *c = &k->choices[i];
        for (size_t b = 0; b < REGRET_RATE_N_BINS; b++) {
            if (c->bin_n[b] > 0) {
                pair_cells(d, c);
                DATA_NUMBERS(t, (double)b / REGRET_RATE_N_BINS,
                             (double)(b + 1) / REGRET_RATE_N_BINS);
                data_cell_count(t, c->bin_n[b]);
                DATA_NUMBERS(t, c->bin_predicted[b], c->bin_chosen[b]);
            }
        }
    }
    document_put(d);
}

static void write_skews(struct rate_document *d, const struct regret_rate_calibration *k)
{
    struct data_table *t = document_table(
        d, "skew", "RATE on the rewards less RATE on people's ratings (Cohen's d)",
        "dataset attribute reward_model reward_d human_d skew se low high p p_holm missing");
    for (size_t i = 0; i < k->n_skews; i++) {
        const struct regret_rate_contrast *c = &k->skews[i];
        const struct regret_rate_estimate *e = &k->estimates[c->estimate[0]];
        model_cells(d, e->group, e->model);
        DATA_NUMBERS(t, c->value[0], c->value[1], c->difference, c->se, c->low, c->high, c->p,
                     c->p_holm);
        data_cell_text(t, c->missing);
    }
    document_put(d);
}

void regret_rate_write_calibration(struct regret_buffer *out, enum regret_format format,
                                   const struct regret_rate_rows *rows,
                                   const struct regret_rate_calibration *calibration)
{
    struct rate_document d = document_begin(out, format, rows);
    write_choices(&d, calibration);
    write_bins(&d, calibration);
    write_skews(&d, calibration);
    write_issues_section(&d);
    document_end(&d);
}
