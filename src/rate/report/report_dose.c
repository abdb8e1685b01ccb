/* Doses and responses: the tables and the figure. */
#include <stdio.h>

#include "base/core/try.h"
#include "rate/report/report.h"
#include "regret/file.h"

static void slope_row(struct rate_document *d, const struct regret_rate_dose *of, const char *what,
                      const struct regret_rate_slope_test *s)
{
    struct data_table *t = &d->table;
    model_cells(d, of->group, of->model);
    data_cell_text(t, what);
    data_cell_count(t, s->n);
    cluster_cell(d, of->clustered);
    data_cell_count(t, s->n_clusters);
    DATA_NUMBERS(t, s->slope, s->se, s->df, s->low, s->high, s->p);
    data_cell_text(t, s->missing);
}

static void write_slopes(struct rate_document *d, const struct regret_rate_dose *doses, size_t n)
{
    document_table(d, "slopes", "Reward per unit of the level",
                   "dataset attribute reward_model line n (cluster) n_clusters slope se (df) low "
                   "high p missing");
    for (size_t k = 0; k < n; k++) {
        slope_row(d, &doses[k], "naive", &doses[k].naive);
        slope_row(d, &doses[k], "RATE", &doses[k].slope);
        slope_row(d, &doses[k], "RATE curvature", &doses[k].curvature);
    }
    document_put(d);
    document_words(d, "\n`RATE curvature` is the coefficient of the squared level beside "
                      "the level: 0 where the reward is linear in it, which `p` tests.\n");
}

static void write_levels(struct rate_document *d, const struct regret_rate_dose *doses, size_t n)
{
    struct data_table *t = document_table(
        d, "levels", "Mean rewards of the texts of each level",
        "dataset attribute reward_model level n_original original original_se n_rewrite rewrite "
        "rewrite_se n_rewrite_of_rewrite rewrite_of_rewrite rewrite_of_rewrite_se");
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < doses[k].n_levels; l++) {
            const struct regret_rate_dose_level *level = &doses[k].levels[l];
            model_cells(d, doses[k].group, doses[k].model);
            data_cell_number(t, level->level);
            for (int side = 0; side < REGRET_N_SIDES; side++) {
                data_cell_count(t, level->n[side]);
                DATA_NUMBERS(t, level->mean[side], level->se[side]);
            }
        }
    }
    document_put(d);
}

void regret_rate_write_doses(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_dose *doses, size_t n)
{
    struct rate_document d = document_begin(out, format, rows);
    write_slopes(&d, doses, n);
    write_levels(&d, doses, n);
    write_issues_section(&d);
    document_end(&d);
}

static int draw_dose(const char *folder, size_t number, const struct regret_rate_rows *rows,
                     const struct regret_rate_dose *d, const char *level)
{
    static const char *const sides[REGRET_N_SIDES] = {"originals", "rewrites", "second rewrites"};
    FREED_BY(regret_buffer_free) struct regret_buffer title = REGRET_BUFFER_INIT;
    struct chart c;
    char name[48];
    append_label(&title, rows, d->group, d->model);
    TRY(regret_buffer_status(&title));
    snprintf(name, sizeof name, "dose-%zu", number);
    chart_begin(&c, CHART_LINES, name, "Dose and response: %s", regret_buffer_get(&title));
    chart_facts(&c, "%zu rows; bands: mean ± 1.96 standard errors, rows as independent", d->n_used);
    chart_caption(&c, "Mean rewards of the texts of each level. Originals of a level differ in "
                      "more than the level; rewrites were asked for it, second rewrites were "
                      "asked for that of their original.");
    chart_axes(&c, level, "reward");
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        chart_series(&c, side, "%s", sides[side]);
    }
    chart_panel(&c, "%s", "");
    for (size_t side = 0; side < REGRET_N_SIDES; side++) {
        for (size_t l = 0; l < d->n_levels; l++) {
            const struct regret_rate_dose_level *one = &d->levels[l];
            if (one->n[side] > 1) {
                chart_point(&c,
                            (struct chart_point){.series = side,
                                                 .x = one->level,
                                                 .value = one->mean[side],
                                                 .low = one->mean[side] - 1.96 * one->se[side],
                                                 .high = one->mean[side] + 1.96 * one->se[side]});
            }
        }
    }
    return chart_save(folder, &c);
}

int regret_rate_draw_doses(const char *folder, const struct regret_rate_rows *rows,
                           const struct regret_rate_dose *doses, size_t n, const char *level)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY(regret_staging_begin_files(&staging, folder));
    for (size_t k = 0; k < n; k++) {
        if (doses[k].slope.missing == NULL && doses[k].n_levels > 1) {
            TRY_CLEANUP(draw_dose(staging.partial, k + 1, rows, &doses[k], level));
        }
    }
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}
