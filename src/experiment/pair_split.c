#include "experiment/pair_split.h"

#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"

int pair_split_make(struct pair_split *out, const struct regret_grid *grid, double train_share,
                    uint64_t seed)
{
    struct pair_split s = {0};
    size_t per_context = grid->n_agents * grid->n_draws, pairs = regret_grid_pairs(grid);
    int rc;
    TRY_CLEANUP(regret_split_make(&s.contexts, grid->n_contexts, train_share, seed));
    TRY_CLEANUP(REGRET_NEW(&s.train, pairs));
    TRY_CLEANUP(REGRET_NEW(&s.test, pairs));
    for (size_t i = 0; i < s.contexts->n_train; i++) {
        memset(s.train + s.contexts->train[i] * per_context, 1, per_context);
    }
    for (size_t p = 0; p < pairs; p++) {
        s.test[p] = !s.train[p];
    }
    *out = s;
    return REGRET_OK;
cleanup:
    pair_split_clear(&s);
    return rc;
}

void pair_split_clear(struct pair_split *s)
{
    regret_split_free(s->contexts);
    regret_free(s->train);
    regret_free(s->test);
    *s = (struct pair_split){0};
}
