#include "pool/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "pool/check.h"
#include "pool/grid_policy.h"
#include "regret/pool.h"
#include "regret/status.h"

int pool_tags_number(struct regret_pool_tag **tags, size_t *n_tags, uint32_t **kind,
                     const struct regret_pool *pool, const size_t *contexts, size_t n)
{
    FREED_BY(id_table_free) struct id_table ids = {NULL, 0, 0};
    FREED struct regret_pool_tag *met = NULL;
    FREED uint32_t *of = NULL;
    size_t n_met = 0, capacity = 1, without = SIZE_MAX;
    TRY(REGRET_NEW(&of, n));
    TRY(REGRET_NEW(&met, capacity));
    for (size_t x = 0; x < n; x++) {
        const char *tag = pool->contexts[contexts != NULL ? contexts[x] : x].tag;
        TRY(id_table_reserve(&ids, n_met + 1));
        without = tag == NULL && without == SIZE_MAX ? n_met : without;
        size_t i = tag != NULL ? id_table_put(&ids, tag, n_met) : without;
        if (i == n_met) {
            TRY(regret_grow((void **)&met, &capacity, n_met, sizeof *met, "tags"));
            met[n_met++] = (struct regret_pool_tag){tag, 0};
        }
        met[i].contexts++;
        of[x] = (uint32_t)i;
    }
    int any = ids.n > 0;
    *n_tags = any ? n_met : 0;
    *tags = any ? met : NULL;
    met = any ? NULL : met;
    if (kind != NULL) {
        *kind = any ? of : NULL;
        of = any ? NULL : of;
    }
    return REGRET_OK;
}

/* Cuts a grid out of a pool: policy, difficulty, hard subset, pairs. */

FREED_POINTER(struct regret_grid, regret_grid_free)

/* Mean over the components of the mean over a pair's draws. */
static double pair_quality(const struct regret_pool *pool, const struct pool_pair *pair)
{
    double sum = 0.0;
    for (size_t k = 0; k < pair->n_draws; k++) {
        for (size_t c = 0; c < pool->n_components; c++) {
            sum += regret_pool_quality(pool, &pool->outputs[pair->first + k], c);
        }
    }
    return sum / ((double)pair->n_draws * (double)pool->n_components);
}

/* One minus the mean over the kept agents; a missing pair has quality zero, or is left out. */
static double context_difficulty(const struct regret_pool *pool, const struct pool_pairs *p,
                                 const struct grid_kept *kept, size_t x,
                                 enum regret_grid_policy policy)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = p->start[x]; i < p->start[x + 1]; i++) {
        if (kept->agents[p->pairs[i].agent]) {
            sum += pair_quality(pool, &p->pairs[i]);
            n++;
        }
    }
    return 1.0 - sum / (double)(policy == REGRET_GRID_OBSERVED ? n : kept->n_agents);
}

struct ranked_context {
    size_t context;
    double difficulty;
    double rank; /* the difficulty in units of 2^-40: the same scores summed in another order tie */
};

static int by_difficulty(const void *left, const void *right)
{
    const struct ranked_context *a = left, *b = right;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? 1 : -1;
    }
    return (a->context > b->context) - (a->context < b->context);
}

static int by_index(const void *left, const void *right)
{
    const struct ranked_context *a = left, *b = right;
    return (a->context > b->context) - (a->context < b->context);
}

static int apply_policy(struct grid_kept *kept, const struct regret_pool *pool,
                        const struct pool_pairs *p, enum regret_grid_policy policy)
{
    switch (policy) {
    case REGRET_GRID_FAIL:
        return grid_require_all(pool, p);
    case REGRET_GRID_COMPLETE:
        return grid_drop_greedily(kept, pool, p);
    case REGRET_GRID_IMPUTE_ZERO:
        return REGRET_OK;
    case REGRET_GRID_OBSERVED:
        grid_drop_empty(kept, pool, p);
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT, "grid policy %d is unknown", (int)policy);
}

/* Ranks the kept contexts, keeps the hardest, and puts them back in the pool's order. */
static int choose_contexts(struct regret_grid *grid, const struct pool_pairs *p,
                           const struct grid_kept *kept, const struct regret_grid_options *o)
{
    const struct regret_pool *pool = grid->pool;
    FREED struct ranked_context *ranked = NULL;
    size_t n = kept->n_contexts, hard = o->hard_contexts, i = 0;
    if (hard > n) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu hard contexts are asked for, but the grid of pool \"%s\" has %zu; "
                           "ask for fewer, or for 0 to keep all",
                           hard, pool->name, n);
    }
    TRY(REGRET_NEW(&ranked, n));
    for (size_t x = 0; x < pool->n_contexts; x++) {
        if (kept->contexts[x]) {
            double difficulty = context_difficulty(pool, p, kept, x, o->policy);
            ranked[i++] = (struct ranked_context){x, difficulty, nearbyint(ldexp(difficulty, 40))};
        }
    }
    if (hard > 0 && hard < n) {
        qsort(ranked, n, sizeof *ranked, by_difficulty);
        n = hard;
        qsort(ranked, n, sizeof *ranked, by_index);
    }
    grid->n_contexts = n;
    TRY(REGRET_NEW(&grid->contexts, n));
    TRY(REGRET_NEW(&grid->difficulty, n));
    for (i = 0; i < n; i++) {
        grid->contexts[i] = ranked[i].context;
        grid->difficulty[i] = ranked[i].difficulty;
    }
    return REGRET_OK;
}

static int choose_agents(struct regret_grid *grid, const struct grid_kept *kept)
{
    TRY(REGRET_NEW(&grid->agents, kept->n_agents));
    for (size_t a = 0; a < grid->pool->n_agents; a++) {
        if (kept->agents[a]) {
            grid->agents[grid->n_agents++] = a;
        }
    }
    return REGRET_OK;
}

static const struct pool_pair *pair_of(const struct regret_grid *grid, const struct pool_pairs *p,
                                       size_t cell)
{
    return pool_pairs_find(p, grid->contexts[cell / grid->n_agents],
                           grid->agents[cell % grid->n_agents]);
}

/* Where the pairs of each cell begin. */
static int place_draws(struct regret_grid *grid, const struct pool_pairs *p)
{
    size_t cells = grid->n_contexts * grid->n_agents;
    for (size_t cell = 0; cell < cells; cell++) {
        const struct pool_pair *pair = pair_of(grid, p, cell);
        size_t n = pair != NULL ? pair->n_draws : 0;
        grid->n_draws = n > 0 && (n < grid->n_draws || grid->n_draws == 0) ? n : grid->n_draws;
        grid->most_draws = n > grid->most_draws ? n : grid->most_draws;
    }
    if (grid->n_draws == 0) {
        grid->n_draws = grid->most_draws = 1;
    }
    if (grid->n_draws == grid->most_draws) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&grid->first, cells + 1));
    for (size_t cell = 0; cell < cells; cell++) {
        const struct pool_pair *pair = pair_of(grid, p, cell);
        grid->first[cell + 1] = grid->first[cell] + (pair != NULL ? pair->n_draws : grid->n_draws);
    }
    return REGRET_OK;
}

/* Lists the observed pairs, if any is not; without, grid->imputed is the number of missing ones. */
static int list_observed(struct regret_grid *grid, size_t min_comparable)
{
    size_t missing = grid->imputed / grid->n_draws, n = 0; /* each has n_draws places */
    grid->imputed = 0;
    if (missing == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&grid->observed_start, grid->n_contexts + 1));
    TRY(REGRET_NEW(&grid->observed, grid->n_contexts * grid->n_agents - missing));
    grid->comparable = 0;
    for (size_t x = 0; x < grid->n_contexts; x++) {
        for (size_t a = 0; a < grid->n_agents; a++) {
            if (grid->outputs[regret_grid_first(grid, x * grid->n_agents + a)] != NULL) {
                grid->observed[n++] = (uint32_t)a;
            }
        }
        grid->observed_start[x + 1] = n;
        grid->comparable += n - grid->observed_start[x] > 1;
    }
    return grid->comparable >= min_comparable
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "pool \"%s\" has %zu contexts with outcomes of two agents at least, "
                     "and grid.policy = \"observed\" wants %zu (grid.min_comparable), since "
                     "nothing is known of what another agent would have lost on the rest; "
                     "add outputs on the contexts that have one, or --set "
                     "grid.min_comparable=%zu",
                     grid->pool->name, grid->comparable, min_comparable, grid->comparable);
}

static int fill_pairs(struct regret_grid *grid, const struct pool_pairs *p)
{
    if (grid->n_contexts > REGRET_GRID_MAX_PAIRS / grid->n_agents) {
        return regret_fail(REGRET_E_INPUT,
                           "a grid of %zu contexts and %zu agents has more than %d pairs; choose "
                           "\"complete\" or fewer hard contexts",
                           grid->n_contexts, grid->n_agents, REGRET_GRID_MAX_PAIRS);
    }
    TRY(place_draws(grid, p));
    if (regret_grid_pairs(grid) > REGRET_GRID_MAX_PAIRS) {
        return regret_fail(REGRET_E_INPUT,
                           "a grid of %zu contexts, %zu agents and up to %zu draws has more than "
                           "%d pairs; choose fewer hard contexts",
                           grid->n_contexts, grid->n_agents, grid->most_draws,
                           REGRET_GRID_MAX_PAIRS);
    }
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&grid->outputs, regret_grid_pairs(grid)));
    for (size_t cell = 0; cell < grid->n_contexts * grid->n_agents; cell++) {
        const struct pool_pair *pair = pair_of(grid, p, cell);
        size_t first = regret_grid_first(grid, cell), n = regret_grid_first(grid, cell + 1) - first;
        for (size_t k = 0; k < n; k++) {
            grid->outputs[first + k] = pair != NULL ? &grid->pool->outputs[pair->first + k] : NULL;
        }
        grid->imputed += pair == NULL ? n : 0;
    }
    return REGRET_OK;
}

int regret_grid_cut(struct regret_grid **out, const struct regret_pool *pool,
                    const struct regret_grid_options *options)
{
    const struct regret_grid_options defaults = REGRET_GRID_OPTIONS_INIT;
    const struct regret_grid_options *o = options != NULL ? options : &defaults;
    FREED_BY(pool_pairs_free) struct pool_pairs pairs = {NULL, 0, NULL};
    FREED_BY(grid_kept_free) struct grid_kept kept = {NULL, NULL, 0, 0};
    FREED_BY(regret_grid_free_at) struct regret_grid *grid = NULL;
    if (pool->n_outputs == 0) {
        return regret_fail(REGRET_E_INPUT, "pool \"%s\" has no outputs; add some", pool->name);
    }
    TRY(pool_check_order(pool, NULL));
    TRY(REGRET_NEW(&grid, 1));
    grid->pool = pool;
    TRY(pool_pairs_make(&pairs, pool));
    TRY(grid_keep_all(&kept, pool));
    TRY(apply_policy(&kept, pool, &pairs, o->policy));
    TRY(choose_agents(grid, &kept));
    TRY(choose_contexts(grid, &pairs, &kept, o));
    grid->dropped_contexts = pool->n_contexts - kept.n_contexts;
    grid->dropped_agents = pool->n_agents - kept.n_agents;
    TRY(pool_tags_number(&grid->tags, &grid->n_tags, &grid->kind, pool, grid->contexts,
                         grid->n_contexts));
    TRY(fill_pairs(grid, &pairs));
    grid->comparable = grid->n_contexts;
    if (o->policy == REGRET_GRID_OBSERVED) {
        TRY(list_observed(grid, o->min_comparable));
    }
    *out = grid;
    grid = NULL;
    return REGRET_OK;
}

void regret_grid_free(struct regret_grid *grid)
{
    if (grid == NULL) {
        return;
    }
    regret_free(grid->first);
    regret_free(grid->contexts);
    regret_free(grid->agents);
    regret_free(grid->outputs);
    regret_free(grid->difficulty);
    regret_free(grid->tags);
    regret_free(grid->kind);
    regret_free(grid->observed_start);
    regret_free(grid->observed);
    regret_free(grid);
}

size_t regret_first_pair(const size_t *first, size_t n_draws, size_t cell)
{
    return first != NULL ? first[cell] : cell * n_draws;
}

size_t regret_cell_of(const size_t *first, size_t n_draws, size_t cells, size_t pair)
{
    size_t low = 0, high = cells;
    if (first == NULL) {
        return pair / n_draws;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(first[middle] <= pair ? &low : &high) = middle;
    }
    return low;
}

size_t regret_grid_first(const struct regret_grid *grid, size_t cell)
{
    return regret_first_pair(grid->first, grid->n_draws, cell);
}

size_t regret_grid_cell(const struct regret_grid *grid, size_t pair)
{
    return regret_cell_of(grid->first, grid->n_draws, grid->n_contexts * grid->n_agents, pair);
}

size_t regret_grid_pairs(const struct regret_grid *grid)
{
    return regret_grid_first(grid, grid->n_contexts * grid->n_agents);
}

size_t regret_grid_observed(const struct regret_grid *grid, size_t context)
{
    return grid->observed == NULL
               ? grid->n_agents
               : grid->observed_start[context + 1] - grid->observed_start[context];
}

size_t regret_grid_observed_agent(const struct regret_grid *grid, size_t context, size_t i)
{
    return grid->observed == NULL ? i : grid->observed[grid->observed_start[context] + i];
}

int regret_grid_is_unobserved(const struct regret_grid *grid, size_t pair)
{
    return grid->observed != NULL && grid->outputs[pair] == NULL;
}

const char *regret_grid_output_text(const struct regret_grid *grid, size_t pair)
{
    return grid->outputs[pair] == NULL ? "" : grid->outputs[pair]->text;
}

const char *regret_grid_context_text(const struct regret_grid *grid, size_t context)
{
    return grid->pool->contexts[grid->contexts[context]].text;
}

double regret_grid_quality(const struct regret_grid *grid, size_t pair, size_t component)
{
    const struct regret_output *o = grid->outputs[pair];
    return o == NULL ? 0.0 : regret_pool_quality(grid->pool, o, component);
}

double regret_grid_count(const struct regret_grid *grid, size_t pair, size_t count)
{
    const struct regret_output *o = grid->outputs[pair];
    return o == NULL ? 0.0 : o->values[grid->pool->n_components + count];
}

double regret_grid_aux(const struct regret_grid *grid, size_t pair, size_t label)
{
    const struct regret_output *o = grid->outputs[pair];
    return o == NULL ? 0.0 : o->values[grid->pool->n_components + grid->pool->n_counts + label];
}

int regret_grid_is_constant(const struct regret_grid *grid, size_t agent)
{
    size_t contexts = 0;
    const char *text = NULL;
    for (size_t x = 0; x < grid->n_contexts; x++) {
        size_t cell = x * grid->n_agents + agent, first = regret_grid_first(grid, cell);
        if (regret_grid_is_unobserved(grid, first)) {
            continue;
        }
        contexts++;
        for (size_t p = first; p < regret_grid_first(grid, cell + 1); p++) {
            const struct regret_output *o = grid->outputs[p];
            if (o == NULL || (text != NULL && strcmp(o->text, text) != 0)) {
                return 0;
            }
            text = o->text;
        }
    }
    return contexts > 1;
}
