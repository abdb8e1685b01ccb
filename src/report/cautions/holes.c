#include "report/cautions/holes.h"

#include <math.h>

#include "report/rows/slice.h"
#include "report/rows/table_data.h"

/* Of the requests, in tags where the agent cannot be compared [C]. */
static const double MOST_APART = 0.15;

int holes_are_there(const struct regret_results *r)
{
    const struct regret_run_facts *run = &r->run;
    return run->observed > 0 &&
           (double)run->observed < (double)run->contexts * (double)run->agents && !has_strengths(r);
}

/* ± of 95 % of a standard error over the contexts of a group. */
static double half_of(const struct regret_run_means *m, size_t group, double se)
{
    return half_width(se, (size_t)m->contexts[group]);
}

double holes_gain(double *half, const struct regret_run_means *m, size_t agent)
{
    *half = half_of(m, 0, m->over_se[agent]);
    return m->over[agent];
}

static void say_group(struct regret_buffer *why, const struct regret_run_means *m, size_t group)
{
    if (group > 0) {
        const char *tag = m->tags[group - 1];
        regret_buffer_printf(why, " of tag %s", tag != NULL ? tag : "(none)");
    }
}

/* One choice: against the best that is compared on the same requests. */
static void say_choice(struct regret_buffer *why, const struct regret_run_grid *g,
                       const struct regret_run_means *m, const struct holes_choice *c, int alone)
{
    size_t at = c->group * m->n_agents + c->agent, first = m->first[c->group];
    double half = half_of(m, c->group, m->behind_se[at]);
    if (first == REGRET_NO_ROW || isnan(m->over[at])) {
        regret_buffer_printf(why,
                             "%s, whom the run's rule names, cannot be compared with the others: "
                             "it has answered %.0f of %.0f requests",
                             g->agents[c->agent], m->n[at], m->contexts[c->group]);
        say_group(why, m, c->group);
        regret_buffer_append(why, ", too few of them together with others.");
    } else if (first != c->agent && (alone || m->behind[at] > half)) {
        regret_buffer_printf(why,
                             "compared on the same requests %s scores %.4f ± %.4f more than %s, "
                             "whom the run's rule names",
                             g->agents[first], m->behind[at], half, g->agents[c->agent]);
        say_group(why, m, c->group);
        regret_buffer_printf(why,
                             "; not every agent has answered every request (%s %.0f, %s %.0f of "
                             "%.0f), so that their own means are of different ones.",
                             g->agents[first], m->n[c->group * m->n_agents + first],
                             g->agents[c->agent], m->n[at], m->contexts[c->group]);
    }
}

void holes_say(struct regret_buffer *why, const struct regret_run_grid *g,
               const struct regret_run_means *m, const struct holes_choice *choice, size_t n)
{
    double gain = 0.0, square = 0.0, apart = 0.0;
    if (m == NULL || m->over == NULL) {
        regret_buffer_append(why,
                             "not every agent has answered every request, and the run does not say "
                             "how they compare on the same ones (an older program made it, or its "
                             "cells differ): run it again, or choose one with --cell N.");
        return;
    }
    for (size_t i = 0; i < n && why->length == 0; i++) {
        size_t at = choice[i].group * m->n_agents + choice[i].agent;
        double se = choice[i].share * m->over_se[at];
        apart += isnan(m->over[at]) ? choice[i].share : 0.0;
        if (!isnan(m->over[at])) {
            gain += choice[i].share * m->over[at];
            square += se * se;
        }
        if (!isnan(m->over[at]) || apart > MOST_APART) {
            say_choice(why, g, m, &choice[i], n == 1);
        }
    }
    double half = half_of(m, 0, sqrt(square));
    if (why->length == 0 && !(gain > half)) {
        regret_buffer_printf(why,
                             "compared on the same requests the gain over an agent at random is "
                             "%+.4f ± %.4f.",
                             gain, half);
    }
}
