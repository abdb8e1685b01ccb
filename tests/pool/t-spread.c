/* regret_pool_spread() against its formula read off output by output, and what must hold of it whatever the pool. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "pool/agreement.h"
#include "pool/sample.h"
#include "regret/status.h"
#include "regret/task.h"

static const struct sample_shape whole = {12, 5, 1, 0.0, 40, 3};
static const struct sample_shape holes = {14, 6, 3, 0.35, 6, 8}; /* and 1 to 3 draws a pair */

enum { N_VALUES = 6, N_COMPONENTS = 3 }; /* of the sample */

static size_t spread(struct regret_pool *pool, struct regret_spread_options o)
{
    size_t clipped = SIZE_MAX;
    cr_assert_eq(regret_pool_spread(pool, &o, &clipped), 0, "%s", regret_error_message());
    return clipped;
}

/* Scores from the middle of their ranges, so that moderate options clip nothing. */
static struct regret_pool *mild_pool(const struct sample_shape *shape)
{
    struct regret_pool *pool = sample_pool(shape);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        for (size_t k = 0; k < N_COMPONENTS; k++) {
            const struct regret_component *c = &pool->components[k];
            double q = 0.4 + 0.2 * regret_pool_quality(pool, &pool->outputs[i], k);
            pool->outputs[i].values[k] = c->low + q * (c->high - c->low);
        }
    }
    return pool;
}

/* The mean of q over the outputs of a context (or of all: SIZE_MAX), by looking at every output. */
static double context_mean(const struct regret_pool *pool, size_t x, size_t k)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        if (x == SIZE_MAX || pool->outputs[i].context == x) {
            sum += regret_pool_quality(pool, &pool->outputs[i], k);
            n++;
        }
    }
    return sum / (double)n;
}

static double agent_effect(const struct regret_pool *pool, size_t a, size_t k)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (o->agent == a) {
            sum += regret_pool_quality(pool, o, k) - context_mean(pool, o->context, k);
            n++;
        }
    }
    return sum / (double)n;
}

static double naive_noise(const struct regret_pool *pool, const struct regret_output *o, size_t k,
                          uint64_t seed)
{
    char name[256];
    snprintf(name, sizeof name, "%s\n%s\n%s\n%u", pool->contexts[o->context].id,
             pool->agents[o->agent].id, pool->components[k].name, (unsigned)o->draw);
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_SPREAD, regret_hash64(name, strlen(name)));
    return regret_rng_normal(&r);
}

static double naive(const struct regret_pool *pool, size_t i, size_t k,
                    const struct regret_spread_options *s)
{
    const struct regret_output *o = &pool->outputs[i];
    double m = context_mean(pool, SIZE_MAX, k), c = context_mean(pool, o->context, k) - m;
    double a = agent_effect(pool, o->agent, k), q = regret_pool_quality(pool, o, k);
    return m + s->contexts * c + s->within * (s->agents * a + (q - m - c - a)) +
           s->noise * naive_noise(pool, o, k, s->seed);
}

static void check_against_naive(const struct sample_shape *shape, struct regret_spread_options s)
{
    struct regret_pool *before = sample_pool(shape), *after = sample_pool(shape);
    size_t clipped = spread(after, s), beyond = 0;
    for (size_t i = 0; i < before->n_outputs; i++) {
        for (size_t k = 0; k < N_COMPONENTS; k++) {
            double q = naive(before, i, k, &s),
                   is = regret_pool_quality(after, &after->outputs[i], k);
            beyond += q < 0.0 || q > 1.0;
            cr_assert_float_eq(is, fmin(1.0, fmax(0.0, q)), 1e-13, "output %zu, score %zu", i, k);
        }
        cr_assert_arr_eq(after->outputs[i].values + N_COMPONENTS,
                         before->outputs[i].values + N_COMPONENTS,
                         (N_VALUES - N_COMPONENTS) * sizeof(double));
        cr_assert_str_eq(after->outputs[i].text, before->outputs[i].text);
    }
    cr_assert_eq(clipped, beyond);
    cr_assert_eq(regret_pool_check(after), 0, "%s", regret_error_message());
    regret_pool_free(before);
    regret_pool_free(after);
}

Test(spread, is_its_formula)
{
    static const struct regret_spread_options some[] = {{0.3, 1.0, 1.0, 0.0, 0},
                                                        {1.0, 0.4, 1.0, 0.0, 0},
                                                        {1.0, 1.0, 0.2, 0.0, 0},
                                                        {1.0, 1.0, 1.0, 0.1, 0},
                                                        {1.7, 2.3, 0.6, 0.05, 9}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        check_against_naive(&whole, some[i]);
        check_against_naive(&holes, some[i]);
    }
}

/* Not a bit moves, with whatever seed. */
Test(spread, does_nothing_by_default)
{
    struct regret_spread_options s = REGRET_SPREAD_OPTIONS_INIT;
    struct regret_pool *before = sample_pool(&holes), *after = sample_pool(&holes);
    s.seed = 77;
    cr_assert_not(regret_spread_is_on(&s));
    cr_assert_eq(spread(after, s), 0);
    for (size_t i = 0; i < before->n_outputs; i++) {
        cr_assert_arr_eq(before->outputs[i].values, after->outputs[i].values,
                         N_VALUES * sizeof(double));
    }
    regret_pool_free(before);
    regret_pool_free(after);
}

/* The mean over all outputs stays, whichever factors, where nothing is clipped. */
Test(spread, keeps_the_mean)
{
    struct regret_pool *pool = mild_pool(&holes);
    double before[N_COMPONENTS];
    for (size_t k = 0; k < N_COMPONENTS; k++) {
        before[k] = context_mean(pool, SIZE_MAX, k);
    }
    cr_assert_eq(spread(pool, (struct regret_spread_options){1.4, 0.3, 0.7, 0.0, 0}), 0);
    for (size_t k = 0; k < N_COMPONENTS; k++) {
        cr_assert_float_eq(context_mean(pool, SIZE_MAX, k), before[k], 1e-13);
    }
    regret_pool_free(pool);
}

static double added(const struct regret_pool *after, const struct regret_pool *before, size_t i,
                    size_t k)
{
    return regret_pool_quality(after, &after->outputs[i], k) -
           regret_pool_quality(before, &before->outputs[i], k);
}

/* 40 × 30 × 3 numbers: five standard errors of a mean, a variance and correlations. */
Test(spread, noise_is_normal_and_independent)
{
    const struct sample_shape shape = {40, 30, 1, 0.0, 9, 5};
    const double s = 0.02;
    struct regret_pool *before = mild_pool(&shape), *after = mild_pool(&shape);
    double sum = 0.0, square = 0.0, fourth = 0.0, components = 0.0, agents = 0.0, contexts = 0.0;
    cr_assert_eq(spread(after, (struct regret_spread_options){1.0, 1.0, 1.0, s, 4}), 0);
    for (size_t i = 0; i < before->n_outputs; i++) {
        for (size_t k = 0; k < N_COMPONENTS; k++) {
            double e = added(after, before, i, k) / s;
            sum += e;
            square += e * e;
            fourth += e * e * e * e;
            components += e * added(after, before, i, (k + 1) % N_COMPONENTS) / s;
            agents += e * added(after, before, i - i % 30 + (i + 1) % 30, k) / s;
            contexts += e * added(after, before, (i + 30) % before->n_outputs, k) / s;
        }
    }
    double n = (double)(before->n_outputs * N_COMPONENTS), five = 5.0 / sqrt(n);
    cr_assert_float_eq(sum / n, 0.0, five);
    cr_assert_float_eq(square / n, 1.0, five * sqrt(2.0));
    cr_assert_float_eq(fourth / n, 3.0, five * sqrt(96.0));
    cr_assert_float_eq(components / n, 0.0, five);
    cr_assert_float_eq(agents / n, 0.0, five);
    cr_assert_float_eq(contexts / n, 0.0, five);
    regret_pool_free(before);
    regret_pool_free(after);
}

static void swap_contexts(struct regret_pool *pool, size_t x, size_t y)
{
    struct regret_context kept = pool->contexts[x];
    pool->contexts[x] = pool->contexts[y];
    pool->contexts[y] = kept;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        uint32_t *c = &pool->outputs[i].context;
        *c = *c == x ? (uint32_t)y : *c == y ? (uint32_t)x : *c;
    }
}

/* The output of the other pool that is called the same. */
static const struct regret_output *same_named(const struct regret_pool *pool,
                                              const struct regret_pool *other, size_t i)
{
    const struct regret_output *o = &pool->outputs[i];
    for (size_t j = 0; j < other->n_outputs; j++) {
        const struct regret_output *p = &other->outputs[j];
        if (strcmp(other->contexts[p->context].id, pool->contexts[o->context].id) == 0 &&
            p->agent == o->agent && p->draw == o->draw) {
            return p;
        }
    }
    return NULL;
}

/* In another order the means differ by rounding, and the noise not at all. */
Test(spread, does_not_depend_on_the_order)
{
    const struct regret_spread_options s = {0.7, 1.2, 0.9, 0.05, 2};
    struct regret_pool *plain = sample_pool(&holes), *other = sample_pool(&holes);
    swap_contexts(other, 0, 9);
    swap_contexts(other, 4, 9);
    cr_assert_eq(regret_pool_check(other), 0);
    cr_assert_eq(spread(plain, s), spread(other, s));
    for (size_t i = 0; i < plain->n_outputs; i++) {
        const struct regret_output *o = same_named(plain, other, i);
        cr_assert_not_null(o);
        for (size_t k = 0; k < N_COMPONENTS; k++) {
            cr_assert_float_eq(o->values[k], plain->outputs[i].values[k], 1e-13);
        }
    }
    regret_pool_free(plain);
    regret_pool_free(other);
}

/* Without the last context everybody's noise is what it was. */
Test(spread, noise_does_not_depend_on_what_else_there_is)
{
    const struct regret_spread_options s = {0.0, 1.0, 1.0, 0.01, 2};
    struct regret_pool *plain = mild_pool(&whole), *fewer = mild_pool(&whole);
    size_t n = fewer->n_outputs;
    fewer->n_outputs = n - fewer->n_agents;
    spread(plain, s);
    spread(fewer, s);
    for (size_t i = 0; i < fewer->n_outputs; i++) {
        cr_assert_float_eq(fewer->outputs[i].values[2], plain->outputs[i].values[2], 1e-13);
    }
    fewer->n_outputs = n;
    regret_pool_free(plain);
    regret_pool_free(fewer);
}

Test(spread, seeds_make_other_noise)
{
    struct regret_pool *a = mild_pool(&whole), *b = mild_pool(&whole);
    size_t same = 0;
    spread(a, (struct regret_spread_options){1.0, 1.0, 1.0, 0.01, 1});
    spread(b, (struct regret_spread_options){1.0, 1.0, 1.0, 0.01, 2});
    for (size_t i = 0; i < a->n_outputs; i++) {
        same += a->outputs[i].values[0] == b->outputs[i].values[0];
    }
    cr_assert_eq(same, 0);
    regret_pool_free(a);
    regret_pool_free(b);
}

/* A pool that stays as it is, and one beside it that borrows all but the scores. */
Test(spread, of_a_copy_leaves_the_pool)
{
    const struct regret_spread_options s = {0.4, 1.0, 1.0, 0.3, 2};
    struct regret_pool *pool = sample_pool(&holes), *changed = sample_pool(&holes);
    struct regret_pool *kept = sample_pool(&holes);
    struct spread_pool *copy = NULL;
    cr_assert_eq(spread_pool_create(&copy, pool, &s), 0);
    cr_assert_eq(copy->clipped, spread(changed, s));
    cr_assert_gt(copy->clipped, 0);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        cr_assert_arr_eq(pool->outputs[i].values, kept->outputs[i].values,
                         N_VALUES * sizeof(double));
        cr_assert_arr_eq(copy->pool.outputs[i].values, changed->outputs[i].values,
                         N_VALUES * sizeof(double));
        cr_assert_eq(copy->pool.outputs[i].text, pool->outputs[i].text);
    }
    spread_pool_free(copy);
    regret_pool_free(pool);
    regret_pool_free(changed);
    regret_pool_free(kept);
}

/* Nothing, one output, scores that are all the same. */
Test(spread, of_next_to_nothing)
{
    const struct sample_shape one = {1, 1, 1, 0.0, 9, 5}, flat = {4, 3, 1, 0.0, 1, 5};
    const struct regret_spread_options wide = {3.0, 3.0, 3.0, 0.0, 0};
    const struct sample_shape *const shapes[] = {&one, &flat};
    for (size_t s = 0; s < 2; s++) {
        struct regret_pool *pool = sample_pool(shapes[s]), *before = sample_pool(shapes[s]);
        cr_assert_eq(spread(pool, wide), 0);
        for (size_t i = 0; i < pool->n_outputs; i++) {
            for (size_t k = 0; k < N_COMPONENTS; k++) {
                cr_assert_float_eq(added(pool, before, i, k), 0.0, 1e-13);
            }
        }
        size_t n = pool->n_outputs;
        pool->n_outputs = 0;
        cr_assert_eq(spread(pool, wide), 0);
        pool->n_outputs = n;
        regret_pool_free(pool);
        regret_pool_free(before);
    }
}

Test(spread, refuses_what_is_no_factor)
{
    static const struct regret_spread_options wrong[] = {{-0.1, 1.0, 1.0, 0.0, 0},
                                                         {1.0, -1.0, 1.0, 0.0, 0},
                                                         {1.0, 1.0, NAN, 0.0, 0},
                                                         {1.0, 1.0, 1.0, INFINITY, 0}};
    static const char *const names[] = {"within", "agents", "contexts", "noise"};
    struct regret_pool *pool = sample_pool(&whole);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(regret_pool_spread(pool, &wrong[i], NULL), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), names[i]), "%s", regret_error_message());
    }
    regret_pool_free(pool);
}
