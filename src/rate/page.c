/* The page of RATE. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "chart/chart.h"
#include "rate/internal.h"
#include "rate/report.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "report/page.h"

/* The figure of contrasts: every difference in its own standard errors, whatever its scale. */

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

/* The page of `regret rate estimate --figures`: the page of a report (report/page.h), of effects. */

enum { DECIMALS = 3, SAMPLES_OF_GROUP = 2, MOST_SAMPLES = 12, SAMPLE_CHARACTERS = 1500 };

static const char report_page_title[] = "Attribute effects on reward models";

/* ---------------------------------------------------------------- what the estimates say */

/* 1 above 0 and -1 below it for certain, by the 95 % interval; 0 otherwise, and of what is missing. */
static int sign_of(const struct regret_rate_effect *e)
{
    return e->low > 0.0 ? 1 : e->high < 0.0 ? -1 : 0;
}

struct tally {
    size_t n, instead, up, down, naive_n, naive_outside, drifts, drifting;
};

static struct tally count_effects(const struct regret_rate_estimate *estimates, size_t n)
{
    struct tally t = {0};
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_effect *e = estimates[i].effects;
        const struct regret_rate_effect *ate = &e[REGRET_EFFECT_RATE_ATE];
        enum regret_rate_effect_kind kind = REGRET_EFFECT_RATE_ATE;
        const struct regret_rate_effect *first = main_effect(&kind, &estimates[i]);
        double naive = e[REGRET_EFFECT_NAIVE].estimate;
        t.n += first != NULL;
        t.instead += first != NULL && first != ate;
        t.up += first != NULL && sign_of(first) > 0;
        t.down += first != NULL && sign_of(first) < 0;
        t.naive_n += ate->missing == NULL && isfinite(naive);
        t.naive_outside += naive < ate->low || naive > ate->high;
        for (int k = REGRET_EFFECT_DRIFT_1; k <= REGRET_EFFECT_DRIFT_0; k++) {
            t.drifts += e[k].missing == NULL;
            t.drifting += sign_of(&e[k]) != 0;
        }
    }
    return t;
}

static void put_sentences(struct regret_buffer *out, const struct regret_rate_rows *rows,
                          const struct tally *t)
{
    html_say(out, "p class=\"verdict\"",
             "Of %zu pairs of an attribute and a reward model, having the attribute raises the "
             "reward in %zu and lowers it in %zu; in %zu it cannot be told from none.",
             t->n, t->up, t->down, t->n - t->up - t->down);
    regret_buffer_append(out, "<ul class=\"sentences\">\n");
    html_element(out, "li",
                 "By the double rewrite (RATE, average treatment effect) and its 95 % interval, "
                 "which is not corrected for the number of pairs.");
    if (t->instead > 0) {
        html_say(out, "li",
                 "In %zu there is no such effect: there the ATU or ATT counts, or single rewrites, "
                 "which carry whatever else rewriting changes.",
                 t->instead);
    }
    html_say(out, "li",
             "The naive difference, of texts that have the attribute and texts that do not, lies "
             "outside that interval in %zu of %zu.",
             t->naive_outside, t->naive_n);
    html_say(out, "li",
             "Drift, what two rewrites change besides the attribute, differs from none in %zu of "
             "%zu; single rewrites carry it.",
             t->drifting, t->drifts);
    html_say(out, "li", "%zu row%s; whether a text has the attribute was predicted for %zu.",
             rows->n_rows, rows->n_rows == 1 ? "" : "s", count_predicted(rows));
    regret_buffer_append(out, "</ul>\n");
}

/* ---------------------------------------------------------------- tables */

static void put_label(struct table *t, const struct regret_rate_rows *rows,
                      const struct regret_rate_estimate *e, const char *suffix)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    append_label(&label, rows, e->group, e->model);
    table_row(t, "%s%s", regret_buffer_get(&label), suffix);
    text_free_into(&t->status, &label);
}

static void make_overview(struct table *t, const struct regret_rate_rows *rows,
                          const struct regret_rate_estimate *estimates, size_t n)
{
    static const char *const words[] = {"lowers the reward", "not separable", "raises the reward"};
    static const enum regret_rate_effect_kind kinds[] = {
        REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE};
    table_begin(t, "effects", "What an attribute does to a reward");
    table_block(t, "%s", "");
    TABLE_HEADS(t, "Attribute and model", "It", "Naive", "Single rewrite", "RATE", "95 % low",
                "95 % high", "Drift, W = 1", "Drift, W = 0");
    for (size_t i = 0; i < n; i++) {
        const struct regret_rate_effect *e = estimates[i].effects;
        enum regret_rate_effect_kind kind = REGRET_EFFECT_RATE_ATE;
        const struct regret_rate_effect *ate = &e[REGRET_EFFECT_RATE_ATE],
                                        *first = main_effect(&kind, &estimates[i]);
        put_label(t, rows, &estimates[i], "");
        table_text(t, "%s%s%s", first == NULL ? ate->missing : words[1 + sign_of(first)],
                   first == NULL || first == ate ? "" : ": ",
                   first == NULL || first == ate ? "" : regret_rate_effect_name(kind));
        for (size_t k = 0; k < 3; k++) {
            table_signed_estimate(t, e[kinds[k]].estimate, e[kinds[k]].se, DECIMALS);
        }
        table_signed(t, ate->low, DECIMALS);
        table_signed(t, ate->high, DECIMALS);
        table_signed_estimate(t, e[REGRET_EFFECT_DRIFT_1].estimate, e[REGRET_EFFECT_DRIFT_1].se,
                              DECIMALS);
        table_signed_estimate(t, e[REGRET_EFFECT_DRIFT_0].estimate, e[REGRET_EFFECT_DRIFT_0].se,
                              DECIMALS);
    }
    table_note(t, "On the scale of the reward, ± standard error; the interval is RATE's. Naive, "
                  "single rewrite and RATE: average treatment effects of the attribute W.");
}

static void make_effects(struct table *t, const struct regret_rate_rows *rows,
                         const struct regret_rate_estimate *estimates, size_t n)
{
    static const char *const heads[] = {"Effect",        "Rows",          "Estimate ± SE",
                                        "95 % low",      "95 % high",     "Cohen's d ± SE",
                                        "boot 95 % low", "boot 95 % high"};
    struct regret_buffer suffix = REGRET_BUFFER_INIT;
    int boot = has_bootstrap(estimates, n);
    table_begin(t, "estimates", "Every effect");
    table_block(t, "%s", "");
    table_columns(t, heads, sizeof heads / sizeof *heads - (boot ? 0 : 2));
    for (size_t i = 0; i < n * REGRET_N_EFFECTS; i++) {
        const struct regret_rate_estimate *of = &estimates[i / REGRET_N_EFFECTS];
        enum regret_rate_effect_kind kind = (enum regret_rate_effect_kind)(i % REGRET_N_EFFECTS);
        const struct regret_rate_effect *e = &of->effects[kind];
        regret_buffer_clear(&suffix);
        regret_buffer_printf(&suffix, ": %s", regret_rate_effect_name(kind));
        put_label(t, rows, of, regret_buffer_get(&suffix));
        table_number(t, (double)e->n, 0);
        table_signed_estimate(t, e->estimate, e->se, DECIMALS);
        table_signed(t, e->low, DECIMALS);
        table_signed(t, e->high, DECIMALS);
        table_signed_estimate(t, e->d, e->d_se, DECIMALS);
        if (boot) {
            table_signed(t, e->boot_low, DECIMALS);
            table_signed(t, e->boot_high, DECIMALS);
        }
    }
    table_note(t, "ATE, ATT and ATU: average effect on all, on those that have the attribute, on "
                  "those that do not. docs/rate.md has every formula.");
    text_free_into(&t->status, &suffix);
}

static void make_issues(struct table *t, const struct regret_rate_rows *rows)
{
    struct regret_buffer where = REGRET_BUFFER_INIT;
    table_begin(t, "issues", "Rows with issues");
    table_block(t, "%s", "");
    TABLE_HEADS(t, "Issue", "Count", "Where", "Remedy");
    t->idle = 1;
    for (int k = 0; k < REGRET_RATE_N_ISSUES; k++) {
        if (rows->issues[k].count > 0) {
            t->idle = 0;
            regret_buffer_clear(&where);
            issue_places(&where, rows, &rows->issues[k]);
            table_row(t, "%s", regret_rate_issue_name((enum regret_rate_issue_kind)k));
            table_number(t, (double)rows->issues[k].count, 0);
            table_text(t, "%s", regret_buffer_get(&where));
            table_text(t, "%s", regret_rate_issue_remedy((enum regret_rate_issue_kind)k));
        }
    }
    text_free_into(&t->status, &where);
}

/* ---------------------------------------------------------------- texts */

static void put_rewards(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i,
                        int side)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    append_rewards(&text, rows, i, side);
    html_element(out, "p class=\"data\"", regret_buffer_get(&text));
    regret_buffer_free_into(out, &text);
}

static void put_sample(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i)
{
    static const char *const sides[] = {"Original", "Rewrite", "Rewrite of the rewrite"};
    const struct regret_rate_group *g = &rows->groups[rows->group[i]];
    struct regret_buffer text = REGRET_BUFFER_INIT;
    html_say(out, "h3", "%s%s%s:%zu", g->attribute, g->attribute[0] != '\0' ? ", " : "",
             rows->file[i] < rows->n_files ? rows->files[rows->file[i]].name : "row",
             rows->line[i]);
    regret_buffer_append(out, "<div class=\"texts\">\n");
    for (int s = 0; s < REGRET_N_SIDES; s++) {
        /* The rewrite has the attribute where the original has it not. */
        int has = (rows->w[i] == REGRET_LABEL_1) != (s == REGRET_SIDE_REWRITE);
        regret_buffer_printf(out, "<div>\n<h4>%s, W = %d</h4>\n", sides[s], has);
        put_rewards(out, rows, i, s);
        regret_buffer_clear(&text);
        regret_buffer_append_safe(&text, rows->texts[i].completion[s], SAMPLE_CHARACTERS);
        html_element(out, "p", regret_buffer_get(&text));
        regret_buffer_append(out, "</div>\n");
    }
    regret_buffer_append(out, "</div>\n");
    regret_buffer_free_into(out, &text);
}

/* The first rows of each group that have all three texts; none where texts were not kept. */
static int put_samples(struct regret_buffer *out, const struct regret_rate_rows *rows)
{
    size_t n = 0;
    FREED size_t *of_group = NULL;
    TRY(REGRET_NEW(&of_group, rows->n_groups + 1));
    for (size_t i = 0; i < rows->n_rows && n < MOST_SAMPLES; i++) {
        if (has_texts(rows, i) && of_group[rows->group[i]]++ < SAMPLES_OF_GROUP) {
            if (n++ == 0) {
                page_section(out, PAGE_TOP, "texts", "Texts beside one another");
            }
            put_sample(out, rows, i);
        }
    }
    regret_buffer_append(out, n > 0 ? "</section>\n" : "");
    return REGRET_OK;
}

static int has_samples(const struct regret_rate_rows *rows)
{
    size_t i = 0;
    while (i < rows->n_rows && !has_texts(rows, i)) {
        i++;
    }
    return i < rows->n_rows;
}

/* ---------------------------------------------------------------- the page */

static void put_navigation(struct regret_buffer *out, const struct regret_rate_rows *rows,
                           const struct figures *figures, const struct table *issues)
{
    page_contents(out);
    page_link(out, "headline", "Headline");
    page_figure_links(out, figures);
    page_link(out, "estimates", "estimates");
    if (!issues->idle) {
        page_link(out, "issues", "issues");
    }
    if (has_samples(rows)) {
        page_link(out, "texts", "texts");
    }
    page_main(out);
}

int estimates_page(struct regret_buffer *out, const struct regret_rate_rows *rows,
                   const struct regret_rate_estimate *estimates, size_t n,
                   const struct figures *figures)
{
    FREED_BY(table_free) struct table overview = {0};
    FREED_BY(table_free) struct table effects = {0};
    FREED_BY(table_free) struct table issues = {0};
    const struct tally tally = count_effects(estimates, n);
    make_overview(&overview, rows, estimates, n);
    make_effects(&effects, rows, estimates, n);
    make_issues(&issues, rows);
    TRY(table_check(&overview));
    TRY(table_check(&effects));
    TRY(table_check(&issues));
    page_begin(out, report_page_title);
    put_navigation(out, rows, figures, &issues);
    page_section(out, PAGE_TOP, "headline", "Headline");
    put_sentences(out, rows, &tally);
    html_table(out, &overview);
    TRY(page_table_download(out, &overview, 0));
    regret_buffer_append(out, "</section>\n");
    TRY(page_figures(out, figures, 0));
    TRY(page_table(out, PAGE_TOP, &effects, 0));
    if (!issues.idle) {
        TRY(page_table(out, PAGE_TOP, &issues, 0));
    }
    TRY(put_samples(out, rows));
    page_end(out);
    return regret_buffer_status(out);
}
