#include "experiment/curves.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "experiment/inputs.h"
#include "experiment/measures.h"
#include "experiment/pool_source.h"
#include "experiment/population.h"
#include "pool/votes.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "results/row.h"
#include "text/patch.h"
#include "value/costs.h"
#include "value/strength.h"

void measures_surface_of(double *surface, const struct setting *s, const double *prediction,
                         const size_t *contexts, size_t n)
{
    const struct regret_task *task = s->task;
    for (size_t i = 0; i < n; i++) {
        for (size_t a = 0; a < task->n_agents; a++) {
            size_t cell = contexts[i] * task->n_agents + a;
            size_t first = regret_task_first(task, cell), end = regret_task_first(task, cell + 1);
            double sum = 0.0;
            for (size_t p = first; p < end; p++) {
                sum += prediction[p];
            }
            surface[i * task->n_agents + a] = sum / (double)(end - first);
        }
    }
}

void measures_surface(double *surface, const struct setting *s, const double *prediction)
{
    const struct regret_split *split = s->split.contexts;
    measures_surface_of(surface, s, prediction, split->test, split->n_test);
}

void measures_target_of(double *surface, const struct setting *s, const size_t *contexts, size_t n)
{
    size_t n_agents = s->task->n_agents;
    for (size_t i = 0; i < n; i++) {
        memcpy(surface + i * n_agents, s->task->target + contexts[i] * n_agents,
               n_agents * sizeof *surface);
    }
}

/* Of a subject: values by price, costs by price, then enum regret_budget. */
enum { CURVE_NUMBERS = 2 * REGRET_N_PRICES + REGRET_N_BUDGET };

/* The surfaces of a subject on the held-out and on the training contexts, and what agents cost and are worth there. */
struct surfaces {
    double *cost;              /* [n_agents] */
    double *test, *train;      /* f, [n_test × n_agents] and [n_train × n_agents] */
    double *target_train;      /* mu, likewise */
    const double *target_test; /* borrowed from the baselines */
};

static void surfaces_free(struct surfaces *s)
{
    regret_free(s->cost);
    regret_free(s->test);
    regret_free(s->train);
    regret_free(s->target_train);
}

static int surfaces_make(struct surfaces *out, const struct replicate *r)
{
    const struct setting *s = &r->setting;
    const struct regret_split *split = s->split.contexts;
    const struct regret_grid *grid = s->features->grid;
    size_t n = s->task->n_agents;
    TRY(REGRET_NEW(&out->cost, n));
    TRY(REGRET_NEW(&out->test, split->n_test * n));
    TRY(REGRET_NEW(&out->train, split->n_train * n));
    TRY(REGRET_NEW(&out->target_train, split->n_train * n));
    for (size_t a = 0; a < n; a++) {
        out->cost[a] = grid->pool->agents[grid->agents[a]].cost;
    }
    out->target_test = baselines_truth(&r->baselines);
    measures_target_of(out->target_train, s, split->train, split->n_train);
    return REGRET_OK;
}

/* The policy within the budget: its price is of the training contexts, of which nobody is asked what it is worth there. */
static void take_budget(double *out, const struct surfaces *x, const struct setting *s,
                        const struct regret_priced *test)
{
    const struct regret_priced train = {x->train, NULL, x->cost, s->split.contexts->n_train,
                                        s->task->n_agents};
    for (size_t i = 0; i < REGRET_N_BUDGET; i++) {
        out[i] = NAN;
    }
    double price = s->config.budget > 0.0 ? regret_price_within(&train, s->config.budget) : NAN;
    if (!isnan(price)) {
        out[REGRET_BUDGET_PRICE] = price;
        regret_priced_policy(&out[REGRET_BUDGET_VALUE], &out[REGRET_BUDGET_COST], test, price);
    }
}

/* Adds the fold's numbers of a subject whose surfaces are made. */
static void add_subject(struct curves *c, size_t i, const struct surfaces *x,
                        const struct setting *s)
{
    const struct regret_priced test = {x->test, x->target_test, x->cost, s->split.contexts->n_test,
                                       s->task->n_agents};
    double weight = (double)test.n_contexts, numbers[CURVE_NUMBERS];
    for (size_t k = 0; k < REGRET_N_PRICES; k++) {
        regret_priced_policy(&numbers[k], &numbers[REGRET_N_PRICES + k], &test, regret_price(k));
    }
    take_budget(numbers + (size_t)2 * REGRET_N_PRICES, x, s, &test);
    for (size_t k = 0; k < CURVE_NUMBERS; k++) {
        c->subject[i * CURVE_NUMBERS + k] += weight * numbers[k];
    }
}

/* What the baseline takes agents to be worth in the place of f: at each price one agent for everybody, or one for each tag. */
static int add_means(struct curves *c, size_t baseline, const struct surfaces *x,
                     const struct replicate *r)
{
    const struct setting *s = &r->setting;
    const struct regret_split *split = s->split.contexts;
    const struct row_baseline *rule = c->baselines.at[baseline];
    TRY(baselines_means(x->test, rule, s, &r->draws, split->test, split->n_test));
    TRY(baselines_means(x->train, rule, s, &r->draws, split->train, split->n_train));
    add_subject(c, c->n_families + baseline, x, s);
    return REGRET_OK;
}

static void add_oracle(struct curves *c, size_t i, const struct surfaces *x,
                       const struct setting *s)
{
    memcpy(x->test, x->target_test,
           s->split.contexts->n_test * s->task->n_agents * sizeof *x->test);
    memcpy(x->train, x->target_train,
           s->split.contexts->n_train * s->task->n_agents * sizeof *x->train);
    add_subject(c, i, x, s);
}

static void add_agents(struct curves *c, const struct surfaces *x, size_t n_test)
{
    for (size_t a = 0; a < c->n_agents; a++) {
        for (size_t k = 0; k < n_test; k++) {
            c->agent_value[a] += x->target_test[k * c->n_agents + a];
        }
    }
}

static int make(struct curves *c, const struct replicate *r)
{
    c->n_agents = r->setting.task->n_agents;
    c->n_families = r->estimates.n;
    c->baselines = r->baselines.list;
    TRY(REGRET_NEW(&c->agent_value, c->n_agents));
    return REGRET_NEW(&c->subject, (c->n_families + c->baselines.n) * CURVE_NUMBERS);
}

int curves_add(struct curves *c, const struct replicate *r)
{
    const struct setting *s = &r->setting;
    const struct regret_split *split = s->split.contexts;
    FREED_BY(surfaces_free) struct surfaces x = {0};
    if (!s->config.costs) {
        return REGRET_OK;
    }
    TRY(c->subject == NULL ? make(c, r) : REGRET_OK);
    TRY(surfaces_make(&x, r));
    for (size_t i = 0; i < r->estimates.n; i++) {
        const double *prediction = measures_choosing(r->estimates.family[i]);
        measures_surface_of(x.test, s, prediction, split->test, split->n_test);
        measures_surface_of(x.train, s, prediction, split->train, split->n_train);
        add_subject(c, i, &x, s);
    }
    for (size_t i = 0; i < c->baselines.n; i++) {
        const struct row_baseline *baseline = c->baselines.at[i];
        if (baseline->rule == REGRET_RULE_ORACLE) {
            add_oracle(c, c->n_families + i, &x, s);
        } else if (baseline->source != NULL) {
            TRY(add_means(c, i, &x, r));
        }
    }
    add_agents(c, &x, split->n_test);
    c->weight += (double)split->n_test;
    return REGRET_OK;
}

void curves_finish(struct curves *c)
{
    size_t n = c->subject != NULL ? (c->n_families + c->baselines.n) * CURVE_NUMBERS : 0;
    for (size_t i = 0; i < n; i++) {
        c->subject[i] /= c->weight;
    }
    for (size_t a = 0; c->agent_value != NULL && a < c->n_agents; a++) {
        c->agent_value[a] /= c->weight;
    }
}

void curves_lend(struct row *row, const struct curves *c, size_t i)
{
    if (c->subject == NULL) {
        return;
    }
    enum regret_rule rule =
        i < c->n_families ? REGRET_RULE_NONE : c->baselines.at[i - c->n_families]->rule;
    if (rule == REGRET_RULE_RANDOM) {
        return;
    }
    const double *numbers = c->subject + i * CURVE_NUMBERS;
    row->list[REGRET_LIST_PRICE_VALUE] = (struct row_list){numbers, REGRET_N_PRICES};
    row->list[REGRET_LIST_PRICE_COST] =
        (struct row_list){numbers + REGRET_N_PRICES, REGRET_N_PRICES};
    row->list[REGRET_LIST_BUDGET] =
        (struct row_list){numbers + (size_t)2 * REGRET_N_PRICES, REGRET_N_BUDGET};
    if (rule == REGRET_RULE_ORACLE) {
        row->list[REGRET_LIST_AGENT_VALUE] = (struct row_list){c->agent_value, c->n_agents};
    }
}

void curves_clear(struct curves *c)
{
    regret_free(c->agent_value);
    regret_free(c->subject);
    *c = (struct curves){0};
}

FREED_FIELDS(regret_votes, of->vote)

/* θ of a tag has a prior of this precision about θ of all [C]: it counts like four votes between equals. */
static const double OF_A_TAG = 1.0;

/* Which aux label says who was shown first; n_aux: none. */
static size_t find_first(const struct regret_pool *pool)
{
    size_t j = 0;
    while (j < pool->n_aux && strcmp(pool->aux[j], REGRET_VOTES_FIRST) != 0) {
        j++;
    }
    return j;
}

static void add_votes(struct regret_votes *votes, const struct setting *s,
                      const struct regret_rows *rows)
{
    const struct feature_set *f = s->features;
    size_t label = find_first(f->grid->pool);
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t x = (uint32_t)f->context[rows->pair[i]], a = (uint32_t)f->agent[rows->pair[i]];
        size_t first = regret_grid_observed_agent(f->grid, x, 0);
        size_t other = first != a ? first : regret_grid_observed_agent(f->grid, x, 1);
        uint32_t kind = f->grid->kind != NULL ? f->grid->kind[x] : 0;
        double order =
            label < f->grid->pool->n_aux ? f->aux[label * f->pairs + rows->pair[i]] : (double)NAN;
        votes->vote[votes->n++] =
            (struct regret_vote){a, (uint32_t)other, x, kind, 1.0, rows->y[i], vote_order(order)};
    }
}

int strengths_take(double *surface, enum regret_rule rule, const struct setting *s,
                   const struct draws *draws, const size_t *context, size_t n)
{
    struct regret_bradley_terry_options options = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    const struct regret_grid *g = s->features->grid;
    FREED_BY(regret_votes_fields) struct regret_votes votes = {.n_agents = g->n_agents};
    size_t m = g->n_agents, kinds = rule == REGRET_RULE_BY_TAG ? g->n_tags : 0;
    FREED double *theta = NULL, *value = NULL; /* of every kind, and of all */
    TRY(REGRET_NEW(&votes.vote, draws->obs.n + draws->exp.n));
    TRY(REGRET_NEW(&theta, (kinds + 1) * m));
    TRY(REGRET_NEW(&value, (kinds + 1) * m));
    add_votes(&votes, s, &draws->obs);
    add_votes(&votes, s, &draws->exp);
    TRY(strength_drawn_to(theta + kinds * m, &votes, NULL, &options));
    options.ridge = OF_A_TAG;
    for (size_t k = 0; k < kinds; k++) {
        options.kind = (uint32_t)k;
        TRY(strength_drawn_to(theta + k * m, &votes, theta + kinds * m, &options));
    }
    for (size_t i = 0; i < (kinds + 1) * m; i++) {
        value[i] = strength_value(theta + i / m * m, m, i % m);
    }
    for (size_t i = 0; i < n * m; i++) {
        size_t kind = kinds > 0 ? g->kind[context[i / m]] : 0;
        surface[i] = value[kind * m + i % m];
    }
    return REGRET_OK;
}

static int is_statistic(const char *label)
{
    size_t j = 0;
    while (j < REGRET_PATCH_STATISTICS && strcmp(label, regret_patch_statistic_name(j)) != 0) {
        j++;
    }
    return j < REGRET_PATCH_STATISTICS;
}

size_t patch_fit_columns(const struct regret_pool *pool)
{
    size_t success = 0, n = 0;
    for (size_t j = 0; j < pool->n_aux && regret_pool_find_success(&success, pool); j++) {
        n += (size_t)is_statistic(pool->aux[j]);
    }
    return n;
}

int patch_fit_take(double **out, const struct setting *s, const struct draws *draws)
{
    const struct feature_set *f = s->features;
    const struct regret_pool *pool = f->grid->pool;
    size_t n = patch_fit_columns(pool), k = 0;
    FREED double *x = NULL, *count = NULL;
    TRY(REGRET_NEW(&x, f->pairs * n));
    TRY(REGRET_NEW(&count, f->pairs));
    for (size_t j = 0; j < pool->n_aux; j++) {
        if (is_statistic(pool->aux[j])) {
            memcpy(x + k++ * f->pairs, f->aux + j * f->pairs, f->pairs * sizeof *x);
        }
    }
    for (size_t i = 0; i < draws->obs.n; i++) {
        count[draws->obs.pair[i]] += 1.0;
    }
    TRY(regret_proxy_rescale(x, f->pairs, n, count, s->config.proxy.scale));
    *out = x;
    x = NULL;
    return REGRET_OK;
}
