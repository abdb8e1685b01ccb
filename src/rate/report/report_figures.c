#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "base/text/take.h"
#include "chart/chart.h"
#include "rate/report/report.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"
#include "regret/file.h"

/* What the styles mean in every figure of this room. */
enum { STYLE_NAIVE = 1, STYLE_SINGLE = 3, STYLE_DOUBLE = 0 };

/* Far below the largest double: differences of what is drawn must not overflow. */
static const double MOST = 1e300;

static struct chart_point point_within(double value, double low, double high)
{
    int drawn = fabs(value) < MOST && low > -MOST && high < MOST;
    return drawn ? (struct chart_point){.value = value, .low = low, .high = high}
                 : (struct chart_point){.value = NAN, .low = NAN, .high = NAN};
}

static struct chart_point point_of(const struct regret_rate_effect *e)
{
    double half = e->quantile * e->d_se;
    return point_within(e->d, e->d - half, e->d + half);
}

/* On the scale of the reward: for models without a Cohen's d. */
static struct chart_point raw_point_of(const struct regret_rate_effect *e)
{
    return point_within(e->estimate, e->low, e->high);
}

/* Saves the chart, puts it among the figures of the page, and frees it. */
static int keep_chart(const char *folder, struct figures *figures, struct chart *c)
{
    struct figures last = {NULL, 1};
    int rc;
    TRY_CLEANUP(figures_add(figures, c));
    last.items = &figures->items[figures->n - 1];
    rc = figures_save(folder, &last, 0);
cleanup:
    chart_free(c);
    return rc;
}

static const char COHEN[] = "Cohen's d";
static const char BARS[] = "whiskers and bands: 95 % intervals";

/* Two effects that stand side by side, and what is said of them. */
struct effect_pair {
    enum regret_rate_effect_kind kind[2];
    const char *suffix; /* of the label */
};
struct effect_figure {
    const char *name, *title, *caption;
    const char *series[2];
    int styles[2];
    const struct effect_pair *pairs;
    size_t n_pairs;
};

static void add_effect(struct chart *c, const struct regret_rate_rows *rows,
                       const struct regret_rate_estimate *e, const struct effect_pair *pair,
                       size_t row)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    struct chart_point p[2] = {point_of(&e->effects[pair->kind[0]]),
                               point_of(&e->effects[pair->kind[1]])};
    append_label(&label, rows, e->group, e->model);
    regret_buffer_append(&label, pair->suffix);
    regret_buffer_append(&label, isnan(p[0].value) && isnan(p[1].value) ? " (no Cohen's d)" : "");
    chart_row(c, "%s", regret_buffer_get(&label));
    for (size_t k = 0; k < 2; k++) {
        p[k].series = k;
        p[k].row = row;
        chart_point(c, p[k]);
    }
    text_free_into(&c->status, &label);
}

static int draw_effect_rows(const char *folder, struct figures *figures,
                            const struct effect_figure *f, const struct regret_rate_rows *rows,
                            const struct regret_rate_estimate *estimates, size_t n)
{
    struct chart c;
    chart_begin(&c, CHART_INTERVALS, f->name, "%s", f->title);
    chart_facts(&c, "%zu row%s; %s", rows->n_rows, rows->n_rows == 1 ? "" : "s", BARS);
    chart_caption(&c, "%s", f->caption);
    chart_axes(&c, COHEN, "");
    c.from_zero = 1;
    chart_series(&c, f->styles[0], "%s", f->series[0]);
    chart_series(&c, f->styles[1], "%s", f->series[1]);
    chart_panel(&c, "%s", "");
    for (size_t at = 0; at < n * f->n_pairs; at++) {
        add_effect(&c, rows, &estimates[at / f->n_pairs], &f->pairs[at % f->n_pairs], at);
    }
    return keep_chart(folder, figures, &c);
}

static const struct effect_pair ate_pairs[] = {{{REGRET_EFFECT_NAIVE, REGRET_EFFECT_RATE_ATE}, ""}};
static const struct effect_figure effects_figure = {
    .name = "effects",
    .title = "Naive and rewrite-based effects of attributes on reward models",
    .caption = "For every attribute and reward model, the naive difference of means and the "
               "double-rewrite average treatment effect, both as Cohen's d with 95 % intervals.",
    .series = {"naive", "RATE (rewrite-based, ATE)"},
    .styles = {STYLE_NAIVE, STYLE_DOUBLE},
    .pairs = ate_pairs,
    .n_pairs = 1};

static const struct effect_pair rewrite_pairs[] = {
    {{REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE}, ": ATE"},
    {{REGRET_EFFECT_SINGLE_ATT, REGRET_EFFECT_RATE_ATT}, ": ATT"},
    {{REGRET_EFFECT_SINGLE_ATU, REGRET_EFFECT_RATE_ATU}, ": ATU"}};
static const struct effect_figure rewrites_figure = {
    .name = "single-double",
    .title = "Single and double rewrites",
    .caption = "For every attribute and reward model, the average treatment effect, the one on the "
               "treated and the one on the untreated, estimated from single and from double "
               "rewrites, as Cohen's d with 95 % intervals.",
    .series = {"single rewrite", "double rewrite (RATE)"},
    .styles = {STYLE_SINGLE, STYLE_DOUBLE},
    .pairs = rewrite_pairs,
    .n_pairs = 3};

/* All of them, and the page that shows them. */
static int draw_all(const char *folder, struct figures *figures,
                    const struct regret_rate_rows *rows,
                    const struct regret_rate_estimate *estimates, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer page = REGRET_BUFFER_INIT;
    TRY(draw_effect_rows(folder, figures, &effects_figure, rows, estimates, n));
    TRY(draw_effect_rows(folder, figures, &rewrites_figure, rows, estimates, n));
    TRY(estimates_page(&page, rows, estimates, n, figures));
    return regret_file_write_text(folder, "report.html", &page);
}

int regret_rate_draw_estimates(const char *folder, const struct regret_rate_rows *rows,
                               const struct regret_rate_estimate *estimates, size_t n)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct figures figures = {NULL, 0};
    int rc;
    TRY(regret_staging_begin_files(&staging, folder));
    TRY_CLEANUP(REGRET_NEW(&figures.items, 2));
    TRY_CLEANUP(draw_all(staging.partial, &figures, rows, estimates, n));
    rc = regret_staging_commit_files(&staging);
cleanup:
    figures_free(&figures);
    regret_staging_abandon(&staging);
    return rc;
}

/* Three effects of each of several estimates. */
struct estimate_lines {
    const char *kind; /* KIND-NUMBER is the figure's name */
    const char *caption, *x_name;
    const double *x;
    size_t n_x;
};

static int draw_estimate_lines(const char *folder, const struct estimate_lines *f, size_t number,
                               const char *title, const struct regret_rate_estimate *estimates)
{
    static const enum regret_rate_effect_kind kinds[3] = {
        REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE};
    struct chart c;
    char name[48];
    int has_d = 0;
    for (size_t i = 0; i < f->n_x; i++) {
        has_d |= !isnan(estimates[i].pooled_sd);
    }
    snprintf(name, sizeof name, "%s-%zu", f->kind, number);
    chart_begin(&c, CHART_LINES, name, "%s", title);
    chart_facts(&c, "%s", BARS);
    chart_caption(&c, "%s", f->caption);
    chart_axes(&c, f->x_name, has_d ? COHEN : "effect on the reward");
    c.from_zero = 1;
    chart_series(&c, STYLE_NAIVE, "naive");
    chart_series(&c, STYLE_SINGLE, "single rewrite (ATE)");
    chart_series(&c, STYLE_DOUBLE, "double rewrite (RATE, ATE)");
    chart_panel(&c, "%s", "");
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < f->n_x; i++) {
            const struct regret_rate_effect *e = &estimates[i].effects[kinds[k]];
            struct chart_point p = has_d ? point_of(e) : raw_point_of(e);
            p.series = k;
            p.x = f->x[i];
            chart_point(&c, p);
        }
    }
    return chart_save(folder, &c);
}

static int draw_shift(const char *folder, const struct estimate_lines *f, size_t number,
                      const struct regret_rate_rows *rows, const struct regret_rate_shift *shift)
{
    FREED_BY(regret_buffer_free) struct regret_buffer title = REGRET_BUFFER_INIT;
    regret_buffer_append(&title, "Under distribution shift: ");
    append_label(&title, rows, shift->group, shift->model);
    TRY(regret_buffer_status(&title));
    return draw_estimate_lines(folder, f, number, regret_buffer_get(&title), shift->levels);
}

int regret_rate_draw_shift(const char *folder, const struct regret_rate_rows *rows,
                           const struct regret_rate_shift *shifts, size_t n)
{
    double x[REGRET_RATE_SHIFT_LEVELS];
    struct regret_staging staging = REGRET_STAGING_INIT;
    const struct estimate_lines figure = {
        .kind = "shift",
        .caption = "Naive, single-rewrite and double-rewrite effects while the target attribute W "
                   "is made to go with another attribute Z. A causal estimate stays level.",
        .x_name = "P(Z = 1 | W = 1)",
        .x = x,
        .n_x = REGRET_RATE_SHIFT_LEVELS};
    int rc;
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        x[i] = 0.5 + 0.05 * i;
    }
    TRY(regret_staging_begin_files(&staging, folder));
    for (size_t k = 0; k < n; k++) {
        if (shifts[k].missing == NULL) {
            TRY_CLEANUP(draw_shift(staging.partial, &figure, k + 1, rows, &shifts[k]));
        }
    }
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}

static int draw_typos(const char *folder, const struct estimate_lines *f, size_t number,
                      const struct regret_rate_typos *typos)
{
    FREED_BY(regret_buffer_free) struct regret_buffer title = REGRET_BUFFER_INIT;
    regret_buffer_append(&title, "\"Starts with a vowel\": ");
    append_cut(&title, typos->model, 40);
    TRY(regret_buffer_status(&title));
    return draw_estimate_lines(folder, f, number, regret_buffer_get(&title), typos->rates);
}

int regret_rate_draw_typos(const char *folder, const struct regret_rate_typos *typos, size_t n,
                           const struct regret_rate_typo_rates *rates)
{
    double x[REGRET_RATE_TYPO_MAX];
    struct regret_staging staging = REGRET_STAGING_INIT;
    const struct estimate_lines figure = {
        .kind = "typos",
        .caption = "Naive, single-rewrite and double-rewrite effects of starting with a vowel "
                   "while texts that do are given more and more typos. The true effect is about "
                   "zero.",
        .x_name = "words with typos, %",
        .x = x,
        .n_x = rates->n};
    int rc;
    for (size_t i = 0; i < rates->n; i++) {
        x[i] = (double)rates->percents[i];
    }
    TRY(regret_staging_begin_files(&staging, folder));
    for (size_t k = 0; k < n; k++) {
        TRY_CLEANUP(draw_typos(staging.partial, &figure, k + 1, &typos[k]));
    }
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}
