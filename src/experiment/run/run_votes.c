#include "experiment/run/run_votes.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "value/strength/parts.h"

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

int run_votes_describe(struct regret_buffer *t, const struct grid_votes *v)
{
    size_t n = v->votes->n_agents;
    unsigned char *won = NULL, *seen = NULL;
    uint32_t *queue = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&won, n * n));
    TRY_CLEANUP(REGRET_NEW(&seen, n));
    TRY_CLEANUP(REGRET_NEW(&queue, n));
    grid_votes_won(won, v);
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
