#include "experiment/measures/curves.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "experiment/measures/baselines.h"
#include "experiment/measures/surfaces.h"
#include "regret/alloc.h"

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
