/* The pool in memory: freeing, default segments, normalised scores. */
#include "regret/pool.h"

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/files/text_store.h"
#include "pool/files/columns.h"
#include "pool/files/history.h"
#include "pool/files/read.h"
#include "regret/alloc.h"

static void free_segments(struct regret_segment *segments, size_t n)
{
    for (size_t i = 0; segments != NULL && i < n; i++) {
        regret_free(segments[i].name);
        regret_free(segments[i].weights);
    }
    regret_free(segments);
}

void pool_free_values(struct regret_pool *pool)
{
    for (size_t i = 0; pool->components != NULL && i < pool->n_components; i++) {
        regret_free(pool->components[i].name);
    }
    regret_free(pool->components);
    texts_free(pool->counts, pool->n_counts);
    texts_free(pool->aux, pool->n_aux);
    free_segments(pool->segments, pool->n_segments);
    pool->components = NULL;
    pool->counts = pool->aux = NULL;
    pool->segments = NULL;
    pool->n_components = pool->n_counts = pool->n_aux = pool->n_segments = 0;
}

static void free_header(struct regret_pool *pool)
{
    regret_free(pool->name);
    regret_free(pool->title);
    regret_free(pool->version);
    regret_free(pool->licence);
    regret_free(pool->source);
    for (size_t i = 0; pool->agents != NULL && i < pool->n_agents; i++) {
        regret_free(pool->agents[i].id);
        regret_free(pool->agents[i].title);
    }
    regret_free(pool->agents);
    pool_free_values(pool);
}

void regret_pool_free(struct regret_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    free_header(pool);
    for (size_t i = 0; pool->contexts != NULL && i < pool->n_contexts; i++) {
        regret_free(pool->contexts[i].id);
        regret_free(pool->texts == NULL ? pool->contexts[i].text : NULL);
        regret_free(pool->contexts[i].tag);
        pool_free_covariates(pool->contexts[i].columns, pool->n_columns);
        regret_free(pool->contexts[i].title);
    }
    regret_free(pool->contexts);
    pool_free_columns(pool);
    for (size_t i = 0; pool->outputs != NULL && i < pool->n_outputs; i++) {
        regret_free(pool->texts == NULL ? pool->outputs[i].text : NULL);
        regret_free(pool->outputs[i].values);
    }
    regret_free(pool->outputs);
    text_store_free(pool->texts);
    pool_free_history(pool->history, pool->n_history);
    regret_free(pool);
}

int regret_pool_default_segments(struct regret_pool *pool)
{
    size_t n = pool->n_components;
    struct regret_segment *segments = NULL;
    int rc;
    if (n == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "a pool without components has no segments; add a component first");
    }
    double own = n == 1 ? 1.0 : 0.55;
    double other = n == 1 ? 0.0 : 0.45 / (double)(n - 1);
    TRY_CLEANUP(REGRET_NEW(&segments, n));
    for (size_t s = 0; s < n; s++) {
        TRY_CLEANUP(regret_strdup(&segments[s].name, pool->components[s].name));
        TRY_CLEANUP(REGRET_NEW(&segments[s].weights, n));
        for (size_t k = 0; k < n; k++) {
            segments[s].weights[k] = k == s ? own : other;
        }
    }
    free_segments(pool->segments, pool->n_segments);
    pool->segments = segments;
    pool->n_segments = n;
    segments = NULL;
cleanup:
    free_segments(segments, n);
    return rc;
}

double regret_pool_quality(const struct regret_pool *pool, const struct regret_output *output,
                           size_t component)
{
    const struct regret_component *c = &pool->components[component];
    return (output->values[component] - c->low) / (c->high - c->low);
}

const char *regret_pool_value_name(const struct regret_pool *pool, size_t k)
{
    size_t scores = pool->n_components, counts = scores + pool->n_counts;
    return k < scores   ? pool->components[k].name
           : k < counts ? pool->counts[k - scores]
                        : pool->aux[k - counts];
}
