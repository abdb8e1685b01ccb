#include "experiment/internal.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "experiment/curves.h"
#include "experiment/measures.h"
#include "experiment/replicate.h"
#include "regret/buffer.h"
#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "results/row.h"

/* The estimates of a family, with their half-widths behind them. */
enum { N_ESTIMATES = 2 * REGRET_N_VALUES };

/* Hands the lists of subject `i`, families first, then baselines, to its row; borrowed. None of a zeroed
 * structure. */
void details_lend(struct row *row, const struct details *details, size_t i);

static const double LEVEL = 0.95;

/* Of each agent over the contexts on which it is observed. */
static int whole_grid_values(struct details *d, const struct replicate *r)
{
    size_t *contexts = NULL;
    TRY(REGRET_NEW(&contexts, d->n_contexts));
    for (size_t x = 0; x < d->n_contexts; x++) {
        contexts[x] = x;
    }
    observed_means(d->value_grid, &r->setting, contexts, d->n_contexts);
    regret_free(contexts);
    return REGRET_OK;
}

static int make(struct details *d, const struct replicate *r)
{
    const struct regret_task *task = r->setting.task;
    size_t subjects = r->estimates.n + r->baselines.list.n;
    d->n_contexts = task->n_contexts;
    d->n_agents = task->n_agents;
    d->n_families = r->estimates.n;
    d->baselines = r->baselines.list;
    d->values = r->setting.config.values;
    d->outputs_known = r->setting.features->outputs_known;
    TRY(REGRET_NEW(&d->held_out, d->n_contexts));
    TRY(REGRET_NEW(&d->failed, d->n_families));
    TRY(REGRET_NEW(&d->best, d->n_contexts));
    TRY(REGRET_NEW(&d->choice, subjects * d->n_contexts));
    TRY(REGRET_NEW(&d->loss, subjects * d->n_contexts));
    TRY(REGRET_NEW(&d->value, d->n_agents));
    TRY(REGRET_NEW(&d->value_grid, d->n_agents));
    TRY(REGRET_NEW(&d->estimate, d->n_families * N_ESTIMATES * d->n_agents));
    TRY(REGRET_NEW(&d->weight, d->n_agents));
    TRY(REGRET_NEW(&d->context, d->n_contexts));
    if (r->setting.features->grid->observed != NULL) {
        TRY(REGRET_NEW(&d->choice_all, subjects * d->n_contexts));
        return whole_grid_values(d, r);
    }
    for (size_t x = 0; x < d->n_contexts; x++) {
        for (size_t a = 0; a < d->n_agents; a++) {
            d->value_grid[a] += task->target[x * d->n_agents + a] / (double)d->n_contexts;
        }
    }
    return REGRET_OK;
}

/* Subject i recommends an agent on context x. */
static void choose(struct details *d, size_t i, size_t x, const double *mu, size_t agent)
{
    d->choice[i * d->n_contexts + x] = (double)agent;
    d->loss[i * d->n_contexts + x] = mu[regret_argmax(mu, d->n_agents)] - mu[agent];
}

/* What subject i recommends by its surface on the held-out contexts, as its regret is taken. */
static int add_choices(struct details *d, const struct replicate *r, size_t i,
                       const double *surface)
{
    const struct regret_split *split = r->setting.split.contexts;
    size_t n = d->n_agents, *all = NULL;
    for (size_t k = 0; k < split->n_test; k++) {
        size_t x = split->test[k];
        const double *mu = r->setting.task->target + x * n;
        choose(d, i, x, mu, regret_argmax_observed(surface + k * n, mu, n));
    }
    if (d->choice_all == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&all, split->n_test));
    observed_recommend(all, &r->setting, surface);
    for (size_t k = 0; k < split->n_test; k++) {
        d->choice_all[i * d->n_contexts + split->test[k]] = (double)all[k];
    }
    regret_free(all);
    return REGRET_OK;
}

static int add_baselines(struct details *d, const struct replicate *r)
{
    const struct regret_split *split = r->setting.split.contexts;
    for (size_t k = 0; k < split->n_test; k++) {
        size_t x = split->test[k];
        const double *mu = r->setting.task->target + x * d->n_agents;
        d->held_out[x] = (unsigned char)regret_is_comparable(mu, d->n_agents);
        d->best[x] = mu[regret_argmax(mu, d->n_agents)];
        for (size_t i = 0; i < d->baselines.n; i++) {
            if (d->baselines.at[i]->rule == REGRET_RULE_RANDOM) {
                d->loss[(d->n_families + i) * d->n_contexts + x] =
                    regret_random_regret(mu, 1, d->n_agents);
            }
        }
    }
    for (size_t i = 0; i < d->baselines.n; i++) {
        if (d->baselines.at[i]->rule != REGRET_RULE_RANDOM) {
            TRY(add_choices(d, r, d->n_families + i, baselines_surface(&r->baselines, i)));
        }
    }
    return REGRET_OK;
}

/* What a fold counts for. An agent that is observed on none of its reference contexts has no values there. */
struct fold_weight {
    double weight;
    const double *truth; /* NULL: nothing is unobserved */
};

static double weight_in(const struct fold_weight *of, size_t agent)
{
    return of->truth != NULL && isnan(of->truth[agent]) ? 0.0 : of->weight;
}

static void add_weighted(double *sum, const double *x, size_t n, const struct fold_weight *of)
{
    for (size_t i = 0; x != NULL && i < n; i++) {
        double weight = weight_in(of, i);
        sum[i] += weight > 0.0 || of->truth == NULL ? weight * x[i] : 0.0;
    }
}

static int add_values(struct details *d, const struct replicate *r)
{
    const struct regret_split *split = r->setting.split.contexts;
    /* A single fold is taken as it is: w · x / w may differ in the last bit. */
    double weight = context_folds(&r->setting.config, r->setting.features->grid) > 1
                        ? (double)split->n_reference
                        : 1.0;
    size_t n = d->n_agents;
    const struct fold_weight of = {weight, d->choice_all != NULL ? r->values.truth : NULL};
    for (size_t a = 0; a < n; a++) {
        d->weight[a] += weight_in(&of, a);
    }
    add_weighted(d->value, r->values.truth, n, &of);
    for (size_t i = 0; i < d->n_families; i++) {
        const struct agent_values *v = &r->values.family[i];
        const double *const values[] = {v->dm, v->dr, v->sndr};
        double *to = d->estimate + i * N_ESTIMATES * n;
        for (size_t kind = 0; kind < REGRET_N_VALUES; kind++) {
            add_weighted(to + kind * n, values[kind], n, &of);
        }
        if (d->n_folds == 0 && !d->failed[i]) { /* of folds together they are not known */
            const struct regret_value_problem problem =
                replicate_value_problem(r, r->estimates.family[i]);
            TRY(regret_value_half_widths(to + REGRET_N_VALUES * n, &problem, LEVEL));
        }
    }
    return REGRET_OK;
}

int details_add(struct details *d, const struct replicate *r)
{
    FREED double *surface = NULL;
    TRY(d->held_out == NULL ? make(d, r) : REGRET_OK);
    TRY(REGRET_NEW(&surface, r->setting.split.contexts->n_test * d->n_agents));
    for (size_t i = 0; i < d->n_families; i++) {
        d->failed[i] |= r->measures.family[i].failure.word != NULL;
        measures_surface(surface, &r->setting, measures_choosing(r->estimates.family[i]));
        TRY(add_choices(d, r, i, surface));
    }
    TRY(add_baselines(d, r));
    TRY(add_values(d, r));
    TRY(curves_add(&d->curves, r));
    d->n_folds++;
    return REGRET_OK;
}

static size_t keep_held_out(double *list, const struct details *d)
{
    size_t n = 0;
    for (size_t x = 0; x < d->n_contexts; x++) {
        if (d->held_out[x]) {
            list[n++] = list[x];
        }
    }
    return n;
}

void details_finish(struct details *d)
{
    size_t n = d->n_agents;
    if (d->held_out == NULL) {
        return;
    }
    for (size_t x = 0; x < d->n_contexts; x++) {
        d->context[x] = (double)x;
    }
    curves_finish(&d->curves);
    keep_held_out(d->best, d);
    for (size_t i = 0; i < d->n_families + d->baselines.n; i++) {
        keep_held_out(d->choice + i * d->n_contexts, d);
        keep_held_out(d->loss + i * d->n_contexts, d);
        if (d->choice_all != NULL) {
            keep_held_out(d->choice_all + i * d->n_contexts, d);
        }
    }
    d->n_listed = keep_held_out(d->context, d);
    for (size_t a = 0; a < n; a++) {
        d->value[a] /= d->weight[a];
    }
    for (size_t i = 0; i < d->n_families; i++) {
        for (size_t v = 0; v < REGRET_N_VALUES * n; v++) {
            d->estimate[i * N_ESTIMATES * n + v] /= d->weight[v % n];
        }
    }
}

static void lend_oracle(struct row *row, const struct details *d)
{
    row->list[REGRET_LIST_CONTEXT] = (struct row_list){d->context, d->n_listed};
    row->list[REGRET_LIST_BEST] = (struct row_list){d->best, d->n_listed};
    row->list[REGRET_LIST_VALUE] = (struct row_list){d->value, d->n_agents};
    row->list[REGRET_LIST_VALUE_GRID] = (struct row_list){d->value_grid, d->n_agents};
}

/* DR and SNDR where there are values; half-widths where these are of one fold, that of DM, too, which wants to know
 * what the surface misses. */
static void lend_estimates(struct row *row, const struct details *d, size_t family)
{
    const double *estimate = d->estimate + family * N_ESTIMATES * d->n_agents;
    for (size_t v = 0; v < N_ESTIMATES; v++) {
        int there = (d->values || v == REGRET_VALUE_DM) && (v < REGRET_N_VALUES || d->n_folds == 1);
        if (there) {
            row->list[REGRET_LIST_DM + v] =
                (struct row_list){estimate + v * d->n_agents, d->n_agents};
        }
    }
}

void details_lend(struct row *row, const struct details *d, size_t i)
{
    _Static_assert((int)REGRET_LIST_DM_HALF == (int)REGRET_LIST_DM + (int)REGRET_N_VALUES,
                   "the estimates, then their half-widths");
    if (d->n_listed == 0 || (i < d->n_families && d->failed[i])) {
        return;
    }
    const struct row_baseline *baseline =
        i < d->n_families ? NULL : d->baselines.at[i - d->n_families];
    enum regret_rule rule = baseline != NULL ? baseline->rule : REGRET_RULE_NONE;
    if (rule != REGRET_RULE_RANDOM) {
        row->list[REGRET_LIST_CHOICE] =
            (struct row_list){d->choice + i * d->n_contexts, d->n_listed};
    }
    curves_lend(row, &d->curves, i);
    row->list[REGRET_LIST_LOSS] = (struct row_list){d->loss + i * d->n_contexts, d->n_listed};
    int has_policy = baseline == NULL ? d->outputs_known : baseline->source != NULL;
    if (has_policy && d->choice_all != NULL) {
        row->list[REGRET_LIST_CHOICE_ALL] =
            (struct row_list){d->choice_all + i * d->n_contexts, d->n_listed};
    }
    if (i < d->n_families) {
        lend_estimates(row, d, i);
    } else if (rule == REGRET_RULE_ORACLE) {
        lend_oracle(row, d);
    }
}

void details_clear(struct details *d)
{
    void *const blocks[] = {d->held_out, d->failed,     d->best,       d->choice,
                            d->loss,     d->value,      d->value_grid, d->estimate,
                            d->context,  d->choice_all, d->weight};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        regret_free(blocks[i]);
    }
    curves_clear(&d->curves);
    *d = (struct details){0};
}

size_t rows_count(const struct regret_config *config, const struct run_inputs *inputs)
{
    return config->families.n + baselines_of(inputs).n +
           measures_fits(inputs->features[0]->grid->pool);
}

static void fill_family(struct row *row, const struct family_measures *m)
{
    memcpy(row->measure, m->measure, sizeof m->measure);
    row->word[ROW_BASIS] = m->basis >= 0 ? regret_basis_name((enum regret_basis)m->basis) : NULL;
    row->word[ROW_FAILURE] = m->failure.word;
    row->word[ROW_PICKED] = m->picked[0] != '\0' ? m->picked : NULL;
    row->word[ROW_CV] =
        m->cv_mode >= 0 ? regret_fold_mode_name((enum regret_fold_mode)m->cv_mode) : NULL;
}

/* Where something is known. */
static void lend_leak(struct row *row, const struct family_measures *m)
{
    for (size_t i = 0; i < REGRET_N_LEAK; i++) {
        if (!isnan(m->leak[i])) {
            row->list[REGRET_LIST_LEAK] = (struct row_list){m->leak, REGRET_N_LEAK};
        }
    }
}

int rows_write(struct regret_buffer *t, const struct measures *m, const struct details *details,
               size_t cell, uint64_t seed, const char *cell_key)
{
    _Static_assert((int)ROW_FITS == (int)MEASURED_FITS, "fits of a row");
    long long c = (long long)cell, s = (long long)seed;
    for (size_t i = 0; i < m->n_families; i++) {
        struct row row = row_of(c, s, REGRET_ROW_FAMILY, m->family[i].family);
        fill_family(&row, &m->family[i]);
        details_lend(&row, details, i);
        lend_leak(&row, &m->family[i]);
        row_write(t, &row, cell_key);
    }
    for (size_t i = 0; i < m->baselines.n; i++) {
        struct row row = row_of(c, s, REGRET_ROW_BASELINE, m->baselines.at[i]->name);
        row.measure[REGRET_MEASURE_REGRET] = m->baseline_regret[i];
        memcpy(row.measure + REGRET_MEASURE_POLICY_IPS, m->baseline_policy + i * MEASURED_POLICY,
               MEASURED_POLICY * sizeof *row.measure);
        details_lend(&row, details, m->n_families + i);
        row_write(t, &row, cell_key);
    }
    for (size_t i = 0; i < m->n_fits; i++) {
        struct row row = row_of(c, s, REGRET_ROW_FIT, row_fits[i]);
        row.measure[REGRET_MEASURE_R2] = m->fit_r2[i];
        row.measure[REGRET_MEASURE_R2_CLIPPED] = m->fit_r2_clipped[i];
        row_write(t, &row, cell_key);
    }
    return regret_buffer_status(t);
}
