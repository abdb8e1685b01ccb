#include <math.h>

#include "rewrite/report.h"
#include "rewrite/table.h"

/* The effects that the experiments follow from level to level. */
static const enum regret_effect_kind followed[] = {REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE,
                                                   REGRET_EFFECT_RATE_ATE};
enum { N_FOLLOWED = sizeof followed / sizeof *followed };

static void followed_cells(struct table *t, const struct regret_rewrite_estimate *e,
                           enum regret_effect_kind kind)
{
    const struct regret_effect *f = &e->effects[kind];
    table_text(t, regret_effect_name(kind));
    table_count(t, e->n1);
    table_count(t, e->n0);
    table_number(t, f->estimate);
    table_number(t, f->se);
    table_number(t, f->low);
    table_number(t, f->high);
    table_number(t, f->d);
    table_number(t, f->d_se);
    table_text(t, f->missing);
}

static void shift_level(struct table *t, const struct regret_rewrite_rows *rows,
                        const struct regret_shift *s, size_t level, enum regret_effect_kind kind)
{
    table_text(t, rows->groups[s->group].dataset);
    table_text(t, rows->groups[s->group].attribute);
    model_cell(t, rows, s->model);
    table_count(t, level);
    table_number(t, 0.5 + 0.05 * (double)level);
    table_count(t, s->counts[level].a1z1);
    table_count(t, s->counts[level].a0z1);
    table_count(t, s->counts[level].a1z0);
    table_count(t, s->counts[level].a0z0);
    followed_cells(t, &s->levels[level], kind);
}

static void shift_slopes(struct regret_text *out, enum regret_table_format format,
                         const struct regret_rewrite_rows *rows, const struct regret_shift *shifts,
                         size_t n)
{
    static const struct table_column columns[] = {
        {"dataset", 0},         {"attribute", 0}, {"reward_model", 0}, {"effect", 0},
        {"slope_per_level", 0}, {"slope_se", 0},  {"missing", 0}};
    struct table t;
    table_begin(&t, out, format, "slopes", "Slopes over the levels", 0, columns, 7);
    for (size_t i = 0; i < n; i++) {
        const struct regret_slope slopes[N_FOLLOWED] = {shifts[i].naive, shifts[i].single,
                                                        shifts[i].rate};
        for (size_t k = 0; k < N_FOLLOWED; k++) {
            table_text(&t, rows->groups[shifts[i].group].dataset);
            table_text(&t, rows->groups[shifts[i].group].attribute);
            model_cell(&t, rows, shifts[i].model);
            table_text(&t, regret_effect_name(followed[k]));
            table_number(&t, shifts[i].missing ? (double)NAN : slopes[k].slope);
            table_number(&t, shifts[i].missing ? (double)NAN : slopes[k].se);
            table_text(&t, shifts[i].missing);
        }
    }
    table_end(&t);
}

void regret_rewrite_write_shift(struct regret_text *out, enum regret_table_format format,
                                const struct regret_rewrite_rows *rows,
                                const struct regret_shift *shifts, size_t n)
{
    static const struct table_column columns[] = {
        {"dataset", 0}, {"attribute", 0}, {"reward_model", 0}, {"level", 0},  {"p_z1_given_w1", 0},
        {"a1z1", 1},    {"a0z1", 1},      {"a1z0", 1},         {"a0z0", 1},   {"effect", 0},
        {"n1", 0},      {"n0", 0},        {"estimate", 0},     {"se", 0},     {"low", 0},
        {"high", 0},    {"d", 0},         {"d_se", 1},         {"missing", 0}};
    struct table t;
    document_begin(out, format);
    table_begin(&t, out, format, "levels", "Effects under distribution shift", 1, columns,
                sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        for (size_t level = 0; level < REGRET_SHIFT_LEVELS && shifts[i].missing == NULL; level++) {
            for (size_t k = 0; k < N_FOLLOWED; k++) {
                shift_level(&t, rows, &shifts[i], level, followed[k]);
            }
        }
    }
    table_end(&t);
    if (format != REGRET_TABLE_CSV) {
        shift_slopes(out, format, rows, shifts, n);
        write_issues_section(out, format, rows);
    }
    document_end(out, format);
}

void regret_rewrite_write_counts(struct regret_text *out, enum regret_table_format format,
                                 const struct regret_shift_cells counts[REGRET_SHIFT_LEVELS])
{
    static const struct table_column columns[] = {{"level", 0}, {"a1z1", 0}, {"a0z1", 0},
                                                  {"a1z0", 0},  {"a0z0", 0}, {"p_z1_given_w1", 0}};
    struct table t;
    document_begin(out, format);
    table_begin(&t, out, format, "counts", "Rows by level", 1, columns, 6);
    for (size_t i = 0; i < REGRET_SHIFT_LEVELS; i++) {
        table_count(&t, i);
        table_count(&t, counts[i].a1z1);
        table_count(&t, counts[i].a0z1);
        table_count(&t, counts[i].a1z0);
        table_count(&t, counts[i].a0z0);
        table_number(&t, 0.5 + 0.05 * (double)i);
    }
    table_end(&t);
    document_end(out, format);
}

void regret_rewrite_write_typos(struct regret_text *out, enum regret_table_format format,
                                const struct regret_typos *typos, size_t n,
                                const struct regret_typo_options *options)
{
    static const struct table_column columns[] = {
        {"dataset", 0}, {"reward_model", 0}, {"typo_percent", 0}, {"effect", 0}, {"n1", 0},
        {"n0", 0},      {"estimate", 0},     {"se", 0},           {"low", 0},    {"high", 0},
        {"d", 0},       {"d_se", 1},         {"missing", 0}};
    struct table t;
    document_begin(out, format);
    table_begin(
        &t, out, format, "typos",
        "Effect of \"starts with a vowel\" (simulated rewriter and reward models: SYNTHETIC)", 1,
        columns, sizeof columns / sizeof *columns);
    for (size_t m = 0; m < n; m++) {
        for (size_t r = 0; r < options->n_rates; r++) {
            for (size_t k = 0; k < N_FOLLOWED; k++) {
                table_text(&t, options->dataset);
                table_text(&t, typos[m].model);
                table_count(&t, options->percents[r]);
                followed_cells(&t, &typos[m].rates[r], followed[k]);
            }
        }
    }
    table_end(&t);
    document_end(out, format);
}

void regret_rewrite_write_worlds(struct regret_text *out, enum regret_table_format format,
                                 const size_t *worlds, size_t n,
                                 const struct regret_world_result *results)
{
    static const struct table_column columns[] = {
        {"world", 0},   {"estimator", 0},   {"truth", 0}, {"predicted_bias", 0}, {"bias", 0},
        {"bias_se", 0}, {"z_predicted", 0}, {"rmse", 0},  {"coverage", 0},       {"n_missing", 1}};
    struct table t;
    document_begin(out, format);
    table_begin(&t, out, format, "worlds", "Worlds with a known truth", 1, columns, 10);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < REGRET_N_WORLD_ESTIMATORS; k++) {
            const struct regret_world_result *r = &results[i * REGRET_N_WORLD_ESTIMATORS + k];
            table_text(&t, regret_worlds()[worlds[i]].name);
            table_text(&t, regret_effect_name((enum regret_effect_kind)k));
            table_number(&t, r->truth);
            table_number(&t, r->predicted_bias);
            table_number(&t, r->bias);
            table_number(&t, r->bias_se);
            table_number(&t, (r->bias - r->predicted_bias) / r->bias_se);
            table_number(&t, r->rmse);
            table_number(&t, r->coverage);
            table_count(&t, r->n_missing);
        }
    }
    table_end(&t);
    if (format == REGRET_TABLE_MARKDOWN) {
        regret_text_append(out, "\n");
        for (size_t i = 0; i < n; i++) {
            regret_text_printf(out, "* %s: %s.\n", regret_worlds()[worlds[i]].name,
                               regret_worlds()[worlds[i]].about);
        }
        regret_text_append(out, "\n`z_predicted` is (bias − predicted bias) / its standard error; "
                                "`coverage` is of the nominal 95 % intervals.\n");
    }
    document_end(out, format);
}
