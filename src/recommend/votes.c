#include "pool/votes.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "recommend/internal.h"
#include "regret/status.h"
#include "stats/limits.h"
#include "value/strength.h"

FREED_POINTER(struct regret_bradley_terry, regret_bradley_terry_free)

static int fit(struct regret_bradley_terry **out, const struct score_table *s, uint32_t kind,
               double level)
{
    struct regret_bradley_terry_options options = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    options.kind = kind;
    options.level = level;
    return regret_bradley_terry_fit(out, s->votes, (const char *const *)s->agent, &options);
}

static void fill_level(struct agent_answer *out, const struct regret_strength *x)
{
    out->known = (size_t)x->votes;
    out->raw = x->wins / x->votes;
    out->is_ranked = x->votes > 0.0;
    out->level = (struct interval){x->value, x->low, x->high};
    out->behind = out->least = NAN;
    out->lead = (struct interval){NAN, NAN, NAN};
}

/* The difference of two values from the limits of both, as if they were independent. */
static struct interval lead(const struct agent_answer *b, const struct agent_answer *a)
{
    struct limits l =
        limits_of_gap(b->level.value, (struct limits){b->level.low, b->level.high}, a->level.value,
                      (struct limits){a->level.low, a->level.high}, 0.0);
    return (struct interval){b->level.value - a->level.value, l.low, l.high};
}

static void fill_behind(struct group_answer *g, size_t m)
{
    for (size_t a = 0; a < m; a++) {
        struct agent_answer *x = &g->agent[a];
        x->behind = x->least = x->is_ranked ? 0.0 : (double)NAN;
        for (size_t b = 0; x->is_ranked && b < m; b++) {
            if (b != a && g->agent[b].may_be_best) {
                struct interval l = lead(&g->agent[b], x);
                x->behind = fmax(x->behind, l.high);
                x->least = x->is_worse ? fmax(x->least, l.low) : 0.0;
            }
        }
        if (x->is_ranked && a != g->best) {
            x->lead = lead(&g->agent[g->best], x);
        }
    }
}

/* Votes of one category, or all. Who is best is in the set with `level`: an agent is out that another is told to be better than, each of
 * the others at its share of what is left (Bonferroni); that it is worse is told of all pairs at once. */
static int group_of_votes(struct group_answer *g, const struct answer *a, uint32_t kind,
                          double level)
{
    FREED_BY(regret_bradley_terry_free_at) struct regret_bradley_terry *values = NULL;
    FREED_BY(regret_bradley_terry_free_at) struct regret_bradley_terry *ranks = NULL;
    FREED_BY(regret_bradley_terry_free_at) struct regret_bradley_terry *pairs = NULL;
    size_t m = a->s->m;
    double others = (double)(m > 2 ? m - 1 : 1), each = 1.0 - 2.0 * (1.0 - level) / others;
    TRY(REGRET_NEW(&g->agent, m));
    TRY(fit(&values, a->s, kind, 0.95));
    TRY(fit(&ranks, a->s, kind, each));
    TRY(fit(&pairs, a->s, kind, 1.0 - 2.0 * (1.0 - level) / others / (double)m));
    g->requests = (size_t)values->votes;
    g->best = g->chosen = values->first < m ? values->first : REGRET_NO_AGENT;
    for (size_t b = 0; b < m; b++) {
        fill_level(&g->agent[b], &values->agents[b]);
        g->agent[b].may_be_best = g->agent[b].is_ranked && ranks->agents[b].rank_high == 1;
        g->agent[b].is_worse = g->agent[b].is_ranked && pairs->agents[b].rank_high > 1;
        g->set += g->agent[b].may_be_best != 0;
        g->worse += g->agent[b].is_worse != 0;
    }
    fill_behind(g, m);
    return REGRET_OK;
}

/* Categories whose agents fall into parts that no vote joins are not judged. */
static int judge_kinds(struct answer *a, double level)
{
    const struct score_table *s = a->s;
    TRY(s->n_tags > 0 ? REGRET_NEW(&a->tag, s->n_tags) : REGRET_OK);
    for (size_t g = 0; g < s->n_tags; g++) {
        int rc = group_of_votes(&a->tag[g], a, (uint32_t)g, pow(level, 1.0 / (double)s->n_tags));
        if (rc == REGRET_E_INPUT) {
            group_free(&a->tag[g]);
            a->tag[g].best = a->tag[g].chosen = REGRET_NO_AGENT;
            TRY(REGRET_NEW(&a->tag[g].agent, s->m));
        } else {
            TRY(rc);
        }
    }
    return REGRET_OK;
}

/* Whether the best of all is told not to be that of a category; there it is for who is best, elsewhere for the best of all, if it may be. */
static int chosen_apart(struct answer *a)
{
    int apart = 0;
    for (size_t g = 0; g < a->s->n_tags; g++) {
        struct group_answer *t = &a->tag[g];
        int is_out = t->set > 0 && !t->agent[a->all.best].may_be_best;
        t->chosen = is_out ? t->best : a->all.best;
        apart |= is_out;
    }
    return apart;
}

int votes_answer(struct answer *a, const struct answer_options *o)
{
    const struct score_table *s = a->s;
    a->comparable = s->n;
    for (enum rule r = RULE_ONE; r < N_RULES; r++) {
        a->value[r] = (struct interval){NAN, NAN, NAN};
    }
    TRY(group_of_votes(&a->all, a, REGRET_VOTES_ALL, o->level));
    TRY(judge_kinds(a, o->level));
    if (s->n < LEAST_REQUESTS) {
        return REGRET_OK;
    }
    FREED_BY(regret_bradley_terry_free_at) struct regret_bradley_terry *values = NULL;
    TRY(fit(&values, s, REGRET_VOTES_ALL, o->level));
    a->first = isnan(values->position)     ? NAN
               : values->position_p < 0.05 ? strength_win(values->position)
                                           : 0.5;
    a->value[RULE_ONE] = a->all.agent[a->all.best].level;
    a->verdict = chosen_apart(a)    ? VERDICT_BY_TAG
                 : a->all.worse > 0 ? VERDICT_SET
                                    : VERDICT_NOTHING;
    a->likely = a->verdict == VERDICT_BY_TAG ? RULE_TAG : RULE_ONE;
    return REGRET_OK;
}
