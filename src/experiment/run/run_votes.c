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
    FREED unsigned char *won = NULL;
    int joined = 1;
    TRY(REGRET_NEW(&won, n * n));
    chains_mark(won, n, v->votes->vote, v->votes->n);
    TRY(chains_join(&joined, NULL, won, n));
    if (!joined) {
        put_won(t, won, n);
    }
    return REGRET_OK;
}
