#include "experiment/run/run_votes.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "value/strength/parts.h"

/* won[a × n_agents + b]: a has won from b, or tied, at least once. */
static void mark_won(unsigned char *won, const struct regret_grid *g)
{
    for (size_t x = 0; x < g->n_contexts; x++) {
        size_t a = regret_grid_observed_agent(g, x, 0), b = regret_grid_observed_agent(g, x, 1);
        const struct regret_output *const *of_a = g->outputs + (x * g->n_agents + a) * g->n_draws;
        for (size_t k = 0; k < g->n_draws; k++) {
            double share = of_a[k] != NULL ? of_a[k]->values[0] : -1.0;
            won[a * g->n_agents + b] |= share > 0.0;
            won[b * g->n_agents + a] |= share >= 0.0 && share < 1.0;
        }
    }
}

static void put_won(struct regret_buffer *t, const unsigned char *won, size_t n)
{
    const char *joint = ",\n\"won\":[";
    for (size_t i = 0; i < n * n; i++) {
        if (won[i]) {
            regret_buffer_printf(t, "%s[%zu,%zu]", joint, i / n, i % n);
            joint = ",";
        }
    }
    regret_buffer_append_char(t, ']');
}

int run_votes_describe(struct regret_buffer *t, const struct regret_grid *g)
{
    size_t n = g->n_agents;
    unsigned char *won = NULL, *seen = NULL;
    uint32_t *queue = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&won, n * n));
    TRY_CLEANUP(REGRET_NEW(&seen, n));
    TRY_CLEANUP(REGRET_NEW(&queue, n));
    mark_won(won, g);
    if (chains_reach(seen, queue, won, n, 0, 0) < n ||
        chains_reach(seen, queue, won, n, 0, 1) < n) {
        put_won(t, won, n);
    }
cleanup:
    regret_free(won);
    regret_free(seen);
    regret_free(queue);
    return rc;
}
