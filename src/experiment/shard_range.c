#include "experiment/shard_range.h"

#include "experiment/cell_cost.h"
#include "regret/alloc.h"

int run_costs_create(struct run_costs *out, const struct regret_plan *plan,
                     const struct lab_set *labs)
{
    struct regret_config first;
    size_t cells = regret_plan_cells(plan);
    regret_plan_cell(&first, plan, 0);
    struct run_costs made = {NULL, cells, first.seeds};
    int rc = REGRET_NEW(&made.before, cells + 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t c = 0; c < cells; c++) {
        struct regret_config cell;
        regret_plan_cell(&cell, plan, c);
        made.before[c + 1] =
            made.before[c] + cell_cost(&cell, labs->labs[labs->of_cell[c]], lab_set_world(labs, c));
    }
    *out = made;
    return REGRET_OK;
}

void run_costs_free(struct run_costs *costs)
{
    regret_free(costs->before);
    *costs = (struct run_costs){0};
}

uint64_t run_costs_before(const struct run_costs *costs, size_t index)
{
    return index / costs->cells * costs->before[costs->cells] + costs->before[index % costs->cells];
}

/* The replicate whose beginning is nearest to `target` in the cumulated cost. */
static size_t nearest_begin(const struct run_costs *costs, uint64_t target)
{
    uint64_t round = costs->before[costs->cells], within = target % round;
    size_t low = 0, high = costs->cells; /* before[low] <= within < before[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (costs->before[middle] <= within) {
            low = middle;
        } else {
            high = middle;
        }
    }
    size_t index = (size_t)(target / round) * costs->cells + low;
    return within - costs->before[low] <= costs->before[low + 1] - within ? index : index + 1;
}

int shard_range_next(struct shard_range *range, const struct run_costs *costs)
{
    size_t total = costs->cells * costs->seeds, n = range->shards, k = range->shard + 1;
    uint64_t whole = costs->before[costs->cells] * costs->seeds;
    if (k > n) {
        return 0;
    }
    /* whole * k / n, which may be too large a product */
    size_t cut = nearest_begin(costs, whole / n * k + whole % n * k / n);
    size_t least = range->end + 1, most = total - (n - k); /* one replicate for each that follows */
    cut = cut > least ? cut : least;
    *range = (struct shard_range){k, n, range->end, cut < most ? cut : most};
    return 1;
}

void shard_range_cut(struct shard_range *range, const struct run_costs *costs)
{
    struct shard_range r = {0, range->shards, 0, 0};
    while (r.shard < range->shard) {
        shard_range_next(&r, costs);
    }
    *range = r;
}
