#include "pool/files/coding_pool.h"

#include "base/core/try.h"
#include "pool/files/read.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_patch, regret_patch_free)

enum { TYPES = 4 };
static const char *const TYPE_NAMES[TYPES] = {"balanced", "size-first", "locality-first",
                                              "focus-first"};
/* Twentieths: success, size, locality, focus. */
static const double TYPE_WEIGHTS[TYPES][CODING_COMPONENTS] = {
    {5, 5, 5, 5}, {5, 9, 3, 3}, {5, 3, 9, 3}, {5, 3, 3, 9}};

static int describe_components(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->components, CODING_COMPONENTS));
    pool->n_components = CODING_COMPONENTS;
    for (size_t k = 0; k < CODING_COMPONENTS; k++) {
        pool->components[k].high = 1.0;
        TRY(regret_strdup(&pool->components[k].name,
                          k == CODING_SUCCESS ? "success"
                                              : regret_patch_component_name(k - CODING_SIZE)));
    }
    return REGRET_OK;
}

static int describe_aux(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->aux, REGRET_PATCH_STATISTICS));
    pool->n_aux = REGRET_PATCH_STATISTICS;
    for (size_t j = 0; j < REGRET_PATCH_STATISTICS; j++) {
        TRY(regret_strdup(&pool->aux[j], regret_patch_statistic_name(j)));
    }
    return REGRET_OK;
}

static int describe_segments(struct regret_pool *pool)
{
    TRY(REGRET_NEW(&pool->segments, TYPES));
    pool->n_segments = TYPES;
    for (size_t u = 0; u < TYPES; u++) {
        TRY(regret_strdup(&pool->segments[u].name, TYPE_NAMES[u]));
        TRY(REGRET_NEW(&pool->segments[u].weights, CODING_COMPONENTS));
        for (size_t k = 0; k < CODING_COMPONENTS; k++) {
            pool->segments[u].weights[k] = TYPE_WEIGHTS[u][k] / 20.0;
        }
    }
    return REGRET_OK;
}

int coding_pool_describe(struct regret_pool *pool)
{
    pool_free_values(pool);
    TRY(describe_components(pool));
    TRY(describe_aux(pool));
    return describe_segments(pool);
}

int coding_values(double *values, size_t *changed, size_t *files, int success, const char *text,
                  size_t length, const struct regret_patch_issue *issue)
{
    FREED_BY(regret_patch_free_at) struct regret_patch *patch = NULL;
    TRY(regret_patch_parse(&patch, text, length));
    values[CODING_SUCCESS] = success != 0;
    TRY(regret_patch_components(values + CODING_SIZE, patch, issue));
    TRY(regret_patch_statistics(values + CODING_COMPONENTS, patch));
    if (changed != NULL) {
        *changed = patch->added + patch->removed;
    }
    if (files != NULL) {
        *files = patch->n_files;
    }
    return REGRET_OK;
}
