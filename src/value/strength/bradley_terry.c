/* The strengths of the largest penalised likelihood. */
#include "regret/bradley_terry.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/symmetric.h"
#include "regret/alloc.h"
#include "value/strength/strength.h"

FREED_POINTER(struct regret_bradley_terry, regret_bradley_terry_free)

enum { MOST_STEPS = 200, MOST_HALVINGS = 60 };
static const double LAST_STEP =
    1e-11; /* Newton's method doubles its digits: what is left is rounding */

/* The penalised log-likelihood: s log p + (1 − s) log(1 − p) is s d − log(1 + e^d). */
static double likelihood(const struct compared *c, const double *theta, double ridge)
{
    double sum = 0.0;
    for (size_t v = 0; v < c->n; v++) {
        double d = theta[c->vote[v].a] - theta[c->vote[v].b];
        sum += c->vote[v].votes * (c->vote[v].share * d - fmax(d, 0.0) - log1p(exp(-fabs(d))));
    }
    for (size_t i = 0; i < c->m; i++) {
        double from = theta[i] - c->centre[i];
        sum -= 0.5 * ridge * from * from;
    }
    return sum;
}

static void gradient(double *g, const struct compared *c, const double *theta, double ridge)
{
    for (size_t i = 0; i < c->m; i++) {
        g[i] = -ridge * (theta[i] - c->centre[i]);
    }
    for (size_t v = 0; v < c->n; v++) {
        size_t a = c->vote[v].a, b = c->vote[v].b;
        double rest = c->vote[v].votes * (c->vote[v].share - strength_win(theta[a] - theta[b]));
        g[a] += rest;
        g[b] -= rest;
    }
}

struct newton {
    double *theta, *next, *step, *h;
};

static int allocate(struct newton *w, size_t m)
{
    TRY(REGRET_NEW(&w->theta, m));
    TRY(REGRET_NEW(&w->next, m));
    TRY(REGRET_NEW(&w->step, m));
    return REGRET_NEW(&w->h, m * m);
}

static void newton_free(struct newton *w)
{
    regret_free(w->theta);
    regret_free(w->next);
    regret_free(w->step);
    regret_free(w->h);
}

/* One step, halved while the likelihood falls by it; *length is that of its longest part. */
static int improve(double *length, struct newton *w, const struct compared *c, double ridge)
{
    double before = likelihood(c, w->theta, ridge), share = 1.0;
    gradient(w->step, c, w->theta, ridge);
    strength_information(w->h, c, w->theta, ridge, 1.0);
    TRY(regret_sym_cholesky(w->h, c->m));
    regret_sym_cholesky_solve(w->step, 1, w->h, c->m);
    for (int k = 0; k < MOST_HALVINGS; k++, share *= 0.5) {
        *length = 0.0;
        for (size_t i = 0; i < c->m; i++) {
            w->next[i] = w->theta[i] + share * w->step[i];
            *length = fmax(*length, fabs(share * w->step[i]));
        }
        if (*length <= LAST_STEP || likelihood(c, w->next, ridge) >= before) {
            break;
        }
    }
    memcpy(w->theta, w->next, c->m * sizeof *w->theta);
    return REGRET_OK;
}

static int maximise(int *steps, struct newton *w, const struct compared *c, double ridge)
{
    double length = INFINITY;
    memcpy(w->theta, c->centre, c->m * sizeof *w->theta); /* no step changes the sum of θ */
    for (*steps = 0; length > LAST_STEP && *steps < MOST_STEPS; ++*steps) {
        TRY(improve(&length, w, c, ridge));
    }
    return length <= LAST_STEP ? REGRET_OK
                               : regret_fail(REGRET_E_NUMERIC,
                                             "strengths of %zu agents do not settle in %d steps; "
                                             "a larger ridge would help",
                                             c->m, (int)MOST_STEPS);
}

static void fill(struct regret_bradley_terry *fit, const struct compared *c, const double *theta)
{
    for (size_t a = 0; a < fit->n_agents; a++) {
        fit->agents[a] = (struct regret_strength){
            .beta = NAN, .se = NAN, .value = NAN, .value_se = NAN, .low = NAN, .high = NAN};
    }
    for (size_t i = 0; i < c->m; i++) {
        struct regret_strength *s = &fit->agents[c->agent[i]];
        s->votes = c->votes[i];
        s->wins = c->wins[i];
        s->beta = theta[i];
        s->value = strength_value(theta, c->m, i);
        fit->votes += 0.5 * c->votes[i];
    }
    fit->n_compared = c->m;
    fit->n_clusters = c->n_clusters;
}

static int check_options(const struct regret_bradley_terry_options *o)
{
    return o->ridge >= 0.0 && isfinite(o->ridge) && o->level > 0.0 && o->level < 1.0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "the ridge of strengths must be 0 or more and finite, "
                                             "and the level of their intervals between 0 and 1");
}

int regret_bradley_terry_fit(struct regret_bradley_terry **out, const struct regret_votes *votes,
                             const char *const *names,
                             const struct regret_bradley_terry_options *options)
{
    const struct regret_bradley_terry_options defaults = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    const struct regret_bradley_terry_options *o = options != NULL ? options : &defaults;
    FREED_BY(regret_bradley_terry_free_at) struct regret_bradley_terry *fit = NULL;
    FREED_BY(compared_free) struct compared c = {0};
    FREED_BY(newton_free) struct newton w = {NULL, NULL, NULL, NULL};
    TRY(check_options(o));
    TRY(compared_make(&c, votes, names, o));
    TRY(REGRET_NEW(&fit, 1));
    fit->n_agents = votes->n_agents;
    TRY(REGRET_NEW(&fit->agents, votes->n_agents));
    TRY(allocate(&w, c.m));
    TRY(maximise(&fit->steps, &w, &c, o->ridge));
    fill(fit, &c, w.theta);
    TRY(strength_uncertainty(fit, &c, w.theta, o));
    *out = fit;
    fit = NULL;
    return REGRET_OK;
}

int strength_drawn_to(double *theta, const struct regret_votes *votes, const double *centre,
                      const struct regret_bradley_terry_options *options)
{
    FREED_BY(compared_free) struct compared c = {0};
    FREED_BY(newton_free) struct newton w = {NULL, NULL, NULL, NULL};
    int steps = 0;
    TRY(check_options(options));
    TRY(compared_make(&c, votes, NULL, options));
    TRY(allocate(&w, c.m));
    for (size_t a = 0; a < votes->n_agents; a++) {
        theta[a] = centre != NULL ? centre[a] : NAN;
    }
    for (size_t i = 0; i < c.m && centre != NULL; i++) {
        c.centre[i] = centre[c.agent[i]];
    }
    TRY(c.m > 0 ? maximise(&steps, &w, &c, options->ridge) : REGRET_OK);
    for (size_t i = 0; i < c.m; i++) {
        theta[c.agent[i]] = w.theta[i];
    }
    return REGRET_OK;
}

void regret_bradley_terry_free(struct regret_bradley_terry *fit)
{
    if (fit != NULL) {
        regret_free(fit->agents);
        regret_free(fit);
    }
}
