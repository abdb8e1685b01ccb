/* Tables of effects and studies. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "rate/report.h"
#include "regret/status.h"

/* The cells from "n" to the end. */
static void row_cells(struct rate_document *d, const struct regret_rate_estimate *e,
                      const struct regret_rate_effect *f)
{
    struct data_table *t = &d->table;
    data_cell_count(t, f->n);
    effect_cells(t, f);
    DATA_NUMBERS(t, f->boot_se, f->boot_low, f->boot_high, f->se_paired, f->se_unpaired);
    DATA_COUNTS(t, e->n1, e->n0, e->n_rows, e->n_rows - e->n_used, e->n_predicted);
    data_cell_number(t, e->pooled_sd);
    cluster_cell(d, e->clustered);
    data_cell_count(t, f->n_clusters);
    DATA_NUMBERS(t, f->df, regret_rate_detectable(f));
    data_cell_text(t, f->missing);
}

int has_bootstrap(const struct regret_rate_estimate *estimates, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < REGRET_N_EFFECTS; k++) {
            if (!isnan(estimates[i].effects[k].boot_se)) {
                return 1;
            }
        }
    }
    return 0;
}

const struct regret_rate_effect *main_effect(enum regret_rate_effect_kind *kind,
                                             const struct regret_rate_estimate *estimate)
{
    static const enum regret_rate_effect_kind FIRST[] = {
        REGRET_EFFECT_RATE_ATE,   REGRET_EFFECT_RATE_ATU,   REGRET_EFFECT_RATE_ATT,
        REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_SINGLE_ATU, REGRET_EFFECT_SINGLE_ATT};
    for (size_t k = 0; k < sizeof FIRST / sizeof *FIRST; k++) {
        *kind = FIRST[k];
        if (estimate->effects[*kind].missing == NULL) {
            return &estimate->effects[*kind];
        }
    }
    return NULL;
}

/* Where there is no ATE by RATE, what there is, before the table that says so in nine rows. */
static void write_instead(struct rate_document *d, const struct regret_rate_estimate *estimates,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct regret_buffer label = REGRET_BUFFER_INIT;
        enum regret_rate_effect_kind kind = REGRET_EFFECT_RATE_ATE;
        const struct regret_rate_effect *e = main_effect(&kind, &estimates[i]);
        if (e == NULL || kind == REGRET_EFFECT_RATE_ATE) {
            continue;
        }
        int is_single = kind < REGRET_EFFECT_RATE_ATE;
        append_label(&label, d->rows, estimates[i].group, estimates[i].model);
        document_words(
            d, "%s: %+.3f (95 %% interval %+.3f to %+.3f) of %zu rows: the %s%s.%s\n\n",
            regret_buffer_get(&label), e->estimate, e->low, e->high, e->n,
            kind == REGRET_EFFECT_RATE_ATU || kind == REGRET_EFFECT_SINGLE_ATU
                ? "ATU, what having the attribute adds to texts without it"
            : kind == REGRET_EFFECT_RATE_ATT || kind == REGRET_EFFECT_SINGLE_ATT
                ? "ATT, what it adds to texts that have it"
                : "ATE",
            is_single ? ", by single rewrites" : ", by RATE",
            is_single
                ? " It includes whatever else rewriting changes; RATE wants the rewrite of the "
                  "rewrite, too."
                : "");
        regret_buffer_free_into(d->out, &label);
    }
}

static int any_clustered(const struct regret_rate_estimate *estimates, size_t n)
{
    size_t i = 0;
    while (i < n && !estimates[i].clustered) {
        i++;
    }
    return i < n;
}

/* People are shown the columns of the bootstrap and of clusters only where there are some. */
static void write_effects(struct rate_document *d, const struct regret_rate_estimate *estimates,
                          size_t n)
{
    struct data_table *t = document_table(
        d, "estimates", "Attribute effects (Rewrite-based Attribute Treatment Estimators)",
        "dataset attribute reward_model effect n estimate se low high d (d_se) (boot_se) "
        "(boot_low) (boot_high) (se_paired) (se_unpaired) (n1) (n0) (n_rows) (n_unused) "
        "(n_predicted) (pooled_sd) (cluster) (n_clusters) (df) (detectable) missing");
    if (has_bootstrap(estimates, n)) {
        data_table_show(t, "boot_");
    }
    if (any_clustered(estimates, n)) {
        data_table_show(t, "cluster");
    }
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < REGRET_N_EFFECTS; k++) {
            model_cells(d, estimates[i].group, estimates[i].model);
            data_cell_text(t, regret_rate_effect_name((enum regret_rate_effect_kind)k));
            row_cells(d, &estimates[i], &estimates[i].effects[k]);
        }
    }
    document_put(d);
}

void issue_places(struct regret_buffer *out, const struct regret_rate_rows *rows,
                  const struct regret_rate_issue *issue)
{
    for (size_t k = 0; k < issue->count && k < REGRET_RATE_ISSUE_EXAMPLES; k++) {
        uint32_t file = issue->examples[k].file, model = issue->examples[k].model;
        const struct regret_rate_file *f = file < rows->n_files ? &rows->files[file] : NULL;
        regret_buffer_printf(out, "%s%s%s%zu", k > 0 ? ", " : "", f != NULL ? f->name : "row",
                             f != NULL && f->is_document ? " row " : ":", issue->examples[k].line);
        const char *name = model != UINT32_MAX ? rows->models[model].name : "";
        const char *detail = issue->examples[k].detail;
        if (name[0] != '\0' || detail[0] != '\0') {
            regret_buffer_printf(out, " (%s%s%s)", name,
                                 name[0] != '\0' && detail[0] != '\0' ? ": " : "", detail);
        }
    }
    regret_buffer_append(out, issue->count > REGRET_RATE_ISSUE_EXAMPLES ? ", …" : "");
}

static void write_issue_table(struct rate_document *d)
{
    const struct regret_rate_rows *rows = d->rows;
    struct regret_buffer where = REGRET_BUFFER_INIT;
    struct data_table *t =
        document_table(d, "issues", "Rows with issues", "issue count where remedy");
    for (int k = 0; k < REGRET_RATE_N_ISSUES; k++) {
        if (rows->issues[k].count == 0) {
            continue;
        }
        regret_buffer_clear(&where);
        issue_places(&where, rows, &rows->issues[k]);
        data_cell_text(t, regret_rate_issue_name((enum regret_rate_issue_kind)k));
        data_cell_count(t, rows->issues[k].count);
        data_cell_text(t, regret_buffer_get(&where));
        data_cell_text(t, regret_rate_issue_remedy((enum regret_rate_issue_kind)k));
    }
    document_put(d);
    regret_buffer_free_into(d->out, &where);
}

static int count_issues(const struct regret_rate_rows *rows)
{
    int n = 0;
    for (int k = 0; k < REGRET_RATE_N_ISSUES; k++) {
        n += rows->issues[k].count > 0;
    }
    return n;
}

void write_issues_section(struct rate_document *d)
{
    if (d->format == REGRET_FORMAT_JSON || count_issues(d->rows) > 0) {
        write_issue_table(d);
    }
}

size_t count_predicted(const struct regret_rate_rows *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        n += rows->w_predicted[i];
    }
    return n;
}

/* Rows, and whose labels W is. */
static void write_summary(struct rate_document *d)
{
    const struct regret_rate_rows *rows = d->rows;
    size_t predicted = count_predicted(rows);
    double share = rows->n_rows > 0 ? (double)predicted / (double)rows->n_rows : 0.0;
    if (d->format == REGRET_FORMAT_JSON) {
        regret_buffer_printf(d->out, ",\n\"rows\": %zu,\n\"w_predicted_share\": ", rows->n_rows);
        regret_buffer_json_number(d->out, share);
        regret_buffer_append(d->out, ",\n\"w_predictor_agreement\": ");
        regret_buffer_json_number(d->out, rows->predictor_agreement);
        return;
    }
    const char *word = rows->n_rows == 1 ? "row" : "rows";
    if (isnan(rows->predictor_agreement)) {
        document_words(d, "\n%zu %s; W predicted in %zu of them (%.1f %%).\n", rows->n_rows, word,
                       predicted, 100.0 * share);
    } else {
        document_words(d,
                       "\n%zu %s; W predicted in %zu of them (%.1f %%), the classifier repeats "
                       "%.1f %% of the given labels.\n",
                       rows->n_rows, word, predicted, 100.0 * share,
                       100.0 * rows->predictor_agreement);
    }
    if (predicted > 0) {
        document_words(
            d, "\nPredictions were taken for labels. Where they err the effects are biased, "
               "and the intervals do not know it.\n");
    }
}

void regret_rate_write_estimates(struct regret_buffer *out, enum regret_format format,
                                 const struct regret_rate_rows *rows,
                                 const struct regret_rate_estimate *estimates, size_t n)
{
    struct rate_document d = document_begin(out, format, rows);
    write_instead(&d, estimates, n);
    write_effects(&d, estimates, n);
    write_summary(&d);
    write_issues_section(&d);
    document_end(&d);
}

void regret_rate_write_issues(struct regret_buffer *out, const struct regret_rate_rows *rows)
{
    struct regret_buffer where = REGRET_BUFFER_INIT;
    for (int k = 0; k < REGRET_RATE_N_ISSUES; k++) {
        const struct regret_rate_issue *issue = &rows->issues[k];
        if (issue->count > 0) {
            regret_buffer_clear(&where);
            issue_places(&where, rows, issue);
            regret_buffer_fail(out, regret_buffer_status(&where));
            regret_buffer_printf(out, "%s: %zu (",
                                 regret_rate_issue_name((enum regret_rate_issue_kind)k),
                                 issue->count);
            regret_buffer_append_safe(out, regret_buffer_get(&where), SIZE_MAX);
            regret_buffer_printf(out, "); %s\n",
                                 regret_rate_issue_remedy((enum regret_rate_issue_kind)k));
        }
    }
    regret_buffer_free(&where);
}

/* Some rows with their texts beside one another, as a table. */

int has_texts(const struct regret_rate_rows *rows, size_t i)
{
    int all = rows->texts != NULL && rows->w[i] <= REGRET_LABEL_1;
    for (int s = 0; all && s < REGRET_N_SIDES; s++) {
        all = rows->texts[i].completion[s] != NULL;
    }
    return all;
}

void append_rewards(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i,
                    int side)
{
    const char *between = "";
    for (size_t m = 0; m < rows->n_models; m++) {
        double x = rows->models[m].contrastive ? (double)NAN : rows->models[m].score[side][i];
        if (isfinite(x)) {
            regret_buffer_printf(out, "%s%s %.4g", between, rows->models[m].name, x);
            between = ", ";
        }
    }
}

/* A cell of what is in `text`, which is cleared but for a failure. */
static void take_cell(struct data_table *t, struct regret_buffer *text)
{
    data_cell_text(t, regret_buffer_get(text));
    regret_buffer_clear(text);
}

static void sample_row(struct rate_document *d, size_t i)
{
    enum { CUT = 240 };
    const struct regret_rate_rows *rows = d->rows;
    struct data_table *t = &d->table;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    size_t width =
        d->format == REGRET_FORMAT_MARKDOWN || d->format == REGRET_FORMAT_LATEX ? CUT : SIZE_MAX;
    group_cells(d, rows->group[i]);
    regret_buffer_printf(&text, "%s:%zu",
                         rows->file[i] < rows->n_files ? rows->files[rows->file[i]].name : "row",
                         rows->line[i]);
    take_cell(t, &text);
    data_cell_count(t, rows->w[i]);
    for (int s = 0; s < REGRET_N_SIDES; s++) {
        regret_buffer_append_safe(&text, rows->texts[i].completion[s], width);
        take_cell(t, &text);
        append_rewards(&text, rows, i, s);
        take_cell(t, &text);
    }
    text_free_into(&t->table.status, &text);
}

int regret_rate_write_samples(struct regret_buffer *out, enum regret_format format,
                              const struct regret_rate_rows *rows, size_t per_group, size_t *shown)
{
    size_t *of_group = NULL;
    TRY(REGRET_NEW(&of_group, rows->n_groups + 1));
    *shown = 0;
    struct rate_document d = document_begin(out, format, rows);
    document_table(&d, "samples", "Texts beside one another",
                   "dataset attribute row w original original_rewards rewrite rewrite_rewards "
                   "rewrite_of_rewrite rewrite_of_rewrite_rewards");
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (has_texts(rows, i) && of_group[rows->group[i]]++ < per_group) {
            sample_row(&d, i);
            ++*shown;
        }
    }
    document_put(&d);
    document_end(&d);
    regret_free(of_group);
    return regret_buffer_status(out);
}

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
