/* Splits of rows and contexts in an export. */
#include <string.h>

#include "base/status.h"
#include "experiment/internal.h"
#include "experiment/pool_source.h"
#include "pool/agreement.h"
#include "pool/grid_policy.h"
#include "regret/experiment.h"
#include "regret/status.h"

FREED_POINTER(struct regret_pool, regret_pool_free)

/* The grid of a cell, without its features. */
struct cut {
    struct spread_pool *spread; /* NULL: the scores are the pool's own */
    struct regret_grid *grid;
};

static void cut_clear(struct cut *cut)
{
    regret_grid_free(cut->grid);
    spread_pool_free(cut->spread);
}

/* Which contexts are the hardest is by the scores that the cell reads. */
static int cut_make(struct cut *out, const struct regret_pool *pool,
                    const struct regret_config *config)
{
    if (regret_spread_is_on(&config->spread)) {
        TRY(spread_pool_create(&out->spread, pool, &config->spread));
        pool = &out->spread->pool;
    }
    return regret_grid_cut(&out->grid, pool, &config->grid);
}

/* The keys that splits go by: cells that agree in them share their splits. */
static int put_signature(struct regret_buffer *out, const struct regret_config *config)
{
    static const char *const prefixes[] = {"contexts.", "grid.", "spread.", "seeds", "first_seed"};
    for (size_t i = 0; config_key_at(i) != NULL; i++) {
        const struct config_key *key = config_key_at(i);
        for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
            if (strncmp(key->name, prefixes[k], strlen(prefixes[k])) == 0) {
                config_key_json(out, config, key);
                regret_buffer_append_char(out, ' ');
            }
        }
    }
    return regret_buffer_status(out);
}

static void put_ids(struct regret_buffer *t, const char *name, const struct regret_grid *grid,
                    const size_t *list, size_t n)
{
    regret_buffer_printf(t, ",\"%s\":", name);
    grid_json_contexts(t, grid, list, n);
}

static int put_split(struct regret_buffer *t, const struct regret_grid *grid,
                     const struct regret_config *config, size_t fold, uint64_t seed)
{
    struct regret_split *split = NULL;
    TRY(context_split_make(&split, grid, config, fold, seed));
    regret_buffer_printf(t, "{\"seed\":%llu,\"fold\":%zu", (unsigned long long)seed, fold);
    put_ids(t, "test", grid, split->test, split->n_test);
    if (config->reference_share > 0.0) {
        put_ids(t, "reference", grid, split->reference, split->n_reference);
    }
    regret_buffer_append_char(t, '}');
    regret_split_free(split);
    return regret_buffer_status(t);
}

/* What cells of one signature share: their contexts, and of every seed and fold those held out. */
static int put_shared(struct regret_buffer *t, const struct regret_pool *pool,
                      const struct regret_config *config)
{
    FREED_BY(cut_clear) struct cut cut = {0};
    TRY(cut_make(&cut, pool, config));
    size_t folds = context_folds(config, cut.grid);
    grid_json(t, ",\"contexts\":", cut.grid, GRID_CONTEXT_IDS);
    regret_buffer_append(t, ",\n \"splits\":[");
    for (size_t i = 0; i < config->seeds * folds; i++) {
        regret_buffer_append(t, i > 0 ? ",\n  " : "\n  ");
        TRY(put_split(t, cut.grid, config, i % folds, config->first_seed + (uint64_t)(i / folds)));
    }
    regret_buffer_append(t, "]}");
    return regret_buffer_status(t);
}

/* *first: the first cell that has the signature of each. */
static int find_groups(size_t *first, const struct regret_run_plan *plan)
{
    struct regret_buffer *signature = NULL;
    size_t cells = regret_run_plan_cells(plan);
    int rc;
    TRY_CLEANUP(REGRET_NEW(&signature, cells));
    for (size_t c = 0; c < cells; c++) {
        struct regret_config config;
        regret_run_plan_cell(&config, plan, c);
        TRY_CLEANUP(put_signature(&signature[c], &config));
        first[c] = 0;
        while (first[c] < c &&
               (first[first[c]] != first[c] || strcmp(regret_buffer_get(&signature[first[c]]),
                                                      regret_buffer_get(&signature[c])) != 0)) {
            first[c]++;
        }
        if (first[c] < c) {
            regret_buffer_free(&signature[c]);
        }
    }
    rc = REGRET_OK;
cleanup:
    for (size_t c = 0; signature != NULL && c < cells; c++) {
        regret_buffer_free(&signature[c]);
    }
    regret_free(signature);
    return rc;
}

static int put_group(struct regret_buffer *t, const struct regret_run_plan *plan,
                     const struct regret_pool *pool, const size_t *first, size_t cell)
{
    struct regret_config config;
    const char *separator = "";
    regret_run_plan_cell(&config, plan, cell);
    regret_buffer_append(t, cell > 0 ? ",\n{\"cells\":[" : "\n{\"cells\":[");
    for (size_t c = cell; c < regret_run_plan_cells(plan); c++) {
        if (first[c] == cell) {
            regret_buffer_printf(t, "%s%zu", separator, c);
            separator = ",";
        }
    }
    regret_buffer_append(t, "]");
    return put_shared(t, pool, &config);
}

int regret_export_splits(struct regret_buffer *out, const struct regret_run_plan *plan)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    struct regret_config config;
    FREED size_t *first = NULL;
    size_t cells = regret_run_plan_cells(plan);
    regret_run_plan_cell(&config, plan, 0);
    TRY(REGRET_NEW(&first, cells));
    TRY(find_groups(first, plan));
    TRY(pool_source_open(&pool, &config));
    regret_buffer_append(out, "{\"format\":\"regret-splits-1\",\"pool\":");
    regret_buffer_json_string(out, pool->name);
    regret_buffer_append(out, ",\n\"groups\":[");
    for (size_t c = 0; c < cells; c++) {
        if (first[c] == c) {
            TRY(put_group(out, plan, pool, first, c));
        }
    }
    regret_buffer_append(out, "]}\n");
    return regret_buffer_status(out);
}
