#include "experiment/run/shard_range.h"

#include "base/core/try.h"
#include "experiment/features/cell_cost.h"
#include "regret/alloc.h"

int run_costs_create(struct run_costs *out, const struct regret_run_plan *plan,
                     const struct run_inputs *inputs)
{
    struct regret_config first;
    size_t cells = regret_run_plan_cells(plan);
    regret_run_plan_cell(&first, plan, 0);
    struct run_costs made = {NULL, cells, first.seeds};
    TRY(REGRET_NEW(&made.before, cells + 1));
    for (size_t c = 0; c < cells; c++) {
        struct regret_config cell;
        regret_run_plan_cell(&cell, plan, c);
        made.before[c + 1] = made.before[c] + cell_cost(&cell, run_inputs_features(inputs, c),
                                                        run_inputs_labels(inputs, c));
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

/* The last end of a shard that begins at `begin` and costs at most `bound`. */
static size_t furthest_end(const struct run_costs *costs, size_t begin, uint64_t bound)
{
    size_t total = costs->cells * costs->seeds, low = begin, high = total + 1;
    uint64_t most = run_costs_before(costs, begin) + bound;
    while (high - low > 1) { /* low is within the bound, high is not */
        size_t middle = low + (high - low) / 2;
        if (run_costs_before(costs, middle) <= most) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Whether `shards` ranges of at most `bound` hold everything. */
static int is_enough(const struct run_costs *costs, size_t shards, uint64_t bound)
{
    size_t end = 0;
    for (size_t k = 0; k < shards && end < costs->cells * costs->seeds; k++) {
        end = furthest_end(costs, end, bound);
    }
    return end == costs->cells * costs->seeds;
}

/* What the dearest shard costs at least. */
static uint64_t least_bound(const struct run_costs *costs, size_t shards)
{
    uint64_t whole = run_costs_before(costs, costs->cells * costs->seeds), dearest = 1;
    for (size_t c = 0; c < costs->cells; c++) {
        uint64_t one = costs->before[c + 1] - costs->before[c];
        dearest = one > dearest ? one : dearest;
    }
    uint64_t low = whole / shards, high = low + 1 + dearest; /* high is always enough */
    low = low > dearest ? low : dearest;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (is_enough(costs, shards, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return high;
}

/* earliest[k]: where shard k + 1 may begin at the earliest, so that those from there on stay within
 * the bound: filled from the end. */
static void fill_earliest(size_t *earliest, const struct run_costs *costs, size_t shards,
                          uint64_t bound)
{
    earliest[shards] = costs->cells * costs->seeds;
    for (size_t k = shards; k-- > 0;) {
        uint64_t until = run_costs_before(costs, earliest[k + 1]);
        size_t low = 0, high = earliest[k + 1]; /* high is within the bound */
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (until - run_costs_before(costs, middle) <= bound) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        earliest[k] = high;
    }
}

int shard_cuts(size_t **out, const struct run_costs *costs, size_t shards)
{
    size_t total = costs->cells * costs->seeds, *cut = NULL;
    uint64_t whole = run_costs_before(costs, total), bound = least_bound(costs, shards);
    TRY(REGRET_NEW(&cut, shards + 1));
    fill_earliest(cut, costs, shards, bound);
    cut[0] = 0;
    for (size_t k = 1; k < shards; k++) {
        /* whole * k / shards, which may be too large a product */
        size_t even = nearest_begin(costs, whole / shards * k + whole % shards * k / shards);
        size_t least = cut[k] > cut[k - 1] ? cut[k] : cut[k - 1] + 1;
        size_t most = furthest_end(costs, cut[k - 1], bound), room = total - (shards - k);
        most = most < room ? most : room; /* one replicate for each that follows */
        cut[k] = even < least ? least : even > most ? most : even;
    }
    *out = cut;
    return REGRET_OK;
}

int shard_range_cut(struct shard_range *range, const struct run_costs *costs)
{
    size_t *cut = NULL;
    TRY(shard_cuts(&cut, costs, range->shards));
    range->begin = cut[range->shard - 1];
    range->end = cut[range->shard];
    regret_free(cut);
    return REGRET_OK;
}
