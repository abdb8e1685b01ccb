#include "report/recommend/filters.h"

#include <string.h>

#include "base/core/try.h"
#include "base/text/name.h"

int answer_shows(const struct answer *a, size_t source, size_t x)
{
    const struct regret_recommend_options *o = a->options;
    const struct recommend *s = a->s;
    const struct recommended *item = recommend_item(s, source, x);
    int all = x == s->grid->n_contexts;
    if (item->replicates == 0) {
        return 0;
    }
    if (all) {
        return o->tag == NULL && o->context == NULL && o->agent == NULL;
    }
    const char *tag = recommend_tag(s, x);
    return (o->tag == NULL || (tag != NULL && strcmp(tag, o->tag) == 0)) &&
           (o->context == NULL || strcmp(s->grid->contexts[x], o->context) == 0) &&
           (o->agent == NULL || strcmp(s->grid->agents[item->agent], o->agent) == 0);
}

/* *wanted, if any, becomes the name that it is by name_find(), of *place. */
static int find_name(const char **wanted, size_t *place, const char *what, const char *const *names,
                     size_t n)
{
    if (*wanted == NULL) {
        return REGRET_OK;
    }
    *place = name_find(names, n, *wanted);
    if (*place >= n) {
        return regret_fail(REGRET_E_INPUT,
                           "the run has no %s \"%s\"; --format csv lists those it has", what,
                           *wanted);
    }
    *wanted = names[*place];
    return REGRET_OK;
}

/* Of a context that no seed has held out nothing is known: it was learnt from alone. */
static int check_held_out(const struct recommend *s, size_t x)
{
    size_t held = 0;
    for (size_t i = 0; i < s->n_sources; i++) {
        held += recommend_item(s, i, x)->replicates > 0;
    }
    return held > 0 ? REGRET_OK
                    : regret_fail(
                          REGRET_E_INPUT,
                          "context \"%s\" was never held out in the seeds of this run, so that it "
                          "has no answer of its own; run with more --seeds, or ask for its text "
                          "as for a new request, with --new FILE",
                          s->grid->contexts[x]);
}

int filters_find(struct regret_recommend_options *o, const struct recommend *s)
{
    const struct regret_run_grid *g = s->grid;
    size_t x = 0, place = 0;
    TRY(find_name(&o->context, &x, "context", g->contexts, g->n_contexts));
    TRY(o->context != NULL ? check_held_out(s, x) : REGRET_OK);
    TRY(find_name(&o->agent, &place, "agent", g->agents, g->n_agents));
    return find_name(&o->tag, &place, "tag", g->tags, g->tags != NULL ? g->n_contexts : 0);
}
