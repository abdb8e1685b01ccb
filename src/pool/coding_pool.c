#include "pool/coding_pool.h"

#include "regret/alloc.h"

enum { TYPES = 4 };
static const char *const TYPE_NAMES[TYPES] = {"balanced", "size-first", "locality-first",
                                              "focus-first"};
/* Twentieths: success, size, locality, focus. */
static const double TYPE_WEIGHTS[TYPES][CODING_COMPONENTS] = {
    {5, 5, 5, 5}, {5, 9, 3, 3}, {5, 3, 9, 3}, {5, 3, 3, 9}};

static int describe_components(struct regret_pool *pool)
{
    int rc = REGRET_NEW(&pool->components, CODING_COMPONENTS);
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_components = CODING_COMPONENTS;
    for (size_t k = 0; rc == REGRET_OK && k < CODING_COMPONENTS; k++) {
        pool->components[k].high = 1.0;
        rc = regret_strdup(&pool->components[k].name,
                           k == CODING_SUCCESS ? "success"
                                               : regret_patch_component_name(k - CODING_SIZE));
    }
    return rc;
}

static int describe_aux(struct regret_pool *pool)
{
    int rc = REGRET_NEW(&pool->aux, REGRET_PATCH_STATISTICS);
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_aux = REGRET_PATCH_STATISTICS;
    for (size_t j = 0; rc == REGRET_OK && j < REGRET_PATCH_STATISTICS; j++) {
        rc = regret_strdup(&pool->aux[j], regret_patch_statistic_name(j));
    }
    return rc;
}

static int describe_segments(struct regret_pool *pool)
{
    int rc = REGRET_NEW(&pool->segments, TYPES);
    if (rc != REGRET_OK) {
        return rc;
    }
    pool->n_segments = TYPES;
    for (size_t u = 0; rc == REGRET_OK && u < TYPES; u++) {
        rc = regret_strdup(&pool->segments[u].name, TYPE_NAMES[u]);
        if (rc == REGRET_OK) {
            rc = REGRET_NEW(&pool->segments[u].weights, CODING_COMPONENTS);
        }
        for (size_t k = 0; rc == REGRET_OK && k < CODING_COMPONENTS; k++) {
            pool->segments[u].weights[k] = TYPE_WEIGHTS[u][k] / 20.0;
        }
    }
    return rc;
}

int coding_pool_describe(struct regret_pool *pool)
{
    int rc = describe_components(pool);
    if (rc == REGRET_OK) {
        rc = describe_aux(pool);
    }
    return rc != REGRET_OK ? rc : describe_segments(pool);
}

int coding_values(double *values, size_t *changed, size_t *files, int success, const char *text,
                  size_t length, const struct regret_issue *issue)
{
    struct regret_patch *patch = NULL;
    double made[CODING_VALUES];
    int rc = regret_patch_parse(&patch, text, length);
    if (rc != REGRET_OK) {
        return rc;
    }
    made[CODING_SUCCESS] = success != 0;
    rc = regret_patch_components(made + CODING_SIZE, patch, issue);
    if (rc == REGRET_OK) {
        rc = regret_patch_statistics(made + CODING_COMPONENTS, patch);
    }
    if (rc == REGRET_OK) {
        for (size_t i = 0; i < CODING_VALUES; i++) {
            values[i] = made[i];
        }
        if (changed != NULL) {
            *changed = patch->added + patch->removed;
        }
        if (files != NULL) {
            *files = patch->n_files;
        }
    }
    regret_patch_free(patch);
    return rc;
}
