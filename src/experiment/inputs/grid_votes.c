#include "experiment/inputs/grid_votes.h"

#include "base/core/try.h"
#include "pool/votes/votes.h"
#include "regret/alloc.h"
#include "value/strength/parts.h"
#include "value/strength/strength.h"

int grid_votes_make(struct grid_votes *out, const struct regret_grid *g)
{
    TRY(votes_of_grid(&out->votes, g));
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&out->names, g->n_agents));
    for (size_t a = 0; a < g->n_agents; a++) {
        out->names[a] = regret_agent_name(&g->pool->agents[g->agents[a]]);
    }
    int rc = regret_bradley_terry_fit(&out->fit, out->votes, out->names, NULL);
    return rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "pool \"%.60s\"", g->pool->name) : rc;
}

void grid_votes_free(struct grid_votes *v)
{
    regret_votes_free(v->votes);
    regret_bradley_terry_free(v->fit);
    regret_free(v->names);
    *v = (struct grid_votes){0};
}

double grid_votes_as_met(const struct grid_votes *v, size_t a, size_t b)
{
    const struct regret_strength *of = v->fit->agents;
    return of[a].value - strength_win(of[a].beta - of[b].beta);
}

int grid_votes_caution(struct regret_buffer *out, const struct grid_votes *v)
{
    size_t m = v->votes->n_agents, one[2] = {0, 0}, n = 0;
    FREED unsigned char *won = NULL;
    TRY(REGRET_NEW(&won, m * m));
    chains_mark(won, m, v->votes->vote, v->votes->n);
    TRY(chains_apart(&n, one, won, m));
    if (n > 0) {
        regret_buffer_printf(out, "%zu of %zu pairs of agents are in no order by votes, as ", n,
                             m * (m - 1) / 2);
        regret_buffer_append_safe(out, v->names[one[0]], 60);
        regret_buffer_append(out, " and ");
        regret_buffer_append_safe(out, v->names[one[1]], 60);
        regret_buffer_append(out, ": no chain of votes, won or tied, leads from one to the other; "
                                  "recommend names none of these: add votes, or leave agents out "
                                  "(regret pool select POOL --not-agent NAME -o PART)");
    }
    return regret_buffer_status(out);
}
