#include "experiment/internal.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "experiment/inputs.h"
#include "experiment/population.h"
#include "pool/grid_policy.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "stats/limits.h"
#include "value/strength.h"
#include "value/within.h"

/* ---------------------------------------------------------------- of one target */

/* A target, and which contexts are taken together: all of them, then those of each tag. */
struct table {
    const struct regret_grid *grid;
    const double *target;           /* mu(x,a), [n_contexts × n_agents] */
    const struct grid_votes *votes; /* whose values stand for means; NULL: rows are no votes */
    size_t n_tags;                  /* 0: all contexts together are all there is */
    uint32_t *
        stratum; /* where outputs are missing: agents are compared within contexts, by these; else NULL; owned */
    size_t n_strata;
    size_t *context; /* those of all groups, one group after the other; owned, and so is the next */
    size_t *first;   /* [n_tags + 2] where in it a group begins */
};

FREED_FIELDS(table, of->context, of->first, of->stratum)

/* All contexts ascending, then those of each tag ascending. */
static int group_contexts(struct table *t)
{
    const struct regret_grid *g = t->grid;
    size_t *next = NULL, groups = t->n_tags + 1;
    TRY(REGRET_NEW(&t->context, 2 * g->n_contexts));
    TRY(REGRET_NEW(&t->first, groups + 1));
    TRY(REGRET_NEW(&next, groups));
    t->first[1] = g->n_contexts;
    for (size_t tag = 0; tag < t->n_tags; tag++) {
        next[tag] = t->first[tag + 1];
        t->first[tag + 2] = t->first[tag + 1] + g->tags[tag].contexts;
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        t->context[x] = x;
        if (t->n_tags > 0) {
            t->context[next[g->kind[x]]++] = x;
        }
    }
    regret_free(next);
    return REGRET_OK;
}

/* The mean reward of the agent on the context, NaN where the pool has no output of the pair: an imputed one says nothing. */
static double score(const struct table *t, size_t x, size_t agent)
{
    const struct regret_grid *g = t->grid;
    size_t cell = x * g->n_agents + agent;
    return g->outputs[regret_grid_first(g, cell)] != NULL ? t->target[cell] : NAN;
}

struct moments {
    double n, mean, sd; /* NaN of none, or of fewer than two */
    double low, high;   /* 95 % limits; NaN likewise */
};
static const struct moments NOTHING = {0.0, NAN, NAN, NAN, NAN};

/* Of the agent's scores or, with another (not SIZE_MAX), of its scores less the other's where both have one. */
static double score_of(const struct table *t, size_t x, size_t agent, size_t other)
{
    return score(t, x, agent) - (other != SIZE_MAX ? score(t, x, other) : 0.0);
}

/* Those of a mean of outcomes of a known range. */
static void take_limits(struct moments *m)
{
    m->low = m->high = NAN;
    if (m->n > 1.0 && isfinite(m->mean) && isfinite(m->sd)) {
        const struct bounded of = bounded_moments(m->mean, m->sd, m->n);
        struct limits l = bounded_limits(&of, tails_of(0.95));
        m->low = l.low;
        m->high = l.high;
    }
}

static struct moments moments_of(const struct table *t, size_t group, size_t agent, size_t other)
{
    struct moments m = {0.0, 0.0, 0.0, NAN, NAN};
    for (size_t i = t->first[group]; i < t->first[group + 1]; i++) {
        double y = score_of(t, t->context[i], agent, other);
        m.mean += isfinite(y) ? y : 0.0;
        m.n += isfinite(y) != 0;
    }
    m.mean = m.n > 0.0 ? m.mean / m.n : NAN;
    for (size_t i = t->first[group]; i < t->first[group + 1]; i++) {
        double y = score_of(t, t->context[i], agent, other) - m.mean;
        m.sd += isfinite(y) ? y * y : 0.0;
    }
    m.sd = m.n > 1.0 ? sqrt(m.sd / (m.n - 1.0)) : NAN;
    if (other == SIZE_MAX) {
        take_limits(&m);
    }
    return m;
}

/* Of the first's scores less the second's. */
static int lead_of(struct moments *out, double *p, const struct table *t, size_t group,
                   size_t first, size_t second)
{
    size_t most = t->first[group + 1] - t->first[group], n = 0;
    FREED double *parts = NULL;
    TRY(REGRET_NEW(&parts, 3 * most));
    double *above = parts, *below = parts + most, *rows = parts + 2 * most;
    for (size_t i = t->first[group]; i < t->first[group + 1]; i++) {
        double y = score_of(t, t->context[i], first, second);
        if (isfinite(y)) {
            above[n] = fmax(y, 0.0);
            below[n] = fmax(-y, 0.0);
            rows[n++] = 1.0;
        }
    }
    *out = moments_of(t, group, first, second);
    if (n > 1) {
        const struct pairs pairs = {above, below, rows, n};
        struct paired_limits l = paired_limits_of(&pairs, tails_of(0.95));
        out->low = l.low;
        out->high = l.high;
        *p = paired_p_of_zero(&pairs);
    }
    return REGRET_OK;
}

/* The agent of the largest mean but one; of equals the lowest; SIZE_MAX where no other has one. */
static size_t best_but(const struct moments *m, size_t n, size_t except)
{
    size_t best = SIZE_MAX;
    for (size_t a = 0; a < n; a++) {
        if (a != except && isfinite(m[a].mean) && (best == SIZE_MAX || m[a].mean > m[best].mean)) {
            best = a;
        }
    }
    return best;
}

/* ---------------------------------------------------------------- as JSON */

/* The lists of an item, a number each agent of each group of contexts, or each group. */
struct lists {
    struct regret_buffer contexts, first, second, lead_p;
    struct list_of_moments {
        struct regret_buffer n, mean, sd, low, high;
    } agents, lead;
    struct regret_buffer over, over_se, behind,
        behind_se; /* where agents are compared within contexts */
};

static void moments_free(struct list_of_moments *l)
{
    regret_buffer_free(&l->n);
    regret_buffer_free(&l->mean);
    regret_buffer_free(&l->sd);
    regret_buffer_free(&l->low);
    regret_buffer_free(&l->high);
}

static void lists_free(struct lists *l)
{
    struct regret_buffer *const all[] = {&l->contexts, &l->first,   &l->second, &l->lead_p,
                                         &l->over,     &l->over_se, &l->behind, &l->behind_se};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        regret_buffer_free(all[i]);
    }
    moments_free(&l->agents);
    moments_free(&l->lead);
}

/* Six digits, as lists of rows have. */
static void run_means_put(struct regret_buffer *list, double number)
{
    regret_buffer_append(list, list->length > 0 ? "," : "");
    if (isfinite(number)) {
        regret_buffer_printf(list, "%.6g", number);
    } else {
        regret_buffer_append(list, "null");
    }
}

static void put_moments(struct list_of_moments *l, const struct moments *m)
{
    run_means_put(&l->n, m->n);
    run_means_put(&l->mean, m->mean);
    run_means_put(&l->sd, m->sd);
    run_means_put(&l->low, m->low);
    run_means_put(&l->high, m->high);
}

/* Of votes the means are values and the lead one of values, with the deviations of which n votes make their errors. Where votes
 * leave agents in parts there are none. */
static int take_values(struct moments *m, struct moments *lead, double *p, const struct table *t,
                       size_t group)
{
    struct regret_bradley_terry_options o = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    struct regret_bradley_terry *of_tag = NULL;
    int rc = REGRET_OK;
    if (group > 0) {
        o.kind = (uint32_t)(group - 1);
        rc = regret_bradley_terry_fit(&of_tag, t->votes->votes, t->votes->names, &o);
    }
    const struct regret_bradley_terry *fit = group > 0 ? of_tag : t->votes->fit;
    for (size_t a = 0; a < t->grid->n_agents; a++) {
        const struct regret_strength *s = fit != NULL ? &fit->agents[a] : NULL;
        m[a].mean = s != NULL ? s->value : (double)NAN;
        m[a].sd = s != NULL && m[a].n > 1.0 ? s->value_se * sqrt(m[a].n) : (double)NAN;
        m[a].low = s != NULL ? s->low : (double)NAN;
        m[a].high = s != NULL ? s->high : (double)NAN;
    }
    if (fit != NULL) {
        double n = fmin(m[fit->first].n, m[fit->second].n);
        *lead = (struct moments){n, fit->lead, n > 1.0 ? fit->lead_se * sqrt(n) : (double)NAN,
                                 fit->lead_low, fit->lead_high};
        *p = fit->lead_p;
    }
    regret_bradley_terry_free(of_tag);
    return rc == REGRET_E_INPUT ? REGRET_OK : rc;
}

/* The scores of a group's contexts, and their strata. */
static int take_scores(double **y, uint32_t **stratum, const struct table *t, size_t group)
{
    size_t m = t->grid->n_agents, n = t->first[group + 1] - t->first[group];
    TRY(REGRET_NEW(y, n * m));
    TRY(REGRET_NEW(stratum, n));
    for (size_t i = 0; i < n; i++) {
        size_t x = t->context[t->first[group] + i];
        (*stratum)[i] = t->stratum[x];
        for (size_t a = 0; a < m; a++) {
            (*y)[i * m + a] = score(t, x, a);
        }
    }
    return REGRET_OK;
}

/* Contexts on which both are known; where these are few, all on which two agents are. */
static double count_pairs(const double *y, size_t n, size_t m, size_t a, size_t b)
{
    double both = 0.0, two = 0.0;
    for (size_t i = 0; i < n; i++) {
        size_t known = 0;
        for (size_t k = 0; k < m; k++) {
            known += !isnan(y[i * m + k]);
        }
        both += !isnan(y[i * m + a]) && !isnan(y[i * m + b]);
        two += known > 1;
    }
    return both >= 10.0 ? both : two;
}

/* Where outputs are missing: means are of all contexts, the lead is one within contexts, with deviations of which as many contexts make
 * their errors. */
static int put_within(struct lists *l, struct moments *m, struct moments *lead, size_t best[2],
                      const struct table *t, size_t group)
{
    size_t agents = t->grid->n_agents, n = t->first[group + 1] - t->first[group];
    FREED double *y = NULL;
    FREED uint32_t *stratum = NULL;
    FREED_BY(within_free) struct within w = {0};
    TRY(take_scores(&y, &stratum, t, group));
    TRY(within_make(&w, y, n, agents, stratum, t->n_strata));
    for (size_t a = 0; a < agents; a++) {
        m[a].mean = w.effect[a];
    }
    best[0] = best_but(m, agents, SIZE_MAX);
    best[1] = best_but(m, agents, best[0]);
    for (size_t a = 0; a < agents; a++) {
        const struct within_gain none = {NAN, NAN};
        struct within_gain over = within_gain(&w, a, SIZE_MAX);
        struct within_gain behind = best[0] != SIZE_MAX ? within_gain(&w, best[0], a) : none;
        m[a].mean = w.effect[a] + w.common;
        m[a].sd = m[a].n > 1.0 ? within_level_se(&w, a) * sqrt(m[a].n) : (double)NAN;
        take_limits(&m[a]);
        run_means_put(&l->over, over.gain);
        run_means_put(&l->over_se, over.se);
        run_means_put(&l->behind, behind.gain);
        run_means_put(&l->behind_se, behind.se);
    }
    if (best[1] != SIZE_MAX) {
        struct within_gain gain = within_gain(&w, best[0], best[1]);
        double pairs = count_pairs(y, n, agents, best[0], best[1]);
        *lead = (struct moments){pairs, gain.gain, gain.se * sqrt(pairs), NAN, NAN};
    }
    return REGRET_OK;
}

/* `m` has room for every agent. */
static int put_group(struct lists *l, const struct table *t, size_t group, struct moments *m)
{
    const struct regret_grid *g = t->grid;
    struct moments lead = NOTHING;
    double p = NAN;
    for (size_t a = 0; a < g->n_agents; a++) {
        m[a] = moments_of(t, group, a, SIZE_MAX);
    }
    if (t->votes != NULL) {
        TRY(take_values(m, &lead, &p, t, group));
    }
    size_t best[2] = {best_but(m, g->n_agents, SIZE_MAX), SIZE_MAX};
    best[1] = best_but(m, g->n_agents, best[0]);
    if (t->stratum != NULL) {
        TRY(put_within(l, m, &lead, best, t, group));
    } else if (best[1] != SIZE_MAX && t->votes == NULL) {
        TRY(lead_of(&lead, &p, t, group, best[0], best[1]));
    }
    for (size_t a = 0; a < g->n_agents; a++) {
        put_moments(&l->agents, &m[a]);
    }
    run_means_put(&l->contexts, (double)(t->first[group + 1] - t->first[group]));
    run_means_put(&l->first, best[0] != SIZE_MAX ? (double)best[0] : NAN);
    run_means_put(&l->second, best[1] != SIZE_MAX ? (double)best[1] : NAN);
    put_moments(&l->lead, &lead);
    run_means_put(&l->lead_p, p);
    return REGRET_OK;
}

static void put_list(struct regret_buffer *out, const char *name, struct regret_buffer *list)
{
    regret_buffer_printf(out, ",\n\"%s\":[%s]", name, regret_buffer_get(list));
    regret_buffer_fail(out, regret_buffer_status(list));
}

static void put_tags(struct regret_buffer *out, const struct table *t)
{
    if (t->n_tags > 0) {
        grid_json(out, "{\"tags\":", t->grid, GRID_TAGS);
    } else {
        regret_buffer_append(out, "{\"tags\":[]");
    }
}

/* What being shown first did to the votes, where that is known. */
static void put_position(struct regret_buffer *out, const struct regret_bradley_terry *fit)
{
    if (isnan(fit->position)) {
        return;
    }
    regret_buffer_printf(out, ",\n\"position\":{\"log_odds\":%.6g,\"p\":%.6g,\"moved\":[",
                         fit->position, fit->position_p);
    for (size_t a = 0; a < fit->n_agents; a++) {
        regret_buffer_printf(out, "%s%.6g", a > 0 ? "," : "", fit->moved[a]);
    }
    regret_buffer_append(out, "]}");
}

/* An object that is left open. */
static int put_table(struct regret_buffer *out, const struct table *t)
{
    FREED_BY(lists_free) struct lists l = {0};
    FREED struct moments *m = NULL;
    TRY(REGRET_NEW(&m, t->grid->n_agents));
    for (size_t group = 0; group <= t->n_tags; group++) {
        TRY(put_group(&l, t, group, m));
    }
    put_tags(out, t);
    put_list(out, "contexts", &l.contexts);
    put_list(out, "n", &l.agents.n);
    put_list(out, "mean", &l.agents.mean);
    put_list(out, "sd", &l.agents.sd);
    put_list(out, "low", &l.agents.low);
    put_list(out, "high", &l.agents.high);
    put_list(out, "first", &l.first);
    put_list(out, "second", &l.second);
    put_list(out, "pairs", &l.lead.n);
    put_list(out, "lead", &l.lead.mean);
    put_list(out, "lead_sd", &l.lead.sd);
    put_list(out, "lead_low", &l.lead.low);
    put_list(out, "lead_high", &l.lead.high);
    put_list(out, "lead_p", &l.lead_p);
    if (t->votes != NULL) {
        put_position(out, t->votes->fit);
    }
    if (t->stratum != NULL) {
        put_list(out, "over", &l.over);
        put_list(out, "over_se", &l.over_se);
        put_list(out, "behind", &l.behind);
        put_list(out, "behind_se", &l.behind_se);
    }
    return regret_buffer_status(out);
}

/* ---------------------------------------------------------------- of every cell */

/* What a target is made of; cells that share it share their means. */
struct maker {
    const struct regret_grid *grid;
    const struct regret_reward_options *reward;
    const struct run_inputs *inputs;
    size_t cell;
};

static int make_text(struct regret_buffer *out, const struct maker *by)
{
    FREED double *reward = NULL, *target = NULL;
    const struct run_inputs *in = by->inputs;
    FREED_BY(table_fields)
    struct table t = {.grid = by->grid,
                      .votes = in->votes != NULL ? &in->votes[in->features_of[by->cell]] : NULL,
                      .n_tags = by->grid->n_tags > 1 ? by->grid->n_tags : 0};
    TRY(regret_reward_build(&reward, by->grid, by->reward));
    TRY(regret_target_build(&target, by->grid, reward));
    t.target = target;
    TRY(group_contexts(&t));
    const char *strata = NULL;
    if ((by->grid->observed != NULL || by->grid->imputed > 0) && t.votes == NULL) {
        TRY(run_strata(&t.stratum, &t.n_strata, &strata, run_inputs_features(in, by->cell)));
    }
    TRY(put_table(out, &t));
    if (strata != NULL) {
        regret_buffer_printf(out, ",\n\"strata\":\"%s\"", strata);
    }
    regret_buffer_append_char(out, '}');
    return regret_buffer_status(out);
}

/* The number of the text among the items, which own it from here on. */
static int add_text(size_t *number, struct run_means *m, struct regret_buffer *text)
{
    size_t i = 0;
    while (i < m->n && strcmp(regret_buffer_get(&m->items[i]), regret_buffer_get(text)) != 0) {
        i++;
    }
    *number = i;
    if (i == m->n) {
        TRY(regret_grow((void **)&m->items, &m->room, m->n, sizeof *m->items, "means"));
        m->items[m->n++] = *text;
        *text = (struct regret_buffer)REGRET_BUFFER_INIT;
    }
    return REGRET_OK;
}

static int has_parameters(const struct regret_reward_options *a,
                          const struct regret_reward_options *b)
{
    size_t i = 0;
    while (i < REGRET_MAX_REWARD_PARAMETERS && a->parameter[i] == b->parameter[i]) {
        i++;
    }
    return i == REGRET_MAX_REWARD_PARAMETERS;
}

/* The cell before this one that has its grid and reward, or the cell itself. */
static size_t first_like(const struct regret_run_plan *plan, const struct run_inputs *inputs,
                         const struct regret_config *config, size_t cell)
{
    const struct feature_set *f = run_inputs_features(inputs, cell);
    size_t i = 0;
    for (; i < cell; i++) {
        struct regret_config other;
        if (run_inputs_features(inputs, i)->grid != f->grid) {
            continue;
        }
        regret_run_plan_cell(&other, plan, i);
        if (other.reward.map == config->reward.map &&
            has_parameters(&other.reward, &config->reward)) {
            break;
        }
    }
    return i;
}

static int add_cell(struct run_means *m, const struct regret_run_plan *plan,
                    const struct run_inputs *inputs, size_t cell)
{
    struct regret_config config;
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_run_plan_cell(&config, plan, cell);
    size_t like = first_like(plan, inputs, &config, cell);
    if (like < cell) {
        m->of[cell] = m->of[like];
        return REGRET_OK;
    }
    const struct regret_grid *grid = run_inputs_features(inputs, cell)->grid;
    const struct maker by = {grid, &config.reward, inputs, cell};
    TRY(make_text(&text, &by));
    return add_text(&m->of[cell], m, &text);
}

static int are_wanted(const struct regret_run_plan *plan, const struct run_inputs *inputs)
{
    struct regret_config first;
    regret_run_plan_cell(&first, plan, 0);
    return first.task == REGRET_TASK_POOL &&
           (inputs->votes != NULL || run_inputs_tags(inputs) > 1 ||
            !inputs->features[0]->grid->pool->synthetic);
}

int run_means_make(struct run_means *out, const struct regret_run_plan *plan,
                   const struct run_inputs *inputs)
{
    FREED_BY(run_means_free) struct run_means made = {0};
    size_t cells = are_wanted(plan, inputs) ? regret_run_plan_cells(plan) : 0;
    TRY(REGRET_NEW(&made.of, cells + 1));
    for (size_t cell = 0; cell < cells; cell++) {
        TRY(add_cell(&made, plan, inputs, cell));
    }
    *out = made;
    made = (struct run_means){0};
    return REGRET_OK;
}

void run_means_free(struct run_means *m)
{
    for (size_t i = 0; i < m->n; i++) {
        regret_buffer_free(&m->items[i]);
    }
    regret_free(m->items);
    regret_free(m->of);
    *m = (struct run_means){0};
}

static void put_won(struct regret_buffer *t, const unsigned char *won, size_t n)
{
    const char *joint = ",\n\"won\":[";
    for (size_t i = 0; i < n * n; i++) {
        if (won[i]) {
            regret_buffer_printf(t, "%s[%zu,%zu]", joint, i / n, i % n);
            joint = ",";
        }
    }
    regret_buffer_append_char(t, ']');
}

int run_votes_describe(struct regret_buffer *t, const struct grid_votes *v)
{
    size_t n = v->votes->n_agents;
    FREED unsigned char *won = NULL;
    int joined = 1;
    TRY(REGRET_NEW(&won, n * n));
    chains_mark(won, n, v->votes->vote, v->votes->n);
    TRY(chains_join(&joined, NULL, won, n));
    if (!joined) {
        put_won(t, won, n);
    }
    return REGRET_OK;
}
