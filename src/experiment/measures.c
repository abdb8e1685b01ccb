#include "experiment/measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "experiment/curves.h"
#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "value/leak.h"

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

int baselines_means(double *surface, const struct row_baseline *baseline, const struct setting *s,
                    const struct draws *draws, const size_t *context, size_t n)
{
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

static const double LEVEL = 0.95;

/* p̄/p_a: p_a the share of the training contexts on which an agent is observed. */
static void find_factors(double *factor, const struct setting *s)
{
    const struct regret_grid *g = s->features->grid;
    const struct regret_split *split = s->split.contexts;
    double all = 0.0;
    for (size_t i = 0; i < split->n_train; i++) {
        size_t x = split->train[i], n = regret_grid_observed(g, x);
        for (size_t j = 0; j < n; j++) {
            factor[regret_grid_observed_agent(g, x, j)] += 1.0;
            all += 1.0;
        }
    }
    for (size_t a = 0; a < g->n_agents; a++) {
        factor[a] = factor[a] > 0.0 ? all / ((double)g->n_agents * factor[a]) : 0.0;
    }
}

int observed_support(struct exp_support *out, const struct setting *s)
{
    const struct regret_grid *g = s->features->grid;
    if (g->observed == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&out->offered, g->n_contexts));
    TRY(REGRET_NEW(&out->factor, g->n_agents));
    TRY(REGRET_NEW(&out->share, g->n_agents));
    for (size_t x = 0; x < g->n_contexts; x++) {
        size_t n = regret_grid_observed(g, x);
        out->offered[x] = (double)n;
        for (size_t j = 0; j < n; j++) {
            out->share[regret_grid_observed_agent(g, x, j)] += 1.0 / (double)g->n_contexts;
        }
    }
    find_factors(out->factor, s);
    return REGRET_OK;
}

void observed_support_clear(struct exp_support *support)
{
    regret_free(support->offered);
    regret_free(support->factor);
    regret_free(support->share);
    *support = (struct exp_support){0};
}

int observed_check_split(const struct setting *s)
{
    const struct regret_grid *g = s->features->grid;
    const struct regret_split *split = s->split.contexts;
    for (size_t i = 0; i < split->n_test; i++) {
        if (g->observed == NULL || regret_grid_observed(g, split->test[i]) > 1) {
            return REGRET_OK;
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "none of the %zu contexts that seed %llu holds out has outcomes of two "
                       "agents, so that nothing could be lost there; %zu contexts of pool \"%s\" "
                       "have: add outputs on more contexts, or --set contexts.folds=5",
                       split->n_test, (unsigned long long)s->at.seed, g->comparable, g->pool->name);
}

void observed_means(double *out, const struct setting *s, const size_t *contexts, size_t n)
{
    const struct regret_grid *g = s->features->grid;
    for (size_t a = 0; a < g->n_agents; a++) {
        double sum = 0.0, all = 0.0;
        for (size_t i = 0; i < n; i++) {
            double mu = s->task->target[contexts[i] * g->n_agents + a];
            if (!isnan(mu)) {
                sum += mu;
                all += 1.0;
            }
        }
        out[a] = sum / all;
    }
}

/* ---------------------------------------------------------------- the value of a policy over all agents */

/* The agent of the largest f that was seen in training, if any was. */
static size_t recommend_on(const struct setting *s, const double *f)
{
    size_t n = s->task->n_agents, best = n;
    for (size_t a = 0; a < n; a++) {
        if (s->support.factor[a] > 0.0 &&
            (best == n || f[a] > f[best] || (isnan(f[best]) && !isnan(f[a])))) {
            best = a;
        }
    }
    return best < n ? best : regret_argmax(f, n);
}

void observed_recommend(size_t *choice, const struct setting *s, const double *surface)
{
    const struct regret_split *split = s->split.contexts;
    for (size_t i = 0; i < split->n_test; i++) {
        choice[i] = recommend_on(s, surface + i * s->task->n_agents);
    }
}

/* The outcome of the agent on the context; of a vote as if the other had been drawn uniformly. */
static double outcome_of(const struct setting *s, size_t x, size_t agent)
{
    double y = s->task->target[x * s->task->n_agents + agent];
    if (isnan(y) || s->votes == NULL) {
        return y;
    }
    size_t first = regret_grid_observed_agent(s->features->grid, x, 0);
    size_t other = regret_grid_observed_agent(s->features->grid, x, first == agent);
    return y + grid_votes_as_met(s->votes, agent, other);
}

/* The value of that policy over the held-out contexts: REGRET_MEASURE_POLICY_IPS and the two after it; they stay as they
 * are where nothing is unobserved. */
static int observed_policy_value(double policy[MEASURED_POLICY], const struct setting *s,
                                 const double *surface)
{
    const struct regret_split *split = s->split.contexts;
    struct regret_policy_value value;
    size_t n = split->n_test, n_agents = s->task->n_agents;
    FREED size_t *choice = NULL;
    FREED double *f = NULL;
    if (s->features->grid->observed == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&choice, n));
    TRY(REGRET_NEW(&f, 3 * n));
    observed_recommend(choice, s, surface);
    double *y = f + n, *share = y + n;
    for (size_t i = 0; i < n; i++) {
        f[i] = surface[i * n_agents + choice[i]];
        y[i] = outcome_of(s, split->test[i], choice[i]);
        share[i] = s->support.share[choice[i]];
    }
    regret_policy_value(&value, f, y, share, n, LEVEL);
    policy[0] = value.ips;
    policy[1] = value.dr;
    policy[2] = value.dr_half;
    return REGRET_OK;
}

/* Over the pairs of some contexts that are known. */
static double mean_square(const double *error, size_t n_agents, const size_t *contexts, size_t n)
{
    double sum = 0.0, known = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < n_agents; a++) {
            double e = error[contexts[i] * n_agents + a];
            sum += isnan(e) ? 0.0 : e * e;
            known += !isnan(e);
        }
    }
    return known > 0.0 ? sum / known : NAN;
}

static void mark(unsigned char *of, const size_t *contexts, size_t n, unsigned char part)
{
    for (size_t i = 0; i < n; i++) {
        of[contexts[i]] = part;
    }
}

int leaks_take(double out[REGRET_N_LEAK], const struct setting *s, const double *prediction)
{
    const struct regret_split *split = s->split.contexts;
    size_t n = s->task->n_contexts, n_agents = s->task->n_agents;
    FREED double *error = NULL; /* mu − f of every context and agent */
    FREED size_t *contexts = NULL;
    FREED unsigned char *held = NULL;
    TRY(REGRET_NEW(&error, n * n_agents));
    TRY(REGRET_NEW(&contexts, n));
    TRY(REGRET_NEW(&held, n));
    for (size_t x = 0; x < n; x++) {
        contexts[x] = x;
    }
    measures_surface_of(error, s, prediction, contexts, n);
    for (size_t i = 0; i < n * n_agents; i++) {
        error[i] = s->task->target[i] - error[i];
    }
    memset(held, 2, n);
    mark(held, split->train, split->n_train, 0);
    mark(held, split->reference, split->n_reference, 1);
    mark(held, split->test, split->n_test, 1);
    const struct leak_problem problem = {error, held,     s->features->grid->kind,
                                         n,     n_agents, s->features->grid->n_tags};
    TRY(leak_probability(&out[REGRET_LEAK_PROBABILITY], &problem));
    out[REGRET_LEAK_TRAINED] = mean_square(error, n_agents, split->train, split->n_train);
    out[REGRET_LEAK_HELD_OUT] = mean_square(error, n_agents, split->test, split->n_test);
    return REGRET_OK;
}

_Static_assert((int)REGRET_MEASURE_LAMBDA + (int)REGRET_N_TUNED == (int)REGRET_MEASURE_R2,
               "a column for each hyper-parameter that a fit reports");

/* The places of a and b where a is not NaN, to the front of both; returns how many. */
static size_t keep_known(double *a, double *b, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(a[i])) {
            a[known] = a[i];
            b[known++] = b[i];
        }
    }
    return known;
}

/* Estimated values against the true ones of the agents that have one. `room` is for 2 × n_agents. */
static size_t known_values(double *room, const double *truth, const double *value, size_t n)
{
    memcpy(room, truth, n * sizeof *room);
    memcpy(room + n, value, n * sizeof *room);
    return keep_known(room, room + n, n);
}

static void measure_values(double *to, const struct setting *s, const struct agent_values *v,
                           const double *truth, double *room)
{
    size_t n = s->task->n_agents, known = known_values(room, truth, v->dm, n);
    to[REGRET_MEASURE_TOP1] = regret_top1(room, room + n, known);
    to[REGRET_MEASURE_TOP3] = regret_top3(room, room + n, known);
    to[REGRET_MEASURE_SPEARMAN] = regret_spearman(room, room + n, known);
    to[REGRET_MEASURE_KENDALL] = regret_kendall(room, room + n, known);
    if (s->config.values) {
        to[REGRET_MEASURE_DM_RMSE] = regret_rmse(room, room + n, known);
        known_values(room, truth, v->dr, n);
        to[REGRET_MEASURE_DR_RMSE] = regret_rmse(room, room + n, known);
        known_values(room, truth, v->sndr, n);
        to[REGRET_MEASURE_SNDR_RMSE] = regret_rmse(room, room + n, known);
    }
}

/* Room for what is measured on the held-out contexts. */
struct surfaces {
    const double *target; /* [n_test × n_agents] mu; borrowed */
    double *surface;      /* [n_test × n_agents] f */
    double *room;         /* twice as much */
};

static int surfaces_make(struct surfaces *out, const struct setting *s,
                         const struct baselines *baselines)
{
    size_t n = s->split.contexts->n_test * s->task->n_agents;
    out->target = baselines_truth(baselines);
    TRY(REGRET_NEW(&out->surface, n));
    TRY(REGRET_NEW(&out->room, 2 * n));
    return REGRET_OK;
}

static void surfaces_free(struct surfaces *at)
{
    regret_free(at->surface);
    regret_free(at->room);
}

static void name_words(char out[MEASURED_WORDS], const struct regret_estimate *e,
                       char *const *names)
{
    size_t length = 0;
    for (size_t i = 0; i < e->n_picked; i++) {
        const char *name = names[e->picked[i]];
        if (length + strlen(name) + 2 <= MEASURED_WORDS) {
            length += (size_t)snprintf(out + length, MEASURED_WORDS - length, "%s%s",
                                       length > 0 ? " " : "", name);
        }
    }
}

static int measure_family(struct family_measures *m, const struct setting *s,
                          const struct regret_estimate *e, const struct agent_values *v,
                          const double *truth, const struct surfaces *at)
{
    size_t n_agents = s->task->n_agents, n_test = s->split.contexts->n_test;
    size_t cells = n_test * n_agents;
    const double *target = at->target, *surface = at->surface;
    double *to = m->measure;
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        to[i] = NAN;
    }
    m->basis = e->basis;
    m->cv_mode = e->cv_mode;
    if (m->failure.word != NULL) {
        return REGRET_OK;
    }
    name_words(m->picked, e, s->features->word_names);
    measures_surface(at->surface, s, measures_choosing(e));
    to[REGRET_MEASURE_REGRET] = regret_recommendation_regret(target, surface, n_test, n_agents);
    to[REGRET_MEASURE_HIT1] = regret_hit_rate(target, surface, n_test, n_agents, 1);
    to[REGRET_MEASURE_HIT3] = regret_hit_rate(target, surface, n_test, n_agents, 3);
    memcpy(at->room, target, cells * sizeof *target);
    measures_surface(at->room + cells, s, e->prediction);
    size_t known = keep_known(at->room, at->room + cells, cells);
    to[REGRET_MEASURE_RMSE] = regret_rmse(at->room, at->room + cells, known);
    measure_values(to, s, v, truth, at->room);
    memcpy(to + REGRET_MEASURE_LAMBDA, e->tuned, sizeof e->tuned);
    return s->features->outputs_known
               ? observed_policy_value(to + REGRET_MEASURE_POLICY_IPS, s, surface)
               : REGRET_OK;
}

/* Whether it has seen what was held out is asked of a family that others have made. */
static int examine(struct family_measures *m, const struct setting *s, size_t i,
                   const struct regret_estimate *e)
{
    for (size_t k = 0; k < REGRET_N_LEAK; k++) {
        m->leak[k] = NAN;
    }
    return regret_family_list_external(&s->config.families, i) != NULL && m->failure.word == NULL
               ? leaks_take(m->leak, s, e->prediction)
               : REGRET_OK;
}

static int measure_baseline(struct measures *out, size_t i, const struct setting *s,
                            const double *surface, const struct surfaces *at)
{
    size_t n_agents = s->task->n_agents, n_test = s->split.contexts->n_test;
    const struct row_baseline *baseline = out->baselines.at[i];
    double *policy = out->baseline_policy + i * MEASURED_POLICY;
    for (size_t k = 0; k < MEASURED_POLICY; k++) {
        policy[k] = NAN;
    }
    out->baseline_regret[i] =
        baseline->rule == REGRET_RULE_RANDOM
            ? regret_random_regret(at->target, n_test, n_agents)
            : regret_recommendation_regret(at->target, surface, n_test, n_agents);
    return baseline->source != NULL ? observed_policy_value(policy, s, surface) : REGRET_OK;
}

static int measure_baselines(struct measures *out, const struct setting *s,
                             const struct baselines *baselines, const struct surfaces *at)
{
    out->baselines = baselines->list;
    for (size_t i = 0; i < baselines->list.n; i++) {
        TRY(measure_baseline(out, i, s, baselines_surface(baselines, i), at));
    }
    return REGRET_OK;
}

size_t measures_fits(const struct regret_pool *pool)
{
    size_t success = 0;
    size_t of_success = regret_pool_find_success(&success, pool) ? 1 : 0;
    return MEASURED_FITS - 2 + of_success + (patch_fit_columns(pool) > 0);
}

/* How well the target of a pair can be had from the proxy, from the pool's scores and from what patches count. */
static int measure_fits(struct measures *out, const struct setting *s, const struct draws *draws,
                        const struct fitted_proxy *proxy)
{
    const struct feature_set *f = s->features;
    const struct regret_pool *pool = f->grid->pool;
    size_t success = 0;
    FREED double *statistics = NULL;
    regret_pool_find_success(&success, pool);
    TRY(patch_fit_take(&statistics, s, draws));
    const double *const columns[MEASURED_FITS] = {proxy->z, f->components,
                                                  f->components + success * f->pairs, statistics};
    const size_t dims[MEASURED_FITS] = {proxy->dim, pool->n_components, 1, patch_fit_columns(pool)};
    out->n_fits = measures_fits(pool);
    for (size_t i = 0; i < out->n_fits; i++) {
        TRY(regret_held_out_r2(&out->fit_r2[i], &out->fit_r2_clipped[i], columns[i], dims[i],
                               s->task->pair_mean, f->pairs, s->split.train, s->split.test));
    }
    return REGRET_OK;
}

int measures_take(struct measures *out, const struct setting *s, const struct draws *draws,
                  const struct fitted_proxy *proxy, const struct estimates *estimates,
                  const struct values *values, const struct baselines *baselines)
{
    FREED_BY(surfaces_free) struct surfaces at = {0};
    TRY(surfaces_make(&at, s, baselines));
    out->n_families = estimates->n;
    for (size_t i = 0; i < estimates->n; i++) {
        snprintf(out->family[i].family, sizeof out->family[i].family, "%s",
                 regret_family_list_name(&s->config.families, i));
        out->family[i].failure = estimates->failure[i];
        TRY(measure_family(&out->family[i], s, estimates->family[i], &values->family[i],
                           values->truth, &at));
        TRY(examine(&out->family[i], s, i, estimates->family[i]));
    }
    TRY(measure_baselines(out, s, baselines, &at));
    return measure_fits(out, s, draws, proxy);
}
