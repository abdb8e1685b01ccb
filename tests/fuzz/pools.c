#include "pools.h"

#include <math.h>
#include <string.h>

#include "pool/join.h"
#include "pool/statistics.h"
#include "support.h"

struct regret_pool *fuzz_read_pool(const char *path)
{
    struct regret_pool *pool = NULL;
    REQUIRE(regret_pool_read(&pool, path) == 0);
    REQUIRE(pool != NULL && strlen(pool->digest) == 32);
    return pool;
}

static void check_values(const struct regret_pool *pool)
{
    size_t n = pool->n_components + pool->n_counts + pool->n_aux;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        REQUIRE(o->context < pool->n_contexts && o->agent < pool->n_agents && o->text != NULL);
        for (size_t k = 0; k < n; k++) {
            REQUIRE(isfinite(o->values[k]));
        }
        for (size_t k = 0; k < pool->n_components; k++) {
            double q = regret_pool_quality(pool, o, k);
            REQUIRE(q >= 0.0 && q <= 1.0);
        }
        for (size_t k = pool->n_components; k < pool->n_components + pool->n_counts; k++) {
            REQUIRE(o->values[k] >= 0.0 && o->values[k] == floor(o->values[k]));
        }
    }
}

static void check_grid(const struct regret_grid *g, const struct regret_pool *pool)
{
    size_t missing = 0;
    REQUIRE(g->n_contexts >= 1 && g->n_agents >= 1 && g->n_draws >= 1);
    REQUIRE(regret_grid_pairs(g) >= g->n_contexts * g->n_agents * g->n_draws);
    for (size_t x = 0; x < g->n_contexts; x++) {
        REQUIRE(g->contexts[x] < pool->n_contexts);
        REQUIRE(x == 0 || g->contexts[x] > g->contexts[x - 1]);
        REQUIRE(g->difficulty[x] >= -1e-12 && g->difficulty[x] <= 1.0 + 1e-12);
    }
    for (size_t p = 0; p < regret_grid_pairs(g); p++) {
        missing += g->outputs[p] == NULL;
        REQUIRE(regret_grid_output_text(g, p) != NULL);
        double q = regret_grid_quality(g, p, 0);
        REQUIRE(q >= 0.0 && q <= 1.0);
    }
    REQUIRE(missing == g->imputed);
}

/* The policy FAIL refuses just the pools from which COMPLETE drops something. */
static void check_grids(const struct regret_pool *pool)
{
    struct regret_grid *complete = NULL, *strict = NULL, *imputed = NULL;
    struct regret_grid_options o = {REGRET_GRID_COMPLETE, 0, 0};
    REQUIRE(regret_grid_cut(&complete, pool, &o) == 0);
    check_grid(complete, pool);
    REQUIRE(complete->imputed == 0);
    REQUIRE(complete->n_contexts + complete->dropped_contexts == pool->n_contexts);
    REQUIRE(complete->n_agents + complete->dropped_agents == pool->n_agents);
    o.policy = REGRET_GRID_FAIL;
    int is_whole = fuzz_taken(regret_grid_cut(&strict, pool, &o));
    REQUIRE(is_whole == (complete->dropped_contexts == 0 && complete->dropped_agents == 0));
    o.policy = REGRET_GRID_IMPUTE_ZERO;
    o.hard_contexts = (pool->n_contexts + 1) / 2;
    REQUIRE(regret_grid_cut(&imputed, pool, &o) == 0);
    check_grid(imputed, pool);
    REQUIRE(imputed->n_contexts == o.hard_contexts && imputed->n_agents == pool->n_agents);
    regret_grid_free(complete);
    regret_grid_free(strict);
    regret_grid_free(imputed);
}

static void check_statistics(const struct regret_pool *pool)
{
    struct regret_pool_stats *stats = NULL;
    REQUIRE(regret_pool_stats_make(&stats, pool) == 0);
    REQUIRE(stats->missing_pairs < stats->pairs);
    REQUIRE(stats->pairs == pool->n_contexts * pool->n_agents);
    double shares = stats->agent_share + stats->context_share + stats->interaction_share;
    REQUIRE(stats->quality_variance >= 0.0 && shares >= -1e-9 && shares <= 1.0 + 1e-9);
    for (size_t i = 0; i < pool->n_components * pool->n_components; i++) {
        REQUIRE(fabs(stats->correlation[i]) <= 1.0 + 1e-9);
    }
    for (size_t a = 0; a < pool->n_agents; a++) {
        REQUIRE(stats->agents[a].quality.low >= 0.0 && stats->agents[a].quality.high <= 1.0 + 1e-9);
    }
    regret_pool_stats_free(stats);
}

void fuzz_check_pool(struct regret_pool *pool)
{
    REQUIRE(regret_pool_check(pool) == 0);
    check_values(pool);
    check_grids(pool);
    check_statistics(pool);
}

static void same_header(const struct regret_pool *p, const struct regret_pool *q)
{
    REQUIRE(strcmp(p->name, q->name) == 0 && p->synthetic == q->synthetic);
    REQUIRE(p->n_agents == q->n_agents && p->n_components == q->n_components);
    REQUIRE(p->n_counts == q->n_counts && p->n_aux == q->n_aux);
    REQUIRE(p->n_segments == q->n_segments && p->n_contexts == q->n_contexts);
    for (size_t a = 0; a < p->n_agents; a++) {
        REQUIRE(strcmp(p->agents[a].id, q->agents[a].id) == 0);
        REQUIRE(fuzz_same_number(p->agents[a].cost, q->agents[a].cost));
    }
    for (size_t k = 0; k < p->n_components; k++) {
        const struct regret_component *a = &p->components[k], *b = &q->components[k];
        REQUIRE(strcmp(a->name, b->name) == 0 && fuzz_same_number(a->low, b->low) &&
                fuzz_same_number(a->high, b->high));
    }
    for (size_t s = 0; s < p->n_segments; s++) {
        REQUIRE(strcmp(p->segments[s].name, q->segments[s].name) == 0);
        REQUIRE(memcmp(p->segments[s].weights, q->segments[s].weights,
                       p->n_components * sizeof *p->segments[s].weights) == 0);
    }
    for (size_t x = 0; x < p->n_contexts; x++) {
        REQUIRE(strcmp(p->contexts[x].id, q->contexts[x].id) == 0);
        REQUIRE(strcmp(p->contexts[x].text, q->contexts[x].text) == 0);
        REQUIRE((p->contexts[x].tag == NULL) == (q->contexts[x].tag == NULL));
        REQUIRE(p->contexts[x].tag == NULL || strcmp(p->contexts[x].tag, q->contexts[x].tag) == 0);
    }
}

static void same_outputs(const struct regret_pool *p, const struct regret_pool *q)
{
    size_t n = p->n_components + p->n_counts + p->n_aux;
    REQUIRE(p->n_outputs == q->n_outputs);
    for (size_t i = 0; i < p->n_outputs; i++) {
        const struct regret_output *a = &p->outputs[i], *b = &q->outputs[i];
        REQUIRE(a->context == b->context && a->agent == b->agent && a->draw == b->draw);
        REQUIRE(strcmp(a->text, b->text) == 0);
        REQUIRE(memcmp(a->values, b->values, n * sizeof *a->values) == 0);
    }
}

/* A pool joined with itself is itself, to the byte. Takes what `more` holds. */
static void same_joined(struct regret_pool *pool, struct regret_pool *more)
{
    const char *joined = fuzz_path("joined");
    char before[33];
    memcpy(before, pool->digest, sizeof before);
    REQUIRE(regret_pool_join(NULL, pool, more, NULL) == 0);
    REQUIRE(regret_pool_write(pool, joined, NULL, 1) == 0);
    struct regret_pool *back = fuzz_read_pool(joined);
    REQUIRE(strcmp(back->digest, before) == 0);
    regret_pool_free(back);
}

void fuzz_check_pool_again(const struct regret_pool *pool)
{
    const char *once = fuzz_path("once"), *twice = fuzz_path("twice");
    REQUIRE(regret_pool_write(pool, once, NULL, 1) == 0);
    struct regret_pool *back = fuzz_read_pool(once);
    same_header(pool, back);
    same_outputs(pool, back);
    REQUIRE(regret_pool_write(back, twice, NULL, 1) == 0);
    struct regret_pool *last = fuzz_read_pool(twice);
    REQUIRE(strcmp(back->digest, last->digest) == 0);
    same_joined(back, last);
    regret_pool_free(back);
    regret_pool_free(last);
}

void fuzz_check_imported(char digest[33], const char *path, size_t contexts, size_t agents,
                         size_t outputs)
{
    struct regret_pool *pool = fuzz_read_pool(path);
    REQUIRE(pool->n_contexts == contexts && pool->n_agents == agents);
    REQUIRE(pool->n_outputs == outputs);
    memcpy(digest, pool->digest, sizeof pool->digest);
    check_values(pool);
    check_grids(pool);
    regret_pool_free(pool);
}
