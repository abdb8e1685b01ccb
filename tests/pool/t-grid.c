#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/status.h"
#include "regret/task.h"

/* The number of draws of a pair, by looking at every output. */
static size_t draws_of(const struct regret_pool *pool, size_t x, size_t a)
{
    size_t n = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        n += pool->outputs[i].context == x && pool->outputs[i].agent == a;
    }
    return n;
}

struct naive {
    int contexts[64], agents[64]; /* kept flags */
    size_t n_contexts, n_agents;
    size_t chosen[64]; /* the contexts of the grid */
    size_t n_chosen;
    double difficulty[64];
};

static double share_missing(const struct naive *n, const struct regret_pool *pool, int context,
                            size_t i)
{
    size_t missing = 0, all = context ? pool->n_agents : pool->n_contexts, kept = 0;
    for (size_t j = 0; j < all; j++) {
        if (context ? n->agents[j] : n->contexts[j]) {
            kept++;
            missing += context ? draws_of(pool, i, j) == 0 : draws_of(pool, j, i) == 0;
        }
    }
    return (double)missing / (double)kept;
}

/* The greedy rule as its documentation states it, counting afresh at every step. */
static void naive_greedy(struct naive *n, const struct regret_pool *pool)
{
    for (;;) {
        double worst = 0.0;
        int context = 0;
        size_t at = 0;
        for (size_t a = 0; a < pool->n_agents; a++) {
            if (n->agents[a] && share_missing(n, pool, 0, a) > worst) {
                worst = share_missing(n, pool, 0, a);
                at = a;
            }
        }
        for (size_t x = pool->n_contexts; x-- > 0;) {
            if (n->contexts[x] && share_missing(n, pool, 1, x) >= worst) {
                worst = share_missing(n, pool, 1, x);
                at = x;
                context = 1;
            }
        }
        if (worst == 0.0) {
            return;
        }
        if (context) {
            n->contexts[at] = 0;
            n->n_contexts--;
        } else {
            n->agents[at] = 0;
            n->n_agents--;
        }
    }
}

static double naive_difficulty(const struct naive *n, const struct regret_pool *pool, size_t x)
{
    double sum = 0.0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (o->context != x || !n->agents[o->agent]) {
            continue;
        }
        double q = 0.0;
        for (size_t k = 0; k < pool->n_components; k++) {
            const struct regret_component *c = &pool->components[k];
            q += (o->values[k] - c->low) / (c->high - c->low) / (double)pool->n_components;
        }
        sum += q / (double)draws_of(pool, x, o->agent) / (double)n->n_agents;
    }
    return 1.0 - sum;
}

/* Takes the hardest context again and again. Sums of different order differ in the last bits, so
 * what is within 1e-12 counts as a tie. */
static void naive_choose(struct naive *n, const struct regret_pool *pool, size_t hard)
{
    int taken[64] = {0};
    size_t want = hard == 0 ? n->n_contexts : hard;
    for (size_t i = 0; i < want; i++) {
        size_t best = pool->n_contexts;
        for (size_t x = 0; x < pool->n_contexts; x++) {
            if (n->contexts[x] && !taken[x] &&
                (best == pool->n_contexts || n->difficulty[x] > n->difficulty[best] + 1e-12)) {
                best = x;
            }
        }
        taken[best] = 1;
    }
    for (size_t x = 0; x < pool->n_contexts; x++) {
        if (taken[x]) {
            n->chosen[n->n_chosen++] = x;
        }
    }
}

static void naive_cut(struct naive *n, const struct regret_pool *pool,
                      const struct regret_grid_options *o)
{
    memset(n, 0, sizeof *n);
    for (size_t i = 0; i < 64; i++) {
        n->contexts[i] = i < pool->n_contexts;
        n->agents[i] = i < pool->n_agents;
    }
    n->n_contexts = pool->n_contexts;
    n->n_agents = pool->n_agents;
    if (o->policy == REGRET_GRID_COMPLETE) {
        naive_greedy(n, pool);
    }
    for (size_t x = 0; x < pool->n_contexts; x++) {
        n->difficulty[x] = naive_difficulty(n, pool, x);
    }
    naive_choose(n, pool, o->hard_contexts > n->n_contexts ? 0 : o->hard_contexts);
}

static void compare_pairs(const struct regret_grid *grid, const struct regret_pool *pool)
{
    size_t imputed = 0, fewest = SIZE_MAX;
    for (size_t x = 0; x < grid->n_contexts; x++) {
        for (size_t a = 0; a < grid->n_agents; a++) {
            size_t draws = draws_of(pool, grid->contexts[x], grid->agents[a]);
            fewest = draws > 0 && draws < fewest ? draws : fewest;
            size_t first = regret_grid_first(grid, x * grid->n_agents + a);
            size_t end = regret_grid_first(grid, x * grid->n_agents + a + 1);
            cr_assert_eq(end - first, draws > 0 ? draws : grid->n_draws);
            for (size_t pair = first; pair < end; pair++) {
                const struct regret_output *o = grid->outputs[pair];
                cr_assert_eq(o == NULL, draws == 0);
                imputed += o == NULL;
                if (o == NULL) {
                    cr_assert_str_eq(regret_grid_output_text(grid, pair), "");
                    cr_assert_eq(regret_grid_quality(grid, pair, 1), 0.0);
                    cr_assert_eq(regret_grid_count(grid, pair, 0), 0.0);
                    cr_assert_eq(regret_grid_aux(grid, pair, 1), 0.0);
                    continue;
                }
                cr_assert_eq(o->context, grid->contexts[x]);
                cr_assert_eq(o->agent, grid->agents[a]);
                cr_assert_eq(o->draw, pair - first);
                cr_assert_eq(regret_grid_quality(grid, pair, 1), (o->values[1] - 1) / 4);
                cr_assert_eq(regret_grid_count(grid, pair, 0), o->values[3]);
                cr_assert_eq(regret_grid_aux(grid, pair, 1), o->values[5]);
                cr_assert_str_eq(regret_grid_output_text(grid, pair), o->text);
            }
        }
        cr_assert_eq(regret_grid_context_text(grid, x), pool->contexts[grid->contexts[x]].text);
    }
    cr_assert_eq(grid->imputed, imputed);
    cr_assert_eq(grid->n_draws, fewest == SIZE_MAX ? 1 : fewest);
}

static void compare_with_naive(const struct regret_pool *pool, const struct regret_grid_options *o)
{
    static struct naive n;
    naive_cut(&n, pool, o);
    struct regret_grid *grid = NULL;
    int rc = regret_grid_cut(&grid, pool, o);
    if (o->hard_contexts > n.n_contexts) {
        cr_assert_eq(rc, REGRET_E_INPUT);
        cr_assert_null(grid);
        return;
    }
    cr_assert_eq(rc, 0, "%s", regret_error_message());
    cr_assert_eq(grid->n_contexts, n.n_chosen);
    cr_assert_eq(grid->n_agents, n.n_agents);
    cr_assert_eq(grid->dropped_agents, pool->n_agents - n.n_agents);
    cr_assert_eq(grid->dropped_contexts, pool->n_contexts - n.n_contexts);
    for (size_t i = 0; i < grid->n_contexts; i++) {
        cr_assert_eq(grid->contexts[i], n.chosen[i]);
        cr_assert_float_eq(grid->difficulty[i], n.difficulty[n.chosen[i]], 1e-12);
    }
    for (size_t a = 0; a < grid->n_agents; a++) {
        cr_assert(n.agents[grid->agents[a]]);
    }
    compare_pairs(grid, pool);
    regret_grid_free(grid);
}

Test(pool_grid, agrees_with_the_rules_as_written)
{
    struct regret_rng r = regret_rng_at(1, REGRET_RNG_TEST, 1);
    for (unsigned long seed = 0; seed < 300; seed++) {
        /* 1025 levels: qualities are multiples of 2^-10, so that ties are exact ties or none. */
        struct sample_shape shape = {
            1 + regret_rng_below(&r, 14),       1 + regret_rng_below(&r, 7),
            1 + regret_rng_below(&r, 3),        (double)regret_rng_below(&r, 10) / 10,
            regret_rng_below(&r, 2) ? 3 : 1025, seed};
        struct regret_pool *pool = sample_pool(&shape);
        struct regret_grid_options o = {regret_rng_below(&r, 2) ? REGRET_GRID_COMPLETE
                                                                : REGRET_GRID_IMPUTE_ZERO,
                                        regret_rng_below(&r, (uint32_t)shape.contexts + 2), 0};
        compare_with_naive(pool, &o);
        regret_pool_free(pool);
    }
}

Test(pool_grid, a_complete_pool_is_kept_whole_by_every_policy)
{
    struct sample_shape shape = {6, 4, 2, 0.0, 6, 3};
    struct regret_pool *pool = sample_pool(&shape);
    for (int policy = REGRET_GRID_FAIL; policy <= REGRET_GRID_IMPUTE_ZERO; policy++) {
        struct regret_grid *grid = NULL;
        struct regret_grid_options o = {(enum regret_grid_policy)policy, 0, 0};
        cr_assert_eq(regret_grid_cut(&grid, pool, &o), 0, "%s", regret_error_message());
        cr_assert_eq(grid->n_contexts, 6);
        cr_assert_eq(grid->n_agents, 4);
        cr_assert_eq(grid->imputed + grid->dropped_agents + grid->dropped_contexts, 0);
        regret_grid_free(grid);
    }
    regret_pool_free(pool);
}

Test(pool_grid, what_cannot_be_cut_is_named)
{
    struct sample_shape shape = {5, 3, 1, 0.0, 6, 4};
    struct regret_pool *pool = sample_pool(&shape);
    struct regret_output gone = pool->outputs[7]; /* context 2, agent 1 */
    memmove(pool->outputs + 7, pool->outputs + 8, 7 * sizeof gone);
    pool->n_outputs--;
    regret_free(gone.text);
    regret_free(gone.values);
    struct regret_grid *grid = NULL;
    struct regret_grid_options o = {REGRET_GRID_FAIL, 0, 0};
    cr_assert_eq(regret_grid_cut(&grid, pool, &o), REGRET_E_INPUT);
    cr_assert_not_null(
        strstr(regret_error_message(), "no output of agent \"agent-1\" on context \"c2\" (1 of 15"),
        "%s", regret_error_message());
    o = (struct regret_grid_options){REGRET_GRID_COMPLETE, 5, 0};
    cr_assert_eq(regret_grid_cut(&grid, pool, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "5 hard contexts are asked for, but the grid "
                                                      "of pool \"sample\" has 4"),
                       "%s", regret_error_message());
    o = (struct regret_grid_options){(enum regret_grid_policy)17, 0, 0};
    cr_assert_eq(regret_grid_cut(&grid, pool, &o), REGRET_E_INPUT);
    struct regret_output first = pool->outputs[0];
    pool->outputs[0] = pool->outputs[1];
    pool->outputs[1] = first;
    cr_assert_eq(regret_grid_cut(&grid, pool, NULL), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "out of order; call regret_pool_check()"));
    cr_assert_null(grid);
    regret_pool_free(pool);
}

/* The rule of one million contexts must not be quadratic: half of these must be dropped. */
Test(pool_grid, large_sparse_pools_are_cut_quickly, .timeout = 20)
{
    struct sample_shape shape = {1, 2, 1, 0.0, 6, 6};
    struct regret_pool *pool = sample_pool(&shape);
    enum { N = 200000 };
    struct regret_context *contexts = calloc(N, sizeof *contexts);
    struct regret_output *outputs = calloc(2 * N, sizeof *outputs);
    size_t n = 0;
    for (uint32_t x = 0; x < N; x++) {
        contexts[x] = pool->contexts[0];
        for (uint32_t a = 0; a < 2; a++) {
            if (a == 0 || x % 2 == 1) {
                outputs[n] = pool->outputs[0];
                outputs[n].context = x;
                outputs[n++].agent = a;
            }
        }
    }
    struct regret_pool large = *pool; /* borrows everything of the small one */
    large.contexts = contexts;
    large.n_contexts = N;
    large.outputs = outputs;
    large.n_outputs = n;
    struct regret_grid *grid = NULL;
    cr_assert_eq(regret_grid_cut(&grid, &large, NULL), 0, "%s", regret_error_message());
    cr_assert_eq(grid->n_agents, 2);
    cr_assert_eq(grid->n_contexts, N / 2);
    cr_assert_eq(grid->contexts[0], 1);
    regret_grid_free(grid);
    free(contexts);
    free(outputs);
    regret_pool_free(pool);
}
