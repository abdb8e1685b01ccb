#include <math.h>
#include <stdint.h>
#include <string.h>

#include "rate/report/report.h"

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
