#include "experiment/measures/strengths.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "pool/votes/votes.h"
#include "regret/alloc.h"
#include "value/strength/strength.h"

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
