#include "report/recommend/filters.h"

#include <string.h>

#include "base/core/try.h"

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

/* A name that is none of n is refused; NULL is no wish, and none of `names` is it. */
static int check_name(const char *what, const char *wanted, const char *const *names, size_t n)
{
    size_t i = 0;
    while (i < n && (wanted == NULL || names[i] == NULL || strcmp(names[i], wanted) != 0)) {
        i++;
    }
    return wanted == NULL || i < n
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "the run has no %s \"%s\"; --format csv lists those it has", what,
                             wanted);
}

/* Of a context that no seed has held out nothing is known: it was learnt from alone. */
static int check_held_out(const struct answer *a)
{
    const struct regret_run_grid *g = a->s->grid;
    size_t x = 0, held = 0;
    while (a->options->context != NULL && strcmp(g->contexts[x], a->options->context) != 0) {
        x++;
    }
    for (size_t i = 0; i < a->s->n_sources; i++) {
        held += recommend_item(a->s, i, x)->replicates > 0;
    }
    return a->options->context == NULL || held > 0
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "context \"%s\" was never held out in the seeds of this run, so that it "
                     "has no answer of its own; run with more --seeds, or ask for its text "
                     "as for a new request, with --new FILE",
                     a->options->context);
}

int filters_check(const struct answer *a)
{
    const struct regret_run_grid *g = a->s->grid;
    TRY(check_name("context", a->options->context, g->contexts, g->n_contexts));
    TRY(check_held_out(a));
    TRY(check_name("agent", a->options->agent, g->agents, g->n_agents));
    return check_name("tag", a->options->tag, g->tags, g->tags != NULL ? g->n_contexts : 0);
}
