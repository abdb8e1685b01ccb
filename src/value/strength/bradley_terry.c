/* The strengths of the largest penalised likelihood. */
#include "regret/bradley_terry.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "value/strength/strength.h"

FREED_POINTER(struct regret_bradley_terry, regret_bradley_terry_free)

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
    FREED double *theta = NULL, *room = NULL;
    TRY(check_options(o));
    TRY(compared_make(&c, votes, names, o));
    TRY(REGRET_NEW(&fit, 1));
    fit->n_agents = votes->n_agents;
    TRY(REGRET_NEW(&fit->agents, votes->n_agents));
    TRY(REGRET_NEW(&fit->moved, votes->n_agents));
    TRY(REGRET_NEW(&theta, c.m + 1));
    TRY(REGRET_NEW(&room, (c.m + 1) * (c.m + 5)));
    TRY(strength_maximise(theta, &fit->steps, &c, o->ridge, NULL, room));
    fill(fit, &c, theta);
    TRY(strength_uncertainty(fit, &c, theta, o));
    *out = fit;
    fit = NULL;
    return REGRET_OK;
}

int strength_drawn_to(double *theta, const struct regret_votes *votes, const double *centre,
                      const struct regret_bradley_terry_options *options)
{
    FREED_BY(compared_free) struct compared c = {0};
    FREED double *own = NULL, *room = NULL;
    int steps = 0;
    TRY(check_options(options));
    TRY(compared_make(&c, votes, NULL, options));
    TRY(REGRET_NEW(&own, c.m + 1));
    TRY(REGRET_NEW(&room, (c.m + 1) * (c.m + 5)));
    for (size_t a = 0; a < votes->n_agents; a++) {
        theta[a] = centre != NULL ? centre[a] : NAN;
    }
    for (size_t i = 0; i < c.m && centre != NULL; i++) {
        c.centre[i] = own[i] = centre[c.agent[i]]; /* no step changes the sum of θ */
    }
    TRY(c.m > 0 ? strength_maximise(own, &steps, &c, options->ridge, NULL, room) : REGRET_OK);
    for (size_t i = 0; i < c.m; i++) {
        theta[c.agent[i]] = own[i];
    }
    return REGRET_OK;
}

void regret_bradley_terry_free(struct regret_bradley_terry *fit)
{
    if (fit != NULL) {
        regret_free(fit->agents);
        regret_free(fit->moved);
        regret_free(fit);
    }
}
