#include "experiment/measures/baselines.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "experiment/measures/strengths.h"
#include "experiment/measures/surfaces.h"
#include "regret/alloc.h"
#include "regret/ppi.h"

static int goes_by(const struct row_baseline *baseline, const char *source)
{
    return baseline->source != NULL && strcmp(baseline->source, source) == 0;
}

struct row_baseline_list baselines_of(const struct run_inputs *inputs)
{
    struct row_baseline_list list = {0, {NULL}};
    for (size_t i = 0; i < ROW_BASELINES; i++) {
        const struct row_baseline *b = &row_baselines[i];
        if ((b->rule != REGRET_RULE_BY_TAG || run_inputs_tags(inputs) > 1) &&
            (!goes_by(b, "PPI") || inputs->judged) &&
            (!goes_by(b, "BT") || inputs->votes != NULL)) {
            list.at[list.n++] = b;
        }
    }
    return list;
}

/* Which kind a context is of, for a rule: its tag or, of one agent for all, none. */
struct kinds {
    const uint32_t *kind; /* [n_contexts]; NULL: all are of one */
    size_t n;
};

static struct kinds kinds_of(const struct setting *s, enum regret_rule rule)
{
    const struct regret_grid *g = s->features->grid;
    int by_tag = rule == REGRET_RULE_BY_TAG && g->n_tags > 0;
    return (struct kinds){by_tag ? g->kind : NULL, by_tag ? g->n_tags : 1};
}

/* Sums of outcomes and how many there are, by agent, of a kind of contexts. */
static void add_rows(double *sum, double *count, const struct kinds *kinds, const struct setting *s,
                     const struct regret_rows *rows)
{
    const struct feature_set *f = s->features;
    for (size_t i = 0; i < rows->n; i++) {
        size_t pair = rows->pair[i];
        size_t k = kinds->kind != NULL ? kinds->kind[f->context[pair]] : 0;
        size_t at = k * s->task->n_agents + f->agent[pair];
        sum[at] += rows->y[i];
        count[at] += 1.0;
    }
}

/* Mean outcomes over the rows, by kind of contexts and agent, and last over all of them; NaN without rows. */
static int means_by_kind(double **out, const struct kinds *kinds, const struct setting *s,
                         const struct regret_rows *rows)
{
    const struct kinds whole = {NULL, 1};
    size_t n_agents = s->task->n_agents, n = (kinds->n + 1) * n_agents;
    FREED double *mean = NULL, *count = NULL;
    TRY(REGRET_NEW(&mean, n));
    TRY(REGRET_NEW(&count, n));
    add_rows(mean, count, kinds, s, rows);
    add_rows(mean + kinds->n * n_agents, count + kinds->n * n_agents, &whole, s, rows);
    for (size_t i = 0; i < n; i++) {
        mean[i] /= count[i]; /* 0/0 = NaN never wins */
    }
    *out = mean;
    mean = NULL;
    return REGRET_OK;
}

static int any_known(const double *mean, size_t n)
{
    size_t known = 0;
    for (size_t a = 0; a < n; a++) {
        known += !isnan(mean[a]);
    }
    return known > 0;
}

/* An agent without rows of the kind of a context stands behind all that have any, by its mean of all: outcomes are of [0,1]. It can
 * only be taken where no other is observed. Of a kind without any rows the means of all stand. */
static const double BEHIND = 2.0;

static void fill_means(double *row, const double *of_kind, const double *of_all, size_t n_agents)
{
    double behind = any_known(of_kind, n_agents) ? BEHIND : 0.0;
    for (size_t a = 0; a < n_agents; a++) {
        row[a] = isnan(of_kind[a]) ? of_all[a] - behind : of_kind[a];
    }
}

/* Agents by prediction-powered inference: EXP's outcomes are the labels, what OBS's judge says of the same outputs and in
 * OBS the judgements. */
static int means_by_ppi(double *surface, const struct setting *s, const struct draws *draws,
                        size_t n)
{
    const struct regret_rows *obs = &draws->obs, *exp = &draws->exp;
    const uint32_t *agent = s->features->agent;
    size_t n_agents = s->task->n_agents;
    struct regret_ppi_sums *sums = NULL;
    TRY(REGRET_NEW(&sums, n_agents));
    for (size_t i = 0; i < exp->n; i++) {
        double judged = exp->judged != NULL ? exp->judged[i] : exp->y[i];
        regret_ppi_add_label(&sums[agent[exp->pair[i]]], exp->y[i], judged);
    }
    for (size_t i = 0; i < obs->n; i++) {
        regret_ppi_add_judgement(&sums[agent[obs->pair[i]]], obs->y[i]);
    }
    for (size_t a = 0; a < n_agents; a++) {
        struct regret_ppi ppi;
        regret_ppi_mean(&ppi, &sums[a], 1, 0.95);
        for (size_t k = 0; k < n; k++) {
            surface[k * n_agents + a] = ppi.mean;
        }
    }
    regret_free(sums);
    return REGRET_OK;
}

int baselines_means(double *surface, const struct row_baseline *baseline, const struct setting *s,
                    const struct draws *draws, const size_t *context, size_t n)
{
    if (goes_by(baseline, "PPI")) {
        return means_by_ppi(surface, s, draws, n);
    }
    if (goes_by(baseline, "BT")) {
        return strengths_take(surface, baseline->rule, s, draws, context, n);
    }
    const struct regret_rows *rows = goes_by(baseline, "EXP") ? &draws->exp : &draws->obs;
    const struct kinds kinds = kinds_of(s, baseline->rule);
    size_t n_agents = s->task->n_agents;
    double *mean = NULL;
    TRY(means_by_kind(&mean, &kinds, s, rows));
    for (size_t k = 0; k < n; k++) {
        size_t kind = kinds.kind != NULL ? kinds.kind[context[k]] : 0;
        fill_means(surface + k * n_agents, mean + kind * n_agents, mean + kinds.n * n_agents,
                   n_agents);
    }
    regret_free(mean);
    return REGRET_OK;
}

int baselines_make(struct baselines *out, const struct setting *s, const struct draws *draws,
                   const struct run_inputs *inputs)
{
    const struct regret_split *split = s->split.contexts;
    out->list = baselines_of(inputs);
    out->cells = split->n_test * s->task->n_agents;
    TRY(REGRET_NEW(&out->surface, out->list.n * out->cells));
    for (size_t i = 0; i < out->list.n; i++) {
        const struct row_baseline *baseline = out->list.at[i];
        double *surface = out->surface + i * out->cells;
        if (baseline->source != NULL) {
            TRY(baselines_means(surface, baseline, s, draws, split->test, split->n_test));
        } else if (baseline->rule == REGRET_RULE_ORACLE) {
            measures_target_of(surface, s, split->test, split->n_test);
        }
    }
    return REGRET_OK;
}

const double *baselines_truth(const struct baselines *baselines)
{
    size_t oracle = 0;
    while (row_baselines[oracle].rule != REGRET_RULE_ORACLE) {
        oracle++;
    }
    return baselines_surface(baselines, oracle);
}

const double *baselines_surface(const struct baselines *baselines, size_t i)
{
    return baselines->surface + i * baselines->cells;
}
