/* Reward models against people, as tables. */

#include "rate/report/report.h"

static void pair_cells(struct data_table *t, const struct regret_rate_rows *rows,
                       const struct regret_rate_choices *c)
{
    model_cells(t, rows, c->group, c->model);
    data_cell_text(t, c->is_double ? "rewrites" : "original and rewrite");
}

static void write_choices(struct regret_buffer *out, enum regret_format format,
                          const struct regret_rate_rows *rows,
                          const struct regret_rate_calibration *k)
{
    static const struct data_column columns[] = {{"dataset", 0},
                                                 {"attribute", 0},
                                                 {"reward_model", 0},
                                                 {"texts", 0},
                                                 {"n", 0},
                                                 {"decided", 0},
                                                 {"agreement", 0},
                                                 {"agreement_low", 0},
                                                 {"agreement_high", 0},
                                                 {"wins", 0},
                                                 {"human_wins", 0},
                                                 {"cluster", 1},
                                                 {"n_clusters", 1},
                                                 {"df", 1},
                                                 {"intercept", 0},
                                                 {"intercept_se", 1},
                                                 {"intercept_low", 0},
                                                 {"intercept_high", 0},
                                                 {"intercept_p", 1},
                                                 {"slope", 0},
                                                 {"slope_se", 1},
                                                 {"slope_low", 0},
                                                 {"slope_high", 0},
                                                 {"slope_p", 1},
                                                 {"calibration_error", 0},
                                                 {"missing", 0}};
    struct data_table t;
    data_table_begin(&t, "choices", "Preferences of people and of the reward model", columns,
                     sizeof columns / sizeof *columns);
    for (size_t i = 0; i < k->n_choices; i++) {
        const struct regret_rate_choices *c = &k->choices[i];
        const double shares[] = {c->agreement, c->agreement_low, c->agreement_high, c->wins,
                                 c->human_wins};
        const struct regret_rate_coefficient *line[2] = {&c->intercept, &c->slope};
        pair_cells(&t, rows, c);
        data_cell_count(&t, c->n);
        data_cell_count(&t, c->n_decided);
        data_cell_numbers(&t, shares, sizeof shares / sizeof *shares);
        data_cell_text(&t, cluster_name(rows, c->clustered));
        data_cell_count(&t, c->n_clusters);
        data_cell_number(&t, c->df);
        for (int l = 0; l < 2; l++) {
            const double numbers[] = {line[l]->estimate, line[l]->se, line[l]->low, line[l]->high,
                                      line[l]->p};
            data_cell_numbers(&t, numbers, sizeof numbers / sizeof *numbers);
        }
        data_cell_number(&t, c->calibration_error);
        data_cell_text(&t, c->missing);
    }
    document_table(out, format, 1, &t);
    document_words(out, format,
                   "\nlogit P(people prefer the text with W = 1) = intercept + slope · "
                   "(difference of the rewards); 0 and 1 where the rewards are "
                   "calibrated.\n");
}

static void write_bins(struct regret_buffer *out, enum regret_format format,
                       const struct regret_rate_rows *rows, const struct regret_rate_calibration *k)
{
    static const struct data_column columns[] = {
        {"dataset", 0},  {"attribute", 0}, {"reward_model", 0}, {"texts", 0}, {"bin_low", 0},
        {"bin_high", 0}, {"n", 0},         {"predicted", 0},    {"chosen", 0}};
    struct data_table t;
    data_table_begin(&t, "reliability", "How often people choose what the rewards predict", columns,
                     sizeof columns / sizeof *columns);
    for (size_t i = 0; i < k->n_choices; i++) {
        const struct regret_rate_choices *c = &k->choices[i];
        for (size_t b = 0; b < REGRET_RATE_N_BINS; b++) {
            if (c->bin_n[b] > 0) {
                pair_cells(&t, rows, c);
                data_cell_number(&t, (double)b / REGRET_RATE_N_BINS);
                data_cell_number(&t, (double)(b + 1) / REGRET_RATE_N_BINS);
                data_cell_count(&t, c->bin_n[b]);
                data_cell_number(&t, c->bin_predicted[b]);
                data_cell_number(&t, c->bin_chosen[b]);
            }
        }
    }
    document_table(out, format, 0, &t);
}

static void write_skews(struct regret_buffer *out, enum regret_format format,
                        const struct regret_rate_rows *rows,
                        const struct regret_rate_calibration *k)
{
    static const struct data_column columns[] = {
        {"dataset", 0}, {"attribute", 0}, {"reward_model", 0}, {"reward_d", 0},
        {"human_d", 0}, {"skew", 0},      {"se", 0},           {"low", 0},
        {"high", 0},    {"p", 0},         {"p_holm", 0},       {"missing", 0}};
    struct data_table t;
    data_table_begin(&t, "skew", "RATE on the rewards less RATE on people's ratings (Cohen's d)",
                     columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < k->n_skews; i++) {
        const struct regret_rate_contrast *c = &k->skews[i];
        const struct regret_rate_estimate *e = &k->estimates[c->estimate[0]];
        const double numbers[] = {c->value[0], c->value[1], c->difference, c->se,
                                  c->low,      c->high,     c->p,          c->p_holm};
        model_cells(&t, rows, e->group, e->model);
        data_cell_numbers(&t, numbers, sizeof numbers / sizeof *numbers);
        data_cell_text(&t, c->missing);
    }
    document_table(out, format, 0, &t);
}

void regret_rate_write_calibration(struct regret_buffer *out, enum regret_format format,
                                   const struct regret_rate_rows *rows,
                                   const struct regret_rate_calibration *calibration)
{
    document_begin(out, format);
    write_choices(out, format, rows, calibration);
    if (format != REGRET_FORMAT_CSV) { /* which has one table */
        write_bins(out, format, rows, calibration);
        write_skews(out, format, rows, calibration);
        write_issues_section(out, format, rows);
    }
    document_end(out, format);
}
