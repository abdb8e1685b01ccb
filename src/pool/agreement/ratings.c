#include <math.h>

#include "base/core/try.h"
#include "regret/agreement.h"
#include "regret/alloc.h"

int regret_ratings_of_pool(struct regret_ratings *out, const struct regret_pool *pool,
                           const size_t *components, size_t n)
{
    *out = (struct regret_ratings){.n_units = pool->n_outputs, .n_raters = n};
    TRY(REGRET_NEW(&out->rating, pool->n_outputs * n));
    TRY(REGRET_NEW(&out->cluster, pool->n_contexts + 1));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (i == 0 || o->context != pool->outputs[i - 1].context) {
            out->cluster[out->n_clusters++] = i;
        }
        for (size_t j = 0; j < n; j++) {
            out->rating[i * n + j] = regret_pool_quality(pool, o, components[j]);
        }
    }
    out->cluster[out->n_clusters] = pool->n_outputs;
    return REGRET_OK;
}

void regret_ratings_free(struct regret_ratings *ratings)
{
    regret_free(ratings->rating);
    regret_free(ratings->cluster);
    *ratings = (struct regret_ratings){0};
}
