/* Tables of contrasts and of plans (rate_inference.h). */
#include <math.h>

#include "base/text/take.h"
#include "rate/report/report.h"

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

void regret_rate_write_splits(struct regret_buffer *out, enum regret_format format,
                              const struct regret_rate_rows *rows,
                              const struct regret_rate_splits *splits)
{
    struct rate_document d = document_begin(out, format, rows);
    struct data_table *t = document_table(
        &d, "rewrites", "Several rewrites of a response",
        "dataset attribute reward_model effect responses repeated rewrites estimate se (cluster) "
        "sd_between sd_within sd_repeat se_of_1 se_of_2 se_of_4 se_of_endless missing");
    for (size_t k = 0; k < splits->n; k++) {
        const struct regret_rate_split *s = &splits->splits[k];
        const struct regret_rate_estimate *e = &splits->estimates[s->estimate];
        const struct regret_rate_effect *f = &e->effects[REGRET_EFFECT_RATE_ATE];
        place_cells(&d, e, REGRET_EFFECT_RATE_ATE);
        DATA_COUNTS(t, s->n_responses, s->n_repeated, s->n_rewrites);
        DATA_NUMBERS(t, f->estimate, f->se);
        cluster_cell(&d, e->clustered);
        DATA_NUMBERS(t, s->sd_between, s->sd_within, s->sd_repeat);
        for (int r = 0; r < REGRET_RATE_N_REPEATS; r++) {
            data_cell_number(t, s->se[r]);
        }
        data_cell_text(t, s->missing);
    }
    document_put(&d);
    document_words(&d, "\n`sd_between` of responses, `sd_within` of the rewrites of one, "
                       "`sd_repeat` of one rewriter asked again; `se_of_k`: the error that k "
                       "rewrites of each of these responses would leave.\n");
    write_issues_section(&d);
    document_end(&d);
}

static const char SAFE[] = "`safe_clusters` by the upper 80 % bound of the pilot's deviation.\n";

static void plan_row(struct rate_document *d, const struct regret_rate_trial_plans *plans,
                     const struct regret_rate_trial_plan *p,
                     const struct regret_rate_trial_plan_options *options)
{
    const struct regret_rate_estimate *e = &plans->estimates[p->estimate];
    struct data_table *t = &d->table;
    place_cells(d, e, options->effect);
    data_cell_count(t, e->n_used);
    cluster_cell(d, e->clustered);
    data_cell_count(t, e->effects[options->effect].n_clusters);
    DATA_NUMBERS(t, p->sd, p->icc, options->detect > 0.0 ? options->detect : (double)NAN,
                 options->detect > 0.0 ? (double)NAN : options->width);
    data_cell_text(t, options->is_d ? "d" : "reward");
    DATA_NUMBERS(t, p->rows_per_cluster, p->design_effect);
    for (int k = 0; k < 3; k++) {
        size_t count = k == 0 ? p->clusters : k == 1 ? p->rows : p->safe_clusters;
        data_cell_number(t, count > 0 ? (double)count : (double)NAN);
    }
    data_cell_text(t, p->missing != NULL      ? p->missing
                      : p->safe_clusters == 0 ? "more than 1,000,000,000 clusters"
                                              : NULL);
}

void regret_rate_write_trial_plans(struct regret_buffer *out, enum regret_format format,
                                   const struct regret_rate_rows *rows,
                                   const struct regret_rate_trial_plans *plans,
                                   const struct regret_rate_trial_plan_options *options)
{
    struct rate_document d = document_begin(out, format, rows);
    document_table(
        &d, "plans", "Sample sizes",
        "dataset attribute reward_model effect (pilot_rows) (cluster) pilot_clusters sd icc detect "
        "width (scale) rows_per_cluster design_effect clusters rows safe_clusters missing");
    for (size_t k = 0; k < plans->n; k++) {
        plan_row(&d, plans, &plans->plans[k], options);
    }
    document_put(&d);
    if (format == REGRET_FORMAT_JSON) {
        regret_buffer_append(out, ",\n\"power\": ");
        regret_buffer_json_number(out, options->power);
    } else if (options->detect > 0.0) {
        document_words(&d,
                       "\nClusters (prompts, where there are some) that find a true effect of "
                       "%g with a power of %g, at size .05, two-sided; %s",
                       options->detect, options->power, SAFE);
    } else {
        document_words(&d,
                       "\nClusters (prompts, where there are some) whose 95 %% interval is %g "
                       "wide; %s",
                       options->width, SAFE);
    }
    write_issues_section(&d);
    document_end(&d);
}
