/* The figure of contrasts: every difference in its own standard errors, whatever its scale. */
#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/take.h"
#include "chart/chart.h"
#include "rate/report/report.h"
#include "regret/file.h"

static void append_two(struct regret_buffer *out, const char *first, const char *second)
{
    regret_buffer_append_safe(out, first, SIZE_MAX);
    regret_buffer_append(out, " − ");
    regret_buffer_append_safe(out, second, SIZE_MAX);
}

static void append_dataset(struct regret_buffer *out, const struct regret_rate_rows *rows,
                           const struct regret_rate_group *group)
{
    int several = 0;
    for (size_t g = 0; g < rows->n_groups; g++) {
        several |= strcmp(rows->groups[g].dataset, group->dataset) != 0;
    }
    if (several) {
        regret_buffer_append(out, " · ");
        regret_buffer_append_safe(out, group->dataset, SIZE_MAX);
    }
}

/* What differs, and then what does not. */
static void append_name(struct regret_buffer *out, const struct regret_rate_rows *rows,
                        const struct regret_rate_contrasts *contrasts,
                        const struct regret_rate_contrast *one)
{
    const struct regret_rate_estimate *e[2] = {&contrasts->estimates[one->estimate[0]],
                                               &contrasts->estimates[one->estimate[1]]};
    const struct regret_rate_group *g[2] = {&rows->groups[e[0]->group], &rows->groups[e[1]->group]};
    switch (one->kind) {
    case REGRET_CONTRAST_MODELS:
    case REGRET_CONTRAST_REWRITERS:
        append_two(out, rows->models[e[0]->model].name, rows->models[e[1]->model].name);
        regret_buffer_append(out, ", ");
        regret_buffer_append_safe(out, g[0]->attribute, SIZE_MAX);
        append_dataset(out, rows, g[0]);
        break;
    case REGRET_CONTRAST_ATTRIBUTES:
        append_two(out, g[0]->attribute, g[1]->attribute);
        regret_buffer_append(out, ", ");
        regret_buffer_append_safe(out, rows->models[e[0]->model].name, SIZE_MAX);
        append_dataset(out, rows, g[0]);
        break;
    case REGRET_CONTRAST_DATASETS:
        append_two(out, g[0]->dataset, g[1]->dataset);
        regret_buffer_append(out, ", ");
        regret_buffer_append_safe(out, g[0]->attribute, SIZE_MAX);
        regret_buffer_append(out, " · ");
        regret_buffer_append_safe(out, rows->models[e[0]->model].name, SIZE_MAX);
        break;
    default:
        append_two(out, regret_rate_effect_name(one->effect[0]),
                   regret_rate_effect_name(one->effect[1]));
        regret_buffer_append(out, ", ");
        append_label(out, rows, e[0]->group, e[0]->model);
    }
}

static void add_contrast(struct chart *c, const struct regret_rate_rows *rows,
                         const struct regret_rate_contrasts *contrasts,
                         const struct regret_rate_contrast *one, size_t row)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    append_name(&label, rows, contrasts, one);
    chart_row(c, "%s", regret_buffer_get(&label));
    const double ends[2][2] = {{one->low, one->high}, {one->all_low, one->all_high}};
    for (size_t k = 0; k < 2; k++) {
        chart_point(c, (struct chart_point){.series = k,
                                            .row = row,
                                            .value = one->difference / one->se,
                                            .low = ends[k][0] / one->se,
                                            .high = ends[k][1] / one->se});
    }
    text_free_into(&c->status, &label);
}

static int draw(const char *folder, const struct regret_rate_rows *rows,
                const struct regret_rate_contrasts *contrasts)
{
    struct chart c;
    size_t row = 0;
    chart_begin(&c, CHART_INTERVALS, "contrasts", "Differences of attribute effects");
    chart_facts(&c, "%zu contrasts; whiskers: 95 %% intervals", contrasts->n);
    chart_caption(&c,
                  "Every difference of two effects, divided by its own standard error so that "
                  "all share an axis, with the 95 %% interval of it alone and the one that holds "
                  "for all together. An interval without 0 tells the two effects apart.");
    chart_axes(&c, "difference / its standard error", "");
    c.from_zero = 1;
    chart_series(&c, 0, "each by itself");
    chart_series(&c, 1, "all together");
    chart_panel(&c, "%s", "");
    for (size_t k = 0; k < contrasts->n; k++) {
        if (contrasts->contrasts[k].se > 0.0) {
            add_contrast(&c, rows, contrasts, &contrasts->contrasts[k], row++);
        }
    }
    if (row > 0) {
        return chart_save(folder, &c);
    }
    chart_free(&c);
    return REGRET_OK;
}

int regret_rate_draw_contrasts(const char *folder, const struct regret_rate_rows *rows,
                               const struct regret_rate_contrasts *contrasts)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY(regret_staging_begin_files(&staging, folder));
    TRY_CLEANUP(draw(staging.partial, rows, contrasts));
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}
