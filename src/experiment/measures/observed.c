#include "experiment/measures/observed.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/measure.h"

static const double LEVEL = 0.95;

/* p̄/p_a: p_a the share of the training contexts on which an agent is observed, each with its weight. */
static void find_factors(double *factor, const struct setting *s, const double *weight)
{
    const struct regret_grid *g = s->features->grid;
    const struct regret_split *split = s->split.contexts;
    double all = 0.0;
    for (size_t i = 0; i < split->n_train; i++) {
        size_t x = split->train[i], n = regret_grid_observed(g, x);
        for (size_t j = 0; j < n; j++) {
            double w = weight != NULL ? weight[x] : 1.0;
            factor[regret_grid_observed_agent(g, x, j)] += w;
            all += w;
        }
    }
    for (size_t a = 0; a < g->n_agents; a++) {
        factor[a] = factor[a] > 0.0 ? all / ((double)g->n_agents * factor[a]) : 0.0;
    }
}

/* How often an agent is observed on contexts of a kind. */
static int find_shares(struct exp_support *out, const struct setting *s)
{
    const struct regret_grid *g = s->features->grid;
    int by_tag = s->config.propensity == REGRET_PROPENSITY_AGENT_TAG && g->kind != NULL;
    size_t n = g->n_agents;
    out->kind = by_tag ? g->kind : NULL;
    TRY(REGRET_NEW(&out->share, (by_tag ? g->n_tags : 1) * n));
    for (size_t x = 0; x < g->n_contexts; x++) {
        size_t kind = by_tag ? g->kind[x] : 0, m = regret_grid_observed(g, x);
        double contexts = (double)(by_tag ? g->tags[kind].contexts : g->n_contexts);
        for (size_t j = 0; j < m; j++) {
            out->share[kind * n + regret_grid_observed_agent(g, x, j)] += 1.0 / contexts;
        }
    }
    return REGRET_OK;
}

int observed_support(struct exp_support *out, const struct setting *s)
{
    const struct regret_grid *g = s->features->grid;
    const double *weight = s->config.transport_reweight ? s->population : NULL;
    if (g->observed == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&out->offered, g->n_contexts));
    TRY(REGRET_NEW(&out->factor, g->n_agents));
    for (size_t x = 0; x < g->n_contexts; x++) {
        out->offered[x] = (double)regret_grid_observed(g, x) * (weight != NULL ? weight[x] : 1.0);
    }
    find_factors(out->factor, s, weight);
    return find_shares(out, s);
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
                double weight = population_of(s->population, contexts + i, 1);
                sum += weight * mu;
                all += weight;
            }
        }
        out[a] = sum / all;
    }
}

/* ---------------------------------------------------------------- the value of a policy over all agents */

static const double *shares_on(const struct setting *s, size_t context)
{
    const struct exp_support *p = &s->support;
    return p->share + (p->kind != NULL ? p->kind[context] * s->task->n_agents : 0);
}

/* The agent of the largest f that was seen in training, and on contexts of this kind, if any was. */
static size_t recommend_on(const struct setting *s, const double *f, const double *share)
{
    size_t n = s->task->n_agents, best = n;
    for (size_t a = 0; a < n; a++) {
        int possible = s->support.factor[a] > 0.0 && share[a] > 0.0;
        if (possible && (best == n || f[a] > f[best] || (isnan(f[best]) && !isnan(f[a])))) {
            best = a;
        }
    }
    return best < n ? best : regret_argmax(f, n);
}

void observed_recommend(size_t *choice, const struct setting *s, const double *surface)
{
    const struct regret_split *split = s->split.contexts;
    for (size_t i = 0; i < split->n_test; i++) {
        choice[i] = recommend_on(s, surface + i * s->task->n_agents, shares_on(s, split->test[i]));
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

int observed_policy_value(double policy[MEASURED_POLICY], const struct setting *s,
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
        share[i] = shares_on(s, split->test[i])[choice[i]];
    }
    regret_policy_value(&value, f, y, share, n, LEVEL);
    policy[0] = value.ips;
    policy[1] = value.dr;
    policy[2] = value.dr_half;
    return REGRET_OK;
}
