#include "experiment/pool/pair_split.h"

#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_split, regret_split_free)

size_t context_folds(const struct regret_config *config, const struct regret_grid *grid)
{
    if (config->split == REGRET_SPLIT_ONE_KIND) {
        return grid->n_tags > 0 ? grid->n_tags : 1;
    }
    return config->context_folds > 0 ? config->context_folds : 1;
}

/* One tag would leave nothing to train on, or nothing to stratify by; a misspelt field is no wish. */
static int check_tags(const struct regret_grid *grid, const struct regret_config *config)
{
    int leaves_out = config->split == REGRET_SPLIT_ONE_KIND;
    if (grid->n_tags < (leaves_out ? 2 : 1)) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.split = \"%s\" needs contexts with tags%s, and those of pool "
                           "\"%s\" have %zu; give contexts.jsonl the field \"tag\", or --set "
                           "contexts.split=random",
                           leaves_out ? "leave-one-tag-out" : "stratified",
                           leaves_out ? ", of two at least" : "", grid->pool->name, grid->n_tags);
    }
    return grid->n_tags <= REGRET_MAX_CONTEXT_FOLDS || !leaves_out
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "contexts.split = \"leave-one-tag-out\" would make %zu folds, a tag "
                             "each; at most %d are allowed",
                             grid->n_tags, REGRET_MAX_CONTEXT_FOLDS);
}

/* The held-out contexts, those of reference not yet parted. */
static int hold_out(struct regret_split **out, const struct regret_grid *grid,
                    const struct regret_config *config, size_t fold, uint64_t seed)
{
    const uint32_t *kind = config->split == REGRET_SPLIT_STRATIFIED ? grid->kind : NULL;
    TRY(config->split != REGRET_SPLIT_RANDOM ? check_tags(grid, config) : REGRET_OK);
    if (config->split == REGRET_SPLIT_ONE_KIND) {
        return regret_split_one_kind(out, grid->kind, grid->n_contexts, (uint32_t)fold);
    }
    return config->context_folds > 0
               ? regret_split_fold(out, kind, grid->n_contexts, config->context_folds, fold, seed)
               : regret_split_make(out, kind, grid->n_contexts, config->train_share, seed);
}

int context_split_make(struct regret_split **out, const struct regret_grid *grid,
                       const struct regret_config *config, size_t fold, uint64_t seed)
{
    FREED_BY(regret_split_free_at) struct regret_split *s = NULL;
    TRY(hold_out(&s, grid, config, fold, seed));
    TRY(regret_split_reference(s, config->reference_share, regret_fold_seed(seed, fold)));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

/* 1 for every observed pair of the contexts. */
static int mark_pairs(unsigned char **out, const size_t *contexts, size_t n,
                      const struct regret_grid *grid)
{
    TRY(REGRET_NEW(out, regret_grid_pairs(grid)));
    for (size_t i = 0; i < n; i++) {
        size_t end = regret_grid_first(grid, (contexts[i] + 1) * grid->n_agents);
        for (size_t p = regret_grid_first(grid, contexts[i] * grid->n_agents); p < end; p++) {
            (*out)[p] = !regret_grid_is_unobserved(grid, p);
        }
    }
    return REGRET_OK;
}

int pair_split_make(struct pair_split *out, const struct regret_grid *grid,
                    const struct regret_config *config, size_t fold, uint64_t seed)
{
    FREED_BY(pair_split_clear) struct pair_split s = {0};
    TRY(context_split_make(&s.contexts, grid, config, fold, seed));
    const struct regret_split *c = s.contexts;
    TRY(mark_pairs(&s.train, c->train, c->n_train, grid));
    TRY(mark_pairs(&s.test, c->test, c->n_test, grid));
    TRY(mark_pairs(&s.reference, c->reference, c->n_reference, grid));
    *out = s;
    memset(&s, 0, sizeof s); /* handed on */
    return REGRET_OK;
}

void pair_split_clear(struct pair_split *s)
{
    regret_split_free(s->contexts);
    regret_free(s->train);
    regret_free(s->test);
    regret_free(s->reference);
    *s = (struct pair_split){0};
}
