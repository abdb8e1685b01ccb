#include "report/cautions/apart.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "value/strength/parts.h"

enum { MOST_NAMED = 3 };

int apart_mark(unsigned char **out, size_t *n, const struct regret_run_grid *g, size_t agent)
{
    FREED unsigned char *mark = NULL, *won = NULL, *back = NULL;
    FREED uint32_t *queue = NULL;
    *n = 0;
    TRY(REGRET_NEW(&mark, g->n_agents));
    TRY(REGRET_NEW(&back, g->n_agents));
    TRY(REGRET_NEW(&queue, g->n_agents));
    TRY(REGRET_NEW(&won, g->n_agents * g->n_agents));
    for (size_t i = 0; i < g->n_won; i++) {
        won[g->won[i][0] * g->n_agents + g->won[i][1]] = 1;
    }
    chains_reach(mark, queue, won, g->n_agents, (uint32_t)agent, 0);
    chains_reach(back, queue, won, g->n_agents, (uint32_t)agent, 1);
    for (size_t a = 0; a < g->n_agents; a++) {
        mark[a] = g->won != NULL && !mark[a] && !back[a];
        *n += mark[a];
    }
    *out = mark;
    mark = NULL;
    return REGRET_OK;
}

void apart_names(struct regret_buffer *out, const struct regret_run_grid *g,
                 const unsigned char *mark)
{
    size_t n = 0;
    for (size_t a = 0; a < g->n_agents; a++) {
        if (mark[a] && n++ < MOST_NAMED) {
            regret_buffer_printf(out, "%s%s", n > 1 ? ", " : "", g->agents[a]);
        }
    }
    if (n > MOST_NAMED) {
        regret_buffer_printf(out, " and %zu more", n - MOST_NAMED);
    }
}

/* The agent that most others are apart from stands for all. */
static int say_of_grid(struct regret_buffer *out, const struct regret_run_grid *g)
{
    struct regret_buffer names = REGRET_BUFFER_INIT;
    size_t pairs = 0, most = 0, which = 0;
    int rc = REGRET_OK;
    for (size_t a = 0; a < g->n_agents; a++) {
        unsigned char *mark = NULL;
        size_t n = 0;
        TRY_CLEANUP(apart_mark(&mark, &n, g, a));
        if (n > most) {
            most = n;
            which = a;
            regret_buffer_clear(&names);
            apart_names(&names, g, mark);
        }
        pairs += n;
        regret_free(mark);
    }
    if (pairs > 0) {
        regret_buffer_printf(out,
                             "The order of %zu of %zu pairs of agents is not in the votes, as of "
                             "%s against %s: no chain of votes, won or tied, leads from one to the "
                             "other.",
                             pairs / 2, g->n_agents * (g->n_agents - 1) / 2, g->agents[which],
                             regret_buffer_get(&names));
    }
cleanup:
    regret_buffer_free_into(out, &names);
    return rc;
}

/* Of the first grid that has any. */
void apart_say(struct regret_buffer *out, const struct regret_results *r)
{
    size_t i = 0;
    while (i < r->n_grids && r->grids[i].won == NULL) {
        i++;
    }
    if (i < r->n_grids) {
        regret_buffer_fail(out, say_of_grid(out, &r->grids[i]));
    }
}
