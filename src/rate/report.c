#include "rate/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/text.h"
#include "chart/figure.h"
#include "rate/contrast.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "report/table.h"

/* What the data say about the assumptions, as tables. */

static void mean_cells(struct data_table *t, const struct regret_rate_mean *m)
{
    DATA_NUMBERS(t, m->mean, m->se);
}

/* Whose movement it is, and in what. */
static void movement_cells(struct rate_document *d, const struct regret_rate_movement *m)
{
    group_cells(d, m->group);
    data_cell_text(&d->table, m->measure == REGRET_MEASURE_CHARACTERS ? "characters"
                              : m->measure == REGRET_MEASURE_WORDS
                                  ? "words"
                                  : d->rows->models[m->model].name);
}

#define CLUSTER_COLUMNS "cluster n_clusters missing"

static void cluster_cells(struct rate_document *d, int clustered, size_t n_clusters,
                          const char *missing)
{
    cluster_cell(d, clustered);
    data_cell_count(&d->table, n_clusters);
    data_cell_text(&d->table, missing);
}

static void write_movements(struct rate_document *d, const struct regret_rate_check *check)
{
    struct data_table *t = document_table(
        d, "movements", "How far rewriting moved what it should leave alone",
        "dataset attribute measure w n original (original_se) rewriting rewriting_se "
        "rewriting_back rewriting_back_se net net_se (cluster)");
    for (size_t k = 0; k < 2 * check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k / 2];
        size_t w = 1 - k % 2;
        movement_cells(d, m);
        DATA_COUNTS(t, w, m->n[w]);
        mean_cells(t, &m->original[w]);
        mean_cells(t, &m->forth[w]);
        mean_cells(t, &m->back[w]);
        mean_cells(t, &m->net[w]);
        cluster_cell(d, m->clustered);
    }
    document_put(d);
}

static void write_symmetry(struct rate_document *d, const struct regret_rate_check *check)
{
    struct data_table *t =
        document_table(d, "symmetry", "Rewrites to W = 1 less rewrites to W = 0 (0 off target)",
                       "dataset attribute measure n rewrite_to_1_less_to_0 se t p p_holm low high "
                       "(df) " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_movements; k++) {
        const struct regret_rate_movement *m = &check->movements[k];
        movement_cells(d, m);
        data_cell_count(t, m->n[0] + m->n[1]);
        mean_cells(t, &m->asymmetry);
        DATA_NUMBERS(t, m->t, m->p, m->p_holm, m->low, m->high, m->df);
        cluster_cells(d, m->clustered, m->n_clusters, m->missing);
    }
    document_put(d);
}

static void write_flips(struct rate_document *d, const struct regret_rate_check *check)
{
    static const char *const sides[REGRET_N_SIDES] = {"original", "rewrite", "rewrite_of_rewrite"};
    struct data_table *t = document_table(
        d, "flips", "Texts whose W is as it should be, by the classifier",
        "dataset attribute text w_original n as_it_should low high " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_flips; k++) {
        const struct regret_rate_flips *f = &check->flips[k];
        group_cells(d, f->group);
        data_cell_text(t, sides[f->side]);
        DATA_COUNTS(t, (size_t)f->w, f->n);
        DATA_NUMBERS(t, f->share, f->low, f->high);
        cluster_cells(d, f->clustered, f->n_clusters, f->missing);
    }
    document_put(d);
}

static void model_cell(struct rate_document *d, size_t model)
{
    const struct regret_rate_model *m = &d->rows->models[model];
    struct regret_buffer name = REGRET_BUFFER_INIT;
    regret_buffer_append(&name, m->name);
    regret_buffer_append(&name, m->contrastive ? " (contrastive)" : "");
    data_cell_text(&d->table, regret_buffer_get(&name));
    text_free_into(&d->table.table.status, &name);
}

static void write_wins(struct rate_document *d, const struct regret_rate_check *check)
{
    struct data_table *t = document_table(
        d, "wins", "How often the text with W = 1 has the higher reward",
        "dataset attribute reward_model texts n wins ties share se low high " CLUSTER_COLUMNS);
    for (size_t k = 0; k < check->n_wins; k++) {
        const struct regret_rate_wins *w = &check->wins[k];
        group_cells(d, w->group);
        model_cell(d, w->model);
        data_cell_text(t, w->is_double ? "rewrites" : "original and rewrite");
        DATA_COUNTS(t, w->n, w->wins, w->ties);
        DATA_NUMBERS(t, w->share, w->se, w->low, w->high);
        cluster_cells(d, w->clustered, w->n_clusters, w->missing);
    }
    document_put(d);
}

void regret_rate_write_check(struct regret_buffer *out, enum regret_format format,
                             const struct regret_rate_rows *rows,
                             const struct regret_rate_check *check)
{
    struct rate_document d = document_begin(out, format, rows);
    write_movements(&d, check);
    write_symmetry(&d, check);
    if (check->n_flips > 0 || format == REGRET_FORMAT_JSON) {
        write_flips(&d, check);
    }
    write_wins(&d, check);
    write_issues_section(&d);
    document_end(&d);
}

/* Documents of tables: none of HTML, which has pages. */
static const struct {
    void (*render)(struct regret_buffer *, const struct data_table *);
    const char *begin, *between, *end; /* of a document */
} formats[REGRET_N_FORMATS] = {
    [REGRET_FORMAT_MARKDOWN] = {render_data_markdown, "", "\n", ""},
    [REGRET_FORMAT_CSV] = {render_data_csv, "", "", ""},
    [REGRET_FORMAT_JSON] = {render_data_json, "{", ",", "\n}\n"},
    [REGRET_FORMAT_LATEX] = {render_data_latex, "", "\n", ""},
};

struct rate_document document_begin(struct regret_buffer *out, enum regret_format format,
                                    const struct regret_rate_rows *rows)
{
    if (formats[format].render == NULL) {
        regret_buffer_fail(out, regret_fail(REGRET_E_INPUT, "these tables have no format \"%s\"",
                                            regret_format_word(format)));
    } else {
        regret_buffer_append(out, formats[format].begin);
    }
    return (struct rate_document){.out = out, .format = format, .rows = rows};
}

void document_end(struct rate_document *d)
{
    regret_buffer_append(d->out, d->out->status == REGRET_OK ? formats[d->format].end : "");
}

struct data_table *document_table(struct rate_document *d, const char *name, const char *title,
                                  const char *columns)
{
    data_table_begin(&d->table, name, title, columns);
    return &d->table;
}

void document_put(struct rate_document *d)
{
    regret_buffer_fail(d->out, table_check(&d->table.table));
    if (d->out->status == REGRET_OK && (d->n_tables == 0 || d->format != REGRET_FORMAT_CSV)) {
        regret_buffer_append(d->out, d->n_tables > 0 ? formats[d->format].between : "");
        formats[d->format].render(d->out, &d->table);
        d->n_tables++;
    }
    table_free(&d->table.table);
}

/* A paragraph of Markdown as LaTeX: the marks of code and of items are left out. */
static void latex_words(struct regret_buffer *out, const char *markdown)
{
    struct regret_buffer plain = REGRET_BUFFER_INIT;
    markdown += strspn(markdown, "\n* ");
    for (; *markdown != '\0'; markdown++) {
        if (*markdown != '`' && *markdown != '\n') {
            regret_buffer_append_char(&plain, *markdown);
        }
    }
    regret_buffer_append(out, "\n\\noindent ");
    latex_escape(out, regret_buffer_get(&plain));
    regret_buffer_append(out, "\\par\n");
    regret_buffer_free_into(out, &plain);
}

void document_words(struct rate_document *d, const char *words, ...)
{
    int status = REGRET_OK;
    va_list arguments;
    va_start(arguments, words);
    char *own = sticky_print(&status, words, arguments);
    va_end(arguments);
    if (status != REGRET_OK) {
        regret_buffer_fail(d->out, status);
    } else if (d->format == REGRET_FORMAT_MARKDOWN) {
        regret_buffer_append(d->out, own);
    } else if (d->format == REGRET_FORMAT_LATEX) {
        latex_words(d->out, own);
    }
    regret_free(own);
}

void group_cells(struct rate_document *d, size_t group)
{
    data_cell_text(&d->table, d->rows->groups[group].dataset);
    data_cell_text(&d->table, d->rows->groups[group].attribute);
}

void model_cells(struct rate_document *d, size_t group, size_t model)
{
    group_cells(d, group);
    model_cell(d, model);
}

void cluster_cell(struct rate_document *d, int clustered)
{
    const char *key = d->rows->cluster_key;
    data_cell_text(&d->table, !clustered ? "none" : key == NULL ? "given" : key);
}

void effect_cells(struct data_table *t, const struct regret_rate_effect *e)
{
    DATA_NUMBERS(t, e->estimate, e->se, e->low, e->high, e->d, e->d_se);
}

void append_cut(struct regret_buffer *out, const char *text, size_t characters)
{
    struct regret_buffer safe = REGRET_BUFFER_INIT;
    size_t n = 0;
    regret_buffer_append_safe(&safe, text, SIZE_MAX);
    text = regret_buffer_get(&safe);
    for (; text[n] != '\0'; n++) {
        if (((unsigned char)text[n] & 0xC0) != 0x80 && characters-- == 0) {
            break;
        }
    }
    regret_buffer_append_n(out, text, n);
    regret_buffer_append(out, text[n] != '\0' ? "…" : "");
    regret_buffer_free_into(out, &safe);
}

void append_label(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t group,
                  size_t model)
{
    const struct regret_rate_group *g = &rows->groups[group];
    int several = 0;
    for (size_t k = 0; k < rows->n_groups; k++) {
        several |= strcmp(rows->groups[k].dataset, g->dataset) != 0;
    }
    if (several) {
        append_cut(out, g->dataset, 12);
        regret_buffer_append(out, " · ");
    }
    append_cut(out, g->attribute, 14);
    regret_buffer_append(out, g->attribute[0] != '\0' ? " · " : "");
    append_cut(out, rows->models[model].name, several ? 18 : 28);
    regret_buffer_append(out, rows->models[model].contrastive ? " (contrastive)" : "");
}

/* Reward models against people, as tables. */

static void pair_cells(struct rate_document *d, const struct regret_rate_choices *c)
{
    model_cells(d, c->group, c->model);
    data_cell_text(&d->table, c->is_double ? "rewrites" : "original and rewrite");
}

static void write_choices(struct rate_document *d, const struct regret_rate_calibration *k)
{
    struct data_table *t =
        document_table(d, "choices", "Preferences of people and of the reward model",
                       "dataset attribute reward_model texts n decided agreement agreement_low "
                       "agreement_high wins human_wins (cluster) (n_clusters) (df) intercept "
                       "(intercept_se) intercept_low intercept_high (intercept_p) slope (slope_se) "
                       "slope_low slope_high (slope_p) calibration_error missing");
    for (size_t i = 0; i < k->n_choices; i++) {
        const struct regret_rate_choices *c = &k->choices[i];
        const struct regret_rate_coefficient *line[2] = {&c->intercept, &c->slope};
        pair_cells(d, c);
        DATA_COUNTS(t, c->n, c->n_decided);
        DATA_NUMBERS(t, c->agreement, c->agreement_low, c->agreement_high, c->wins, c->human_wins);
        cluster_cell(d, c->clustered);
        data_cell_count(t, c->n_clusters);
        data_cell_number(t, c->df);
        for (int l = 0; l < 2; l++) {
            const double numbers[] = {line[l]->estimate, line[l]->se, line[l]->low, line[l]->high,
                                      line[l]->p};
            data_cell_numbers(t, numbers, sizeof numbers / sizeof *numbers);
        }
        data_cell_number(t, c->calibration_error);
        data_cell_text(t, c->missing);
    }
    document_put(d);
    document_words(d, "\nlogit P(people prefer the text with W = 1) = intercept + slope · "
                      "(difference of the rewards); 0 and 1 where the rewards are "
                      "calibrated.\n");
}

static void write_bins(struct rate_document *d, const struct regret_rate_calibration *k)
{
    struct data_table *t =
        document_table(d, "reliability", "How often people choose what the rewards predict",
                       "dataset attribute reward_model texts bin_low bin_high n predicted chosen");
    for (size_t i = 0; i < k->n_choices; i++) {
        const struct regret_rate_choices *c = &k->choices[i];
        for (size_t b = 0; b < REGRET_RATE_N_BINS; b++) {
            if (c->bin_n[b] > 0) {
                pair_cells(d, c);
                DATA_NUMBERS(t, (double)b / REGRET_RATE_N_BINS,
                             (double)(b + 1) / REGRET_RATE_N_BINS);
                data_cell_count(t, c->bin_n[b]);
                DATA_NUMBERS(t, c->bin_predicted[b], c->bin_chosen[b]);
            }
        }
    }
    document_put(d);
}

static void write_skews(struct rate_document *d, const struct regret_rate_calibration *k)
{
    struct data_table *t = document_table(
        d, "skew", "RATE on the rewards less RATE on people's ratings (Cohen's d)",
        "dataset attribute reward_model reward_d human_d skew se low high p p_holm missing");
    for (size_t i = 0; i < k->n_skews; i++) {
        const struct regret_rate_contrast *c = &k->skews[i];
        const struct regret_rate_estimate *e = &k->estimates[c->estimate[0]];
        model_cells(d, e->group, e->model);
        DATA_NUMBERS(t, c->value[0], c->value[1], c->difference, c->se, c->low, c->high, c->p,
                     c->p_holm);
        data_cell_text(t, c->missing);
    }
    document_put(d);
}

void regret_rate_write_calibration(struct regret_buffer *out, enum regret_format format,
                                   const struct regret_rate_rows *rows,
                                   const struct regret_rate_calibration *calibration)
{
    struct rate_document d = document_begin(out, format, rows);
    write_choices(&d, calibration);
    write_bins(&d, calibration);
    write_skews(&d, calibration);
    write_issues_section(&d);
    document_end(&d);
}

/* The table of contrasts (rate/contrast.h). */

/* "attribute · model: effect" */
static void side_cell(struct rate_document *d, const struct regret_rate_estimate *e,
                      enum regret_rate_effect_kind effect)
{
    struct regret_buffer label = REGRET_BUFFER_INIT;
    append_label(&label, d->rows, e->group, e->model);
    regret_buffer_printf(&label, ": %s", regret_rate_effect_name(effect));
    data_cell_text(&d->table, regret_buffer_get(&label));
    text_free_into(&d->table.table.status, &label);
}

/* The cells "dataset" to "effect". */
static void place_cells(struct rate_document *d, const struct regret_rate_estimate *e,
                        enum regret_rate_effect_kind effect)
{
    model_cells(d, e->group, e->model);
    data_cell_text(&d->table, regret_rate_effect_name(effect));
}

static void contrast_row(struct rate_document *d, const struct regret_rate_contrasts *contrasts,
                         const struct regret_rate_contrast *c)
{
    const struct regret_rate_estimate *e[2] = {&contrasts->estimates[c->estimate[0]],
                                               &contrasts->estimates[c->estimate[1]]};
    struct data_table *t = &d->table;
    data_cell_text(t, regret_rate_contrast_name(c->kind));
    for (int k = 0; k < 2; k++) {
        side_cell(d, e[k], c->effect[k]);
        place_cells(d, e[k], c->effect[k]);
    }
    data_cell_text(t, c->is_d ? "d" : "reward");
    DATA_NUMBERS(t, c->value[0], c->value[1], c->difference, c->se, c->df, c->low, c->high,
                 c->all_low, c->all_high, c->p, c->p_holm, c->detectable);
    cluster_cell(d, e[0]->clustered || e[1]->clustered);
    DATA_COUNTS(t, c->n_clusters, c->n_shared);
    data_cell_text(t, c->missing);
}

static void write_together(struct rate_document *d, const struct regret_rate_contrasts *c)
{
    if (d->format == REGRET_FORMAT_JSON) {
        regret_buffer_printf(d->out, ",\n\"simultaneous\": \"%s\",\n\"critical\": ",
                             c->by_max_t ? "max-t" : "sidak");
        regret_buffer_json_number(d->out, c->critical);
    } else {
        document_words(
            d,
            "\n%zu contrast%s, first minus second. `low` and `high` hold each in 95 %% of "
            "the cases, `all_low` and `all_high` all of them together (%s, |z| up to "
            "%.3f); `p_holm` is adjusted for all. `detectable`: the least true "
            "difference found with 80 %% power.\n",
            c->n, c->n == 1 ? "" : "s",
            c->by_max_t ? "the greatest |t| by their correlations" : "Šidák", c->critical);
    }
}

void regret_rate_write_contrasts(struct regret_buffer *out, enum regret_format format,
                                 const struct regret_rate_rows *rows,
                                 const struct regret_rate_contrasts *contrasts)
{
    struct rate_document d = document_begin(out, format, rows);
    document_table(&d, "contrasts", "Differences of attribute effects",
                   "contrast first (dataset) (attribute) (reward_model) (effect) second "
                   "(second_dataset) (second_attribute) (second_reward_model) (second_effect) "
                   "scale (first_value) (second_value) difference se (df) low high all_low "
                   "all_high p p_holm detectable (cluster) n_clusters n_shared missing");
    for (size_t k = 0; k < contrasts->n; k++) {
        contrast_row(&d, contrasts, &contrasts->contrasts[k]);
    }
    document_put(&d);
    write_together(&d, contrasts);
    write_issues_section(&d);
    document_end(&d);
}
