#include <math.h>

#include "rate/report.h"
#include "rate/sheet.h"

/* The effects that the experiments follow from level to level. */
static const enum regret_rate_effect_kind followed[] = {
    REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE};
enum { N_FOLLOWED = sizeof followed / sizeof *followed };

static void followed_cells(struct sheet *t, const struct regret_rate_estimate *e,
                           enum regret_rate_effect_kind kind)
{
    const struct regret_rate_effect *f = &e->effects[kind];
    sheet_text(t, regret_rate_effect_name(kind));
    sheet_count(t, e->n1);
    sheet_count(t, e->n0);
    sheet_number(t, f->estimate);
    sheet_number(t, f->se);
    sheet_number(t, f->low);
    sheet_number(t, f->high);
    sheet_number(t, f->d);
    sheet_number(t, f->d_se);
    sheet_text(t, f->missing);
}

static void shift_level(struct sheet *t, const struct regret_rate_rows *rows,
                        const struct regret_rate_shift *s, size_t level,
                        enum regret_rate_effect_kind kind)
{
    sheet_text(t, rows->groups[s->group].dataset);
    sheet_text(t, rows->groups[s->group].attribute);
    model_cell(t, rows, s->model);
    sheet_count(t, level);
    sheet_number(t, 0.5 + 0.05 * (double)level);
    sheet_count(t, s->counts[level].a1z1);
    sheet_count(t, s->counts[level].a0z1);
    sheet_count(t, s->counts[level].a1z0);
    sheet_count(t, s->counts[level].a0z0);
    followed_cells(t, &s->levels[level], kind);
}

static void shift_slopes(struct regret_text *out, enum regret_rate_format format,
                         const struct regret_rate_rows *rows,
                         const struct regret_rate_shift *shifts, size_t n)
{
    static const struct sheet_column columns[] = {
        {"dataset", 0},         {"attribute", 0}, {"reward_model", 0}, {"effect", 0},
        {"slope_per_level", 0}, {"slope_se", 0},  {"missing", 0}};
    struct sheet t;
    sheet_begin(&t, out, format, "slopes", "Slopes over the levels", 0, columns, 7);
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_slope slopes[N_FOLLOWED] = {shifts[i].naive, shifts[i].single,
                                                             shifts[i].rate};
        for (size_t k = 0; k < N_FOLLOWED; k++) {
            sheet_text(&t, rows->groups[shifts[i].group].dataset);
            sheet_text(&t, rows->groups[shifts[i].group].attribute);
            model_cell(&t, rows, shifts[i].model);
            sheet_text(&t, regret_rate_effect_name(followed[k]));
            sheet_number(&t, shifts[i].missing ? (double)NAN : slopes[k].slope);
            sheet_number(&t, shifts[i].missing ? (double)NAN : slopes[k].se);
            sheet_text(&t, shifts[i].missing);
        }
    }
    sheet_end(&t);
}

void regret_rate_write_shift(struct regret_text *out, enum regret_rate_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_shift *shifts, size_t n)
{
    static const struct sheet_column columns[] = {
        {"dataset", 0}, {"attribute", 0}, {"reward_model", 0}, {"level", 0},  {"p_z1_given_w1", 0},
        {"a1z1", 1},    {"a0z1", 1},      {"a1z0", 1},         {"a0z0", 1},   {"effect", 0},
        {"n1", 0},      {"n0", 0},        {"estimate", 0},     {"se", 0},     {"low", 0},
        {"high", 0},    {"d", 0},         {"d_se", 1},         {"missing", 0}};
    struct sheet t;
    document_begin(out, format);
    sheet_begin(&t, out, format, "levels", "Effects under distribution shift", 1, columns,
                sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        for (size_t level = 0; level < REGRET_RATE_SHIFT_LEVELS && shifts[i].missing == NULL;
             level++) {
            for (size_t k = 0; k < N_FOLLOWED; k++) {
                shift_level(&t, rows, &shifts[i], level, followed[k]);
            }
        }
    }
    sheet_end(&t);
    if (format != REGRET_RATE_CSV) {
        shift_slopes(out, format, rows, shifts, n);
        write_issues_section(out, format, rows);
    }
    document_end(out, format);
}

void regret_rate_write_counts(struct regret_text *out, enum regret_rate_format format,
                              const struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS])
{
    static const struct sheet_column columns[] = {{"level", 0}, {"a1z1", 0}, {"a0z1", 0},
                                                  {"a1z0", 0},  {"a0z0", 0}, {"p_z1_given_w1", 0}};
    struct sheet t;
    document_begin(out, format);
    sheet_begin(&t, out, format, "counts", "Rows by level", 1, columns, 6);
    for (size_t i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        sheet_count(&t, i);
        sheet_count(&t, counts[i].a1z1);
        sheet_count(&t, counts[i].a0z1);
        sheet_count(&t, counts[i].a1z0);
        sheet_count(&t, counts[i].a0z0);
        sheet_number(&t, 0.5 + 0.05 * (double)i);
    }
    sheet_end(&t);
    document_end(out, format);
}

void regret_rate_write_typos(struct regret_text *out, enum regret_rate_format format,
                             const struct regret_rate_typos *typos, size_t n,
                             const struct regret_rate_typo_options *options)
{
    static const struct sheet_column columns[] = {
        {"dataset", 0}, {"reward_model", 0}, {"typo_percent", 0}, {"effect", 0}, {"n1", 0},
        {"n0", 0},      {"estimate", 0},     {"se", 0},           {"low", 0},    {"high", 0},
        {"d", 0},       {"d_se", 1},         {"missing", 0}};
    struct sheet t;
    document_begin(out, format);
    sheet_begin(
        &t, out, format, "typos",
        "Effect of \"starts with a vowel\" (simulated rewriter and reward models: SYNTHETIC)", 1,
        columns, sizeof columns / sizeof *columns);
    for (size_t m = 0; m < n; m++) {
        for (size_t r = 0; r < options->n_rates; r++) {
            for (size_t k = 0; k < N_FOLLOWED; k++) {
                sheet_text(&t, options->dataset);
                sheet_text(&t, typos[m].model);
                sheet_count(&t, options->percents[r]);
                followed_cells(&t, &typos[m].rates[r], followed[k]);
            }
        }
    }
    sheet_end(&t);
    document_end(out, format);
}

void regret_rate_write_worlds(struct regret_text *out, enum regret_rate_format format,
                              const size_t *worlds, size_t n,
                              const struct regret_rate_world_result *results)
{
    static const struct sheet_column columns[] = {
        {"world", 0},   {"estimator", 0},   {"truth", 0}, {"predicted_bias", 0}, {"bias", 0},
        {"bias_se", 0}, {"z_predicted", 0}, {"rmse", 0},  {"coverage", 0},       {"n_missing", 1}};
    struct sheet t;
    document_begin(out, format);
    sheet_begin(&t, out, format, "worlds", "Worlds with a known truth", 1, columns, 10);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < REGRET_RATE_N_WORLD_ESTIMATORS; k++) {
            const struct regret_rate_world_result *r =
                &results[i * REGRET_RATE_N_WORLD_ESTIMATORS + k];
            sheet_text(&t, regret_rate_worlds()[worlds[i]].name);
            sheet_text(&t, regret_rate_effect_name((enum regret_rate_effect_kind)k));
            sheet_number(&t, r->truth);
            sheet_number(&t, r->predicted_bias);
            sheet_number(&t, r->bias);
            sheet_number(&t, r->bias_se);
            sheet_number(&t, (r->bias - r->predicted_bias) / r->bias_se);
            sheet_number(&t, r->rmse);
            sheet_number(&t, r->coverage);
            sheet_count(&t, r->n_missing);
        }
    }
    sheet_end(&t);
    if (format == REGRET_RATE_MARKDOWN) {
        regret_text_append(out, "\n");
        for (size_t i = 0; i < n; i++) {
            regret_text_printf(out, "* %s: %s.\n", regret_rate_worlds()[worlds[i]].name,
                               regret_rate_worlds()[worlds[i]].about);
        }
        regret_text_append(out, "\n`z_predicted` is (bias − predicted bias) / its standard error; "
                                "`coverage` is of the nominal 95 % intervals.\n");
    }
    document_end(out, format);
}
