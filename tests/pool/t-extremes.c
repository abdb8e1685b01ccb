/* Outputs far outside the quartiles, against a count by hand. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "pool/sample.h"
#include "pool/statistics.h"
#include "regret/status.h"

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quartiles by definition 7 for 4·m + 1 numbers are order statistics. */
static void check(const struct regret_pool_extreme *e, const struct regret_pool *pool,
                  const double *value)
{
    size_t n = pool->n_outputs, outputs = 0, contexts = 0;
    double sorted[200], q[2];
    memcpy(sorted, value, n * sizeof *value);
    qsort(sorted, n, sizeof *sorted, by_size);
    q[0] = sorted[(n - 1) / 4];
    q[1] = sorted[3 * ((n - 1) / 4)];
    for (size_t x = 0; x < pool->n_contexts; x++) {
        size_t before = outputs;
        for (size_t i = 0; i < n; i++) {
            outputs += pool->outputs[i].context == x && (value[i] > q[1] + 10 * (q[1] - q[0]) ||
                                                         value[i] < q[0] - 10 * (q[1] - q[0]));
        }
        contexts += outputs > before;
    }
    cr_assert(e->quartile[0] == q[0] && e->quartile[1] == q[1]);
    cr_assert(e->outputs == outputs && e->contexts == contexts, "%zu of %zu", outputs, contexts);
    cr_assert_eq(e->value, value[e->output]);
}

Test(pool_extremes, agree_with_a_count_by_hand)
{
    struct sample_shape shape = {11, 11, 1, 0.0, 6, 3}; /* 121 outputs */
    struct regret_pool *pool = sample_pool(&shape);
    struct regret_pool_extreme *e = NULL;
    double value[200];
    size_t n = 9;
    cr_assert_eq(regret_pool_extremes(&e, &n, pool), 0);
    for (size_t i = 0; i < n; i++) {
        cr_assert_neq(e[i].quantity, 2, "no aux label is far out yet");
    }
    regret_free(e);
    /* The first aux label: 0, 1, 2, … and four far ones, two of them on one context. */
    for (size_t i = 0; i < pool->n_outputs; i++) {
        value[i] = i == 5 || i == 6 ? 1e6 : i == 40 ? -1e7 : i == 90 ? 1201 : (double)i;
        pool->outputs[i].values[4] = value[i];
    }
    cr_assert_eq(regret_pool_extremes(&e, &n, pool), 0);
    size_t k = 0;
    while (k < n && e[k].quantity != 2) {
        k++;
    }
    cr_assert_lt(k, n);
    check(&e[k], pool, value);
    cr_assert_eq(e[k].output, 40);
    cr_assert_eq(e[k].contexts, 3);
    cr_assert_str_eq(regret_pool_quantity_name(pool, 2), pool->aux[0]);
    cr_assert_str_eq(regret_pool_quantity_name(pool, 1), pool->counts[0]);
    cr_assert_str_eq(regret_pool_quantity_name(pool, 0), "bytes of text");
    regret_free(e);
    regret_pool_free(pool);
}

/* The length of one text; quartiles that are the same have no extremes. */
Test(pool_extremes, long_texts_and_constants)
{
    struct sample_shape shape = {5, 5, 1, 0.0, 6, 4};
    struct regret_pool *pool = sample_pool(&shape);
    struct regret_pool_extreme *e = NULL;
    size_t n = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        struct regret_output *o = &pool->outputs[i];
        size_t length = i == 7 ? 5000 : 10 + i;
        regret_free(o->text);
        cr_assert_eq(regret_calloc((void **)&o->text, length + 1, 1, "text"), 0);
        memset(o->text, 'x', length);
        o->text[length] = '\0';
        o->values[3] = i == 7 ? 1000 : 2;
        o->values[4] = o->values[5] = 0;
    }
    cr_assert_eq(regret_pool_extremes(&e, &n, pool), 0);
    cr_assert_eq(n, 1);
    cr_assert(e->quantity == 0 && e->output == 7 && e->value == 5000 && e->outputs == 1);
    regret_free(e);
    for (size_t a = 0; a < pool->n_agents; a++) { /* names of agents stand where no outputs are */
        char *id = pool->outputs[7].text + (a == 4 ? 0 : 4999 - a);
        regret_free(pool->agents[a].id);
        cr_assert_eq(regret_strdup(&pool->agents[a].id, id), 0);
    }
    for (size_t i = 0; i < pool->n_outputs; i++) {
        regret_free(pool->outputs[i].text);
        cr_assert_eq(regret_strdup(&pool->outputs[i].text, pool->agents[pool->outputs[i].agent].id),
                     0);
    }
    cr_assert_eq(regret_pool_extremes(&e, &n, pool), 0);
    cr_assert_eq(n, 0);
    regret_free(e);
    for (long k = 0; k < 3; k++) {
        regret_alloc_fail_after(k);
        cr_assert_eq(regret_pool_extremes(&e, &n, pool), REGRET_E_NOMEM);
        regret_alloc_fail_after(-1);
    }
    regret_pool_free(pool);
}
