/* Which replicates a shard has, and by what estimate of cost. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "experiment/cell_cost.h"
#include "experiment/fixture.h"
#include "experiment/run.h"
#include "experiment/run_cost.h"
#include "regret/status.h"
#include "regret/task.h"

TestSuite(shards, .init = fixture_open, .fini = fixture_close);

enum { MOST_CELLS = 40 };

static uint64_t largest(const struct run_costs *costs)
{
    uint64_t most = 0;
    for (size_t c = 0; c < costs->cells; c++) {
        uint64_t one = costs->before[c + 1] - costs->before[c];
        most = one > most ? one : most;
    }
    return most;
}

/* The dearest of the cheapest division of replicates [0, n) into `shards` ranges, by trying all. */
static uint64_t cheapest(const struct run_costs *costs, size_t n, size_t shards)
{
    uint64_t best = UINT64_MAX;
    if (shards == 1) {
        return run_costs_before(costs, n);
    }
    for (size_t last = shards - 1; last < n; last++) {
        uint64_t own = run_costs_before(costs, n) - run_costs_before(costs, last);
        uint64_t rest = own < best ? cheapest(costs, last, shards - 1) : best;
        uint64_t most = own > rest ? own : rest;
        best = most < best ? most : best;
    }
    return best;
}

/* Ranges tile the run, none is empty, one cut alone is the same as all of them, and none costs more
 * than its even share and the dearest replicate. */
static void check_division(const struct run_costs *costs, size_t shards)
{
    size_t *cut = NULL;
    uint64_t dearest = 0;
    cr_assert_eq(shard_cuts(&cut, costs, shards), 0);
    uint64_t whole = run_costs_before(costs, costs->cells * costs->seeds);
    uint64_t bound = whole / shards + 1 + largest(costs);
    cr_assert_eq(cut[0], 0);
    cr_assert_eq(cut[shards], costs->cells * costs->seeds);
    for (size_t k = 1; k <= shards; k++) {
        cr_assert_gt(cut[k], cut[k - 1], "shard %zu of %zu is empty", k, shards);
        uint64_t cost = run_costs_before(costs, cut[k]) - run_costs_before(costs, cut[k - 1]);
        cr_assert_leq(cost, bound, "shard %zu of %zu", k, shards);
        dearest = cost > dearest ? cost : dearest;
    }
    if (cut[shards] <= 12) {
        cr_assert_eq(dearest, cheapest(costs, cut[shards], shards), "%zu of %zu", shards,
                     cut[shards]);
    }
    struct shard_range one = {1 + shards / 2, shards, 0, 0};
    cr_assert_eq(shard_range_cut(&one, costs), 0);
    cr_assert(one.begin == cut[one.shard - 1] && one.end == cut[one.shard]);
    regret_free(cut);
}

Test(shards, ranges_tile_and_are_even)
{
    for (uint64_t trial = 0; trial < 200; trial++) {
        struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, trial);
        uint64_t before[MOST_CELLS + 1] = {0};
        size_t cells = 1 + regret_rng_below(&rng, trial % 3 == 0 ? 5 : MOST_CELLS);
        /* Nearly equal costs, or far from it, up to the dearest there are. */
        uint64_t spread = trial % 4 == 0 ? 1 : trial % 4 == 1 ? 50 : CELL_COST_MOST;
        for (size_t c = 0; c < cells; c++) {
            uint64_t one = 1 + regret_rng_below(&rng, (uint32_t)spread);
            before[c + 1] = before[c] + (trial % 4 == 3 && one > 1000 ? 1 : one);
        }
        const size_t seeds = 1 + regret_rng_below(&rng, trial % 3 == 0 ? 2 : 30);
        const struct run_costs costs = {before, cells, seeds};
        size_t total = costs.cells * costs.seeds;
        for (size_t shards = 1; shards <= total; shards += 1 + shards / 3) {
            check_division(&costs, shards);
        }
        check_division(&costs, total);
    }
}

/* The largest run that a configuration can describe does not overflow. */
Test(shards, the_largest_run)
{
    const size_t cells = REGRET_MAX_CELLS;
    struct run_costs costs = {NULL, cells, REGRET_MAX_SEEDS};
    cr_assert_eq(REGRET_NEW(&costs.before, cells + 1), 0);
    for (size_t c = 0; c < cells; c++) {
        costs.before[c + 1] = costs.before[c] + CELL_COST_MOST;
    }
    struct shard_range r = {1000, 1000, 0, 0};
    shard_range_cut(&r, &costs);
    cr_assert_eq(r.end, cells * costs.seeds);
    cr_assert_eq(r.end - r.begin, cells * costs.seeds / 1000);
    run_costs_free(&costs);
}

/* Cells of a large and of a small log: shards of one seed are even in cost, not in number. */
Test(shards, dear_cells_are_shared_out)
{
    uint64_t before[9] = {0};
    for (size_t c = 0; c < 8; c++) {
        before[c + 1] = before[c] + (c < 6 ? 10 : 30);
    }
    const struct run_costs costs = {before, 8, 1};
    static const size_t ends[] = {0, 3, 6, 7, 8}; /* 30 each; 2, 4, 6, 8 would make 20 and 60 */
    size_t *cut = NULL;
    cr_assert_eq(shard_cuts(&cut, &costs, 4), 0);
    cr_assert_arr_eq(cut, ends, sizeof ends);
    regret_free(cut);
}

Test(shards, distinct_pairs)
{
    static const size_t pairs[] = {1, 2, 10, 768, 96000}, draws[] = {0, 1, 5, 200, 7000};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++) {
            double n = (double)pairs[i], expected = n * -expm1((double)draws[j] * log1p(-1.0 / n));
            expected = n == 1.0 ? (draws[j] > 0) : expected;
            double found = (double)cell_distinct(pairs[i], draws[j]);
            cr_expect(fabs(found - expected) <= 1.0 + 1e-3 * expected, "%zu of %zu: %g, not %g",
                      draws[j], pairs[i], found, expected);
        }
    }
}

/* Every machine must cut the same shards: these are whole numbers, and must only change together
 * with the program's version. */
Test(shards, costs_are_the_same_everywhere)
{
    struct run_costs costs = {0};
    cr_assert_eq(fixture_costs(&costs, NULL), 0, "%s", regret_error_message());
    cr_assert_eq(costs.cells, 2);
    cr_assert_eq(costs.before[1], FIXTURE_COST, "%llu", (unsigned long long)costs.before[1]);
    cr_assert_eq(costs.before[2], 2 * FIXTURE_COST, "beta costs nothing");
    run_costs_free(&costs);
}

/* Each key that makes replicates longer makes them dearer. */
Test(shards, costs_grow_with_the_work)
{
    static const char *const sets[] = {
        "n_obs=600",
        "n_exp=80",
        "proxy.dim=8",
        "families=[\"exp-only\"]",
        "values.folds=2",
        "cvci.lambda=[0,1]",
        "grounded.rho=[0.1,1,10,100,1000,10000,100000]",
        "features.buckets=65536",
    };
    static const int direction[] = {1, 1, 1, -1, 1, -1, 1, 0};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct run_costs costs = {0};
        cr_assert_eq(fixture_costs(&costs, sets[i]), 0, "%s", regret_error_message());
        int change = (costs.before[1] > FIXTURE_COST) - (costs.before[1] < FIXTURE_COST);
        cr_expect_eq(change, direction[i], "%s costs %llu, not %d", sets[i],
                     (unsigned long long)costs.before[1], FIXTURE_COST);
        run_costs_free(&costs);
    }
}

/* What is told is what the run then takes of a processor, within a factor. */
Test(shards, a_run_takes_about_what_was_told)
{
    enum { FACTOR = 4 };
    struct regret_run_options o = fixture_options("r");
    struct regret_run_cost cost;
    static const char *const sets[] = {"sweep.n_obs=[40,4000]", "seeds=8"};
    o.sets = sets;
    o.n_sets = 2;
    cr_assert_eq(regret_run_cost(&cost, &o), 0, "%s", regret_error_message());
    clock_t start = clock();
    fixture_run(&o);
    double spent = (double)(clock() - start) / CLOCKS_PER_SEC;
    double told = cost.setup_seconds + cost.total_seconds;
    cr_expect(told < FACTOR * spent && spent < FACTOR * told, "told %g s, took %g s", told, spent);
    cr_expect_leq(cost.shortest * (double)cost.replicates, cost.total_seconds + 1e-9);
    cr_expect_geq(cost.longest * (double)cost.replicates, cost.total_seconds - 1e-9);
}

Test(shards, a_run_is_measured_before_it_is_run)
{
    struct regret_run_options o = fixture_options("r");
    struct regret_run_cost cost;
    static const char *const sets[] = {"sweep.n_obs=[40,400,4000]"};
    size_t before = fixture_entries();
    o.sets = sets;
    o.n_sets = 1;
    o.shards = 4;
    o.threads = 2;
    cr_assert_eq(regret_run_cost(&cost, &o), 0, "%s", regret_error_message());
    cr_assert_eq(fixture_entries(), before, "nothing is written");
    cr_assert(cost.cells == 6 && cost.seeds == 3 && cost.replicates == 18);
    cr_assert_eq(cost.probed, 4, "two of the dearest cell, two of the cheapest");
    cr_assert(0.0 < cost.shortest && cost.shortest <= cost.replicate_seconds &&
              cost.replicate_seconds <= cost.longest);
    cr_assert_float_eq(cost.replicate_seconds * 18.0, cost.total_seconds, 1e-9);
    cr_assert_gt(cost.shard_seconds, cost.setup_seconds + cost.total_seconds / 8.0 - 1e-9);
    cr_assert_lt(cost.shard_seconds, cost.setup_seconds + cost.total_seconds + cost.longest);
    cr_assert(cost.shard_least >= 1 && cost.shard_least <= 4 && cost.shard_most >= 5);
    cr_assert_gt(cost.row_bytes, 18 * 12 * 100.0);
    cr_assert_geq(cost.peak_bytes, cost.setup_bytes);
    o.shards = 19;
    cr_assert_eq(regret_run_cost(&cost, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "there are 18 replicates to share out"));
}
