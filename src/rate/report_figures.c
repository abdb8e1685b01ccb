#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/try.h"
#include "rate/report.h"
#include "rate/rows.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "report/svg.h"

/* What the styles mean in every figure of this room. */
enum {
    STYLE_NAIVE = SVG_BLUE_DISC,
    STYLE_SINGLE = SVG_GREEN_SQUARE,
    STYLE_DOUBLE = SVG_RED_TRIANGLE
};

/* Far below the largest double: differences of what is drawn must not overflow. */
static const double MOST = 1e300;

static struct svg_point point_within(double value, double low, double high)
{
    int drawn = fabs(value) < MOST && low > -MOST && high < MOST;
    return drawn ? (struct svg_point){value, low, high} : (struct svg_point){NAN, NAN, NAN};
}

static struct svg_point point_of(const struct regret_rate_effect *e)
{
    return point_within(e->d, e->d - 1.96 * e->d_se, e->d + 1.96 * e->d_se);
}

/* On the scale of the reward: for models without a Cohen's d. */
static struct svg_point raw_point_of(const struct regret_rate_effect *e)
{
    return point_within(e->estimate, e->low, e->high);
}

static int save_figure(const char *folder, const char *name, const struct regret_text *svg)
{
    char *path = NULL;
    TRY(regret_text_status(svg));
    TRY(regret_path_join(&path, folder, name));
    int rc = regret_file_write(path, svg->data, svg->length);
    regret_free(path);
    return rc;
}

/* At most `characters` of a UTF-8 text; "…" where there was more. */
static void append_cut(struct regret_text *out, const char *text, size_t characters)
{
    struct regret_text safe = REGRET_TEXT_INIT;
    size_t n = 0;
    regret_text_append_safe(&safe, text, SIZE_MAX);
    text = regret_text_get(&safe);
    for (; text[n] != '\0'; n++) {
        if (((unsigned char)text[n] & 0xC0) != 0x80 && characters-- == 0) {
            break;
        }
    }
    regret_text_append_n(out, text, n);
    regret_text_append(out, text[n] != '\0' ? "…" : "");
    regret_text_fail(out, regret_text_status(&safe));
    regret_text_free(&safe);
}

/* "attribute · model", with the dataset where there are several. */
static void append_label(struct regret_text *out, const struct regret_rate_rows *rows, size_t group,
                         size_t model)
{
    const struct regret_rate_group *g = &rows->groups[group];
    int several = 0;
    for (size_t k = 0; k < rows->n_groups; k++) {
        several |= strcmp(rows->groups[k].dataset, g->dataset) != 0;
    }
    if (several) {
        append_cut(out, g->dataset, 12);
        regret_text_append(out, " · ");
    }
    append_cut(out, g->attribute, 14);
    regret_text_append(out, g->attribute[0] != '\0' ? " · " : "");
    append_cut(out, rows->models[model].name, several ? 18 : 28);
    regret_text_append(out, rows->models[model].contrastive ? " (contrastive)" : "");
}

/* A figure of n_rows × n_series points with labels, in memory of its own. */
struct labelled_points {
    struct regret_text *label;
    const char **labels;
    struct svg_point *points;
    size_t n_rows;
};

static int points_new(struct labelled_points *s, size_t n_rows, size_t n_series)
{
    TRY(REGRET_NEW(&s->label, n_rows));
    s->n_rows = n_rows;
    TRY(REGRET_NEW(&s->labels, n_rows));
    return REGRET_NEW(&s->points, n_rows * n_series);
}

static void points_free(struct labelled_points *s)
{
    for (size_t i = 0; i < s->n_rows; i++) {
        regret_text_free(&s->label[i]);
    }
    regret_free(s->label);
    regret_free(s->labels);
    regret_free(s->points);
}

/* One row per estimate and kind[k][0..n_series): the same labels with a suffix per k. */
static int draw_effect_rows(const char *folder, const char *file, struct svg_intervals figure,
                            const struct regret_rate_rows *rows,
                            const struct regret_rate_estimate *estimates, size_t n,
                            const enum regret_rate_effect_kind (*kinds)[2],
                            const char *const *suffixes, size_t n_kinds)
{
    struct labelled_points s = {NULL, NULL, NULL, 0};
    struct regret_text svg = REGRET_TEXT_INIT;
    int rc;
    TRY_CLEANUP(points_new(&s, n * n_kinds, 2));
    for (size_t at = 0; at < n * n_kinds; at++) {
        const struct regret_rate_estimate *e = &estimates[at / n_kinds];
        const enum regret_rate_effect_kind *kind = kinds[at % n_kinds];
        append_label(&s.label[at], rows, e->group, e->model);
        regret_text_append(&s.label[at], suffixes[at % n_kinds]);
        regret_text_fail(&svg, regret_text_status(&s.label[at]));
        s.labels[at] = regret_text_get(&s.label[at]);
        s.points[2 * at] = point_of(&e->effects[kind[0]]);
        s.points[2 * at + 1] = point_of(&e->effects[kind[1]]);
    }
    figure.labels = s.labels;
    figure.points = s.points;
    figure.n_rows = n * n_kinds;
    figure.n_series = 2;
    svg_intervals(&svg, &figure);
    rc = save_figure(folder, file, &svg);
cleanup:
    points_free(&s);
    regret_text_free(&svg);
    return rc;
}

static const char COHEN[] = "Cohen's d (bars: 95 % intervals)";

static const char NO_D[] = "no Cohen's d";

static int draw_effects(const char *folder, const struct regret_rate_rows *rows,
                        const struct regret_rate_estimate *estimates, size_t n)
{
    static const enum regret_rate_effect_kind kinds[1][2] = {
        {REGRET_EFFECT_NAIVE, REGRET_EFFECT_RATE_ATE}};
    static const char *const series[2] = {"naive", "RATE (rewrite-based, ATE)"};
    static const char *const suffixes[1] = {""};
    const struct svg_intervals figure = {
        .title = "Naive and rewrite-based effects of attributes on reward models",
        .description =
            "For every attribute and reward model, the naive difference of means and the "
            "double-rewrite average treatment effect, both as Cohen's d with 95 % "
            "intervals.",
        .x_name = COHEN,
        .missing = NO_D,
        .series = series,
        .styles = (const int[]){STYLE_NAIVE, STYLE_DOUBLE}};
    return draw_effect_rows(folder, "effects.svg", figure, rows, estimates, n, kinds, suffixes, 1);
}

static int draw_single_double(const char *folder, const struct regret_rate_rows *rows,
                              const struct regret_rate_estimate *estimates, size_t n)
{
    static const enum regret_rate_effect_kind kinds[3][2] = {
        {REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE},
        {REGRET_EFFECT_SINGLE_ATT, REGRET_EFFECT_RATE_ATT},
        {REGRET_EFFECT_SINGLE_ATU, REGRET_EFFECT_RATE_ATU}};
    static const char *const series[2] = {"single rewrite", "double rewrite (RATE)"};
    static const char *const suffixes[3] = {": ATE", ": ATT", ": ATU"};
    const struct svg_intervals figure = {
        .title = "Single and double rewrites",
        .description =
            "For every attribute and reward model, the average treatment effect, the one "
            "on the treated and the one on the untreated, estimated from single and from "
            "double rewrites, as Cohen's d with 95 % intervals.",
        .x_name = COHEN,
        .missing = NO_D,
        .series = series,
        .styles = (const int[]){STYLE_SINGLE, STYLE_DOUBLE}};
    return draw_effect_rows(folder, "single-double.svg", figure, rows, estimates, n, kinds,
                            suffixes, 3);
}

static double drawable(double value)
{
    return fabs(value) < 1e150 ? value : (double)NAN; /* its square is taken */
}

/* O and RR of the rows of a group, NaN elsewhere. */
static int gather_pair(double *pair[2], const struct regret_rate_rows *rows,
                       const struct regret_rate_estimate *e)
{
    const struct regret_rate_model *m = &rows->models[e->model];
    TRY(REGRET_NEW(&pair[0], rows->n_rows));
    TRY(REGRET_NEW(&pair[1], rows->n_rows));
    for (size_t i = 0; i < rows->n_rows; i++) {
        int used = rows->group[i] == e->group && rows->w[i] <= REGRET_LABEL_1 &&
                   rows_missing(rows, e->model, i) == 0;
        pair[0][i] = used ? drawable(m->score[REGRET_SIDE_ORIGINAL][i]) : (double)NAN;
        pair[1][i] = used ? drawable(m->score[REGRET_SIDE_REWRITE_OF_REWRITE][i]) : (double)NAN;
    }
    return REGRET_OK;
}

static int draw_pair(const char *folder, size_t number, const struct regret_rate_rows *rows,
                     const struct regret_rate_estimate *e)
{
    static const char *const series[2] = {"original", "rewrite of the rewrite"};
    double *pair[2] = {NULL, NULL};
    struct regret_text svg = REGRET_TEXT_INIT;
    struct regret_text title = REGRET_TEXT_INIT;
    char name[48];
    regret_text_append(&title, "Rewards of both ends: ");
    append_label(&title, rows, e->group, e->model);
    snprintf(name, sizeof name, "density-%zu.svg", number);
    int rc;
    TRY_CLEANUP(regret_text_status(&title));
    TRY_CLEANUP(gather_pair(pair, rows, e));
    const double *const samples[2] = {pair[0], pair[1]};
    const struct svg_densities figure = {
        .title = regret_text_get(&title),
        .description = "Densities of the rewards of originals and of their rewrites' rewrites, "
                       "which have the same attribute: what lies between the two curves is what "
                       "rewriting changed off target.",
        .x_name = "reward",
        .series = series,
        .styles = (const int[]){STYLE_NAIVE, STYLE_DOUBLE},
        .n_series = 2,
        .samples = samples,
        .n = rows->n_rows};
    TRY_CLEANUP(svg_densities(&svg, &figure));
    rc = save_figure(folder, name, &svg);
cleanup:
    regret_free(pair[0]);
    regret_free(pair[1]);
    regret_text_free(&title);
    regret_text_free(&svg);
    return rc;
}

int regret_rate_draw_estimates(const char *folder, const struct regret_rate_rows *rows,
                               const struct regret_rate_estimate *estimates, size_t n)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    int rc;
    TRY(regret_staging_begin_files(&staging, folder));
    TRY_CLEANUP(draw_effects(staging.partial, rows, estimates, n));
    TRY_CLEANUP(draw_single_double(staging.partial, rows, estimates, n));
    for (size_t i = 0; i < n; i++) {
        if (estimates[i].effects[REGRET_EFFECT_DRIFT_1].missing == NULL) {
            TRY_CLEANUP(draw_pair(staging.partial, i + 1, rows, &estimates[i]));
        }
    }
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}

static const enum regret_rate_effect_kind line_kinds[3] = {
    REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE};
static const char *const line_series[3] = {"naive", "single rewrite (ATE)",
                                           "double rewrite (RATE, ATE)"};

/* KIND-NUMBER.svg: three effects over what stands in `figure` for x; frees the title. */
static int draw_estimate_lines(const char *folder, const char *kind, size_t number,
                               struct regret_text *title, struct svg_lines figure,
                               const struct regret_rate_estimate *estimates)
{
    struct svg_point *points = NULL;
    struct regret_text svg = REGRET_TEXT_INIT;
    char name[48];
    int has_d = 0, rc;
    TRY_CLEANUP(regret_text_status(title));
    TRY_CLEANUP(REGRET_NEW(&points, 3 * figure.n_x));
    for (size_t i = 0; i < figure.n_x; i++) {
        has_d |= !isnan(estimates[i].pooled_sd);
    }
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < figure.n_x; i++) {
            const struct regret_rate_effect *e = &estimates[i].effects[line_kinds[k]];
            points[k * figure.n_x + i] = has_d ? point_of(e) : raw_point_of(e);
        }
    }
    figure.title = regret_text_get(title);
    figure.series = line_series;
    figure.styles = (const int[]){STYLE_NAIVE, STYLE_SINGLE, STYLE_DOUBLE};
    figure.n_series = 3;
    figure.points = points;
    figure.y_name = has_d ? COHEN : "effect on the reward (bars: 95 % intervals)";
    svg_lines(&svg, &figure);
    snprintf(name, sizeof name, "%s-%zu.svg", kind, number);
    rc = save_figure(folder, name, &svg);
cleanup:
    regret_free(points);
    regret_text_free(&svg);
    regret_text_free(title);
    return rc;
}

int regret_rate_draw_shift(const char *folder, const struct regret_rate_rows *rows,
                           const struct regret_rate_shift *shifts, size_t n)
{
    double x[REGRET_RATE_SHIFT_LEVELS];
    struct regret_staging staging = REGRET_STAGING_INIT;
    const struct svg_lines figure = {
        .description = "Naive, single-rewrite and double-rewrite effects while the target "
                       "attribute W is made to go with another attribute Z. A causal estimate "
                       "stays level.",
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
            struct regret_text title = REGRET_TEXT_INIT;
            regret_text_append(&title, "Under distribution shift: ");
            append_label(&title, rows, shifts[k].group, shifts[k].model);
            TRY_CLEANUP(draw_estimate_lines(staging.partial, "shift", k + 1, &title, figure,
                                            shifts[k].levels));
        }
    }
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}

int regret_rate_draw_typos(const char *folder, const struct regret_rate_typos *typos, size_t n,
                           const struct regret_rate_typo_options *options)
{
    double x[REGRET_RATE_TYPO_MAX];
    struct regret_staging staging = REGRET_STAGING_INIT;
    const struct svg_lines figure = {
        .description = "Naive, single-rewrite and double-rewrite effects of starting with a vowel "
                       "while texts that do are given more and more typos. The true effect is "
                       "about zero.",
        .x_name = "words with typos, %",
        .x = x,
        .n_x = options->n_rates};
    int rc;
    for (size_t i = 0; i < options->n_rates; i++) {
        x[i] = (double)options->percents[i];
    }
    TRY(regret_staging_begin_files(&staging, folder));
    for (size_t k = 0; k < n; k++) {
        struct regret_text title = REGRET_TEXT_INIT;
        regret_text_append(&title, "\"Starts with a vowel\", SYNTHETIC rewriter: ");
        append_cut(&title, typos[k].model, 40);
        TRY_CLEANUP(
            draw_estimate_lines(staging.partial, "typos", k + 1, &title, figure, typos[k].rates));
    }
    rc = regret_staging_commit_files(&staging);
cleanup:
    regret_staging_abandon(&staging);
    return rc;
}
