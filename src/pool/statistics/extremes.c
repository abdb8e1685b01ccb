/* Outputs that stand far outside the others. */
#include <string.h>

#include "base/core/try.h"
#include "base/files/text_store.h"
#include "regret/alloc.h"
#include "regret/pool_stats.h"
#include "regret/quantile.h"

static double quantity_of(const struct regret_pool *pool, size_t quantity, size_t output)
{
    const struct regret_output *o = &pool->outputs[output];
    text_store_pass(quantity == 0 ? pool->texts : NULL, o->text);
    return quantity == 0 ? (double)strlen(o->text) : o->values[pool->n_components + quantity - 1];
}

/* How far a value lies outside the quartiles, in their distance; 0 within. */
static double distance(double value, const double quartile[2])
{
    double outside = value > quartile[1]   ? value - quartile[1]
                     : value < quartile[0] ? quartile[0] - value
                                           : 0.0;
    return outside / (quartile[1] - quartile[0]);
}

/* Counts what lies too far out. Outputs stand by context. */
static void count_far(struct regret_pool_extreme *e, const double *value,
                      const struct regret_pool *pool)
{
    double farthest = 0.0;
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        double d = distance(value[i], e->quartile);
        if (d > REGRET_POOL_FAR) {
            e->outputs++;
            e->contexts += pool->outputs[i].context != last;
            last = pool->outputs[i].context;
        }
        if (d > farthest) {
            farthest = d;
            e->output = i;
            e->value = value[i];
        }
    }
}

/* 1 where texts are the agents' names, which stand for outputs that nobody gave. */
static int are_names(const struct regret_pool *pool)
{
    size_t i = 0;
    while (i < pool->n_outputs &&
           strcmp(pool->outputs[i].text, pool->agents[pool->outputs[i].agent].id) == 0) {
        i++;
    }
    return i == pool->n_outputs;
}

int regret_pool_extremes(struct regret_pool_extreme **out, size_t *n,
                         const struct regret_pool *pool)
{
    size_t quantities = 1 + pool->n_counts + pool->n_aux, outputs = pool->n_outputs;
    FREED struct regret_pool_extreme *found = NULL;
    FREED double *value = NULL, *sorted = NULL;
    *n = 0;
    TRY(REGRET_NEW(&found, quantities));
    TRY(REGRET_NEW(&value, outputs));
    TRY(REGRET_NEW(&sorted, outputs));
    for (size_t q = (size_t)are_names(pool); q < quantities && outputs > 0; q++) {
        struct regret_pool_extreme e = {.quantity = q};
        for (size_t i = 0; i < outputs; i++) {
            sorted[i] = value[i] = quantity_of(pool, q, i);
        }
        regret_sort_numbers(sorted, outputs);
        e.quartile[0] = regret_quantile(sorted, outputs, 0.25);
        e.quartile[1] = regret_quantile(sorted, outputs, 0.75);
        if (e.quartile[1] > e.quartile[0]) {
            count_far(&e, value, pool);
        }
        if (e.outputs > 0) {
            found[(*n)++] = e;
        }
    }
    *out = found;
    found = NULL;
    return REGRET_OK;
}

const char *regret_pool_quantity_name(const struct regret_pool *pool, size_t quantity)
{
    return quantity == 0 ? "bytes of text"
                         : regret_pool_value_name(pool, pool->n_components + quantity - 1);
}
