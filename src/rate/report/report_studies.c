#include <math.h>

#include "rate/report/report.h"

/* The effects that the experiments follow from level to level. */
static const enum regret_rate_effect_kind followed[] = {
    REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE};
enum { N_FOLLOWED = sizeof followed / sizeof *followed };

static void followed_cells(struct data_table *t, const struct regret_rate_estimate *e,
                           enum regret_rate_effect_kind kind)
{
    const struct regret_rate_effect *f = &e->effects[kind];
    data_cell_text(t, regret_rate_effect_name(kind));
    DATA_COUNTS(t, e->n1, e->n0);
    effect_cells(t, f);
    data_cell_text(t, f->missing);
}

static void shift_level(struct rate_document *d, const struct regret_rate_shift *s, size_t level,
                        enum regret_rate_effect_kind kind)
{
    struct data_table *t = &d->table;
    model_cells(d, s->group, s->model);
    data_cell_count(t, level);
    data_cell_number(t, 0.5 + 0.05 * (double)level);
    DATA_COUNTS(t, s->counts[level].a1z1, s->counts[level].a0z1, s->counts[level].a1z0,
                s->counts[level].a0z0);
    followed_cells(t, &s->levels[level], kind);
}

static void shift_slopes(struct rate_document *d, const struct regret_rate_shift *shifts, size_t n)
{
    struct data_table *t =
        document_table(d, "slopes", "Slopes over the levels",
                       "dataset attribute reward_model effect slope_per_level slope_se missing");
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_slope slopes[N_FOLLOWED] = {shifts[i].naive, shifts[i].single,
                                                             shifts[i].rate};
        for (size_t k = 0; k < N_FOLLOWED; k++) {
            model_cells(d, shifts[i].group, shifts[i].model);
            data_cell_text(t, regret_rate_effect_name(followed[k]));
            DATA_NUMBERS(t, shifts[i].missing ? (double)NAN : slopes[k].slope,
                         shifts[i].missing ? (double)NAN : slopes[k].se);
            data_cell_text(t, shifts[i].missing);
        }
    }
    document_put(d);
}

void regret_rate_write_shift(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_shift *shifts, size_t n)
{
    struct rate_document d = document_begin(out, format, rows);
    document_table(&d, "levels", "Effects under distribution shift",
                   "dataset attribute reward_model level p_z1_given_w1 (a1z1) (a0z1) (a1z0) "
                   "(a0z0) effect n1 n0 estimate se low high d (d_se) missing");
    for (size_t i = 0; i < n; i++) {
        for (size_t level = 0; level < REGRET_RATE_SHIFT_LEVELS && shifts[i].missing == NULL;
             level++) {
            for (size_t k = 0; k < N_FOLLOWED; k++) {
                shift_level(&d, &shifts[i], level, followed[k]);
            }
        }
    }
    document_put(&d);
    shift_slopes(&d, shifts, n);
    write_issues_section(&d);
    document_end(&d);
}

void regret_rate_write_counts(struct regret_buffer *out, enum regret_format format,
                              const struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS])
{
    struct rate_document d = document_begin(out, format, NULL);
    struct data_table *t =
        document_table(&d, "counts", "Rows by level", "level a1z1 a0z1 a1z0 a0z0 p_z1_given_w1");
    for (size_t i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        DATA_COUNTS(t, i, counts[i].a1z1, counts[i].a0z1, counts[i].a1z0, counts[i].a0z0);
        data_cell_number(t, 0.5 + 0.05 * (double)i);
    }
    document_put(&d);
    document_end(&d);
}

void regret_rate_write_typos(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_typos *typos, size_t n,
                             const struct regret_rate_typo_rates *rates)
{
    struct rate_document d = document_begin(out, format, NULL);
    struct data_table *t = document_table(
        &d, "typos", "Effect of \"starts with a vowel\"",
        "dataset reward_model typo_percent effect n1 n0 estimate se low high d (d_se) missing");
    for (size_t m = 0; m < n; m++) {
        for (size_t r = 0; r < rates->n; r++) {
            for (size_t k = 0; k < N_FOLLOWED; k++) {
                data_cell_text(t, rates->dataset);
                data_cell_text(t, typos[m].model);
                data_cell_count(t, rates->percents[r]);
                followed_cells(t, &typos[m].rates[r], followed[k]);
            }
        }
    }
    document_put(&d);
    document_end(&d);
}

void regret_rate_write_worlds(struct regret_buffer *out, enum regret_format format,
                              const size_t *worlds, size_t n,
                              const struct regret_rate_world_result *results)
{
    struct rate_document d = document_begin(out, format, NULL);
    struct data_table *t = document_table(
        &d, "worlds", "Worlds with a known truth",
        "world estimator truth predicted_bias bias bias_se z_predicted rmse coverage (n_missing)");
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < REGRET_RATE_N_WORLD_ESTIMATORS; k++) {
            const struct regret_rate_world_result *r =
                &results[i * REGRET_RATE_N_WORLD_ESTIMATORS + k];
            data_cell_text(t, regret_rate_worlds()[worlds[i]].name);
            data_cell_text(t, regret_rate_effect_name((enum regret_rate_effect_kind)k));
            DATA_NUMBERS(t, r->truth, r->predicted_bias, r->bias, r->bias_se,
                         (r->bias - r->predicted_bias) / r->bias_se, r->rmse, r->coverage);
            data_cell_count(t, r->n_missing);
        }
    }
    document_put(&d);
    for (size_t i = 0; i < n; i++) {
        document_words(&d, i == 0 ? "\n* %s: %s.\n" : "* %s: %s.\n",
                       regret_rate_worlds()[worlds[i]].name, regret_rate_worlds()[worlds[i]].about);
    }
    document_words(&d, "\n`z_predicted` is (bias − predicted bias) / its standard error; "
                       "`coverage` is of the nominal 95 %% intervals.\n");
    document_end(&d);
}
