/* The order of outputs: by context, agent, draw. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "pool/files/check.h"
#include "regret/alloc.h"

struct sort_key {
    uint32_t context, agent, draw;
    uint32_t position; /* before sorting: fits, since REGRET_POOL_MAX_OUTPUTS does */
};

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_keys(const void *left, const void *right)
{
    const struct sort_key *a = left, *b = right;
    int c = compare(a->context, b->context);
    c = c != 0 ? c : compare(a->agent, b->agent);
    c = c != 0 ? c : compare(a->draw, b->draw);
    return c != 0 ? c : compare(a->position, b->position);
}

static struct sort_key key_of(const struct regret_pool *pool, size_t i)
{
    const struct regret_output *o = &pool->outputs[i];
    return (struct sort_key){o->context, o->agent, o->draw, (uint32_t)i};
}

static int is_sorted(const struct regret_pool *pool)
{
    for (size_t i = 1; i < pool->n_outputs; i++) {
        struct sort_key a = key_of(pool, i - 1), b = key_of(pool, i);
        if (compare_keys(&a, &b) > 0) {
            return 0;
        }
    }
    return 1;
}

int pool_sort_outputs(struct regret_pool *pool, struct pool_origin *origin)
{
    size_t n = pool->n_outputs;
    FREED struct sort_key *keys = NULL;
    FREED struct regret_output *outputs = NULL;
    FREED size_t *lines = NULL;
    if (is_sorted(pool)) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&keys, n));
    TRY(REGRET_NEW(&outputs, n));
    TRY(REGRET_NEW(&lines, origin != NULL ? n : 0));
    for (size_t i = 0; i < n; i++) {
        keys[i] = key_of(pool, i);
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    for (size_t i = 0; i < n; i++) {
        outputs[i] = pool->outputs[keys[i].position];
    }
    memcpy(pool->outputs, outputs, n * sizeof *outputs);
    if (origin != NULL) {
        for (size_t i = 0; i < n; i++) {
            lines[i] = origin->output_lines[keys[i].position];
        }
        memcpy(origin->output_lines, lines, n * sizeof *lines);
    }
    return REGRET_OK;
}

/* Names context, agent and draw of output i; then what is wrong, then the place in the file. */
static int order_error(const struct regret_pool *pool, const struct pool_origin *origin, size_t i,
                       const char *problem)
{
    const struct regret_output *o = &pool->outputs[i];
    const char *context = pool->contexts[o->context].id, *agent = pool->agents[o->agent].id;
    int rc = regret_fail(REGRET_E_INPUT, "context \"%s\", agent \"%s\", draw %u %s", context, agent,
                         (unsigned)o->draw, problem);
    if (origin == NULL) {
        return regret_fail_prefix(rc, "pool \"%s\"", pool->name);
    }
    return regret_fail_prefix(rc, "%s:%zu", origin->outputs, origin->output_lines[i]);
}

static int twice(const struct regret_pool *pool, const struct pool_origin *origin, size_t i)
{
    if (origin == NULL) {
        return order_error(pool, origin, i, "is given twice; remove one or number the draws");
    }
    char problem[96];
    snprintf(problem, sizeof problem,
             "is given twice, first on line %zu; remove one or number the draws",
             origin->output_lines[i - 1]);
    return order_error(pool, origin, i, problem);
}

int pool_check_order(const struct regret_pool *pool, const struct pool_origin *origin)
{
    for (size_t i = 0; i < pool->n_outputs; i++) {
        struct sort_key a = key_of(pool, i > 0 ? i - 1 : 0), b = key_of(pool, i);
        int same_pair = i > 0 && a.context == b.context && a.agent == b.agent;
        if (same_pair && a.draw == b.draw) {
            return twice(pool, origin, i);
        }
        if (i > 0 && compare_keys(&a, &b) > 0) {
            return order_error(pool, origin, i,
                               "is out of order; call regret_pool_check() first, which sorts");
        }
        uint32_t expected = same_pair ? a.draw + 1 : 0;
        if (b.draw != expected) {
            return order_error(pool, origin, i,
                               "leaves a gap; number the draws of a pair 0, 1, … without gaps");
        }
    }
    return REGRET_OK;
}
