#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/status.h"
#include "regret/task.h"

static struct regret_pool *pool;

static void setup(void)
{
    struct sample_shape shape = {4, 3, 2, 0.0, 5, 9};
    pool = sample_pool(&shape);
}

static void teardown(void)
{
    regret_pool_free(pool);
}

TestSuite(pool_check, .init = setup, .fini = teardown);

static void refused(const char *message)
{
    cr_assert_eq(regret_pool_check(pool), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                       regret_error_message(), message);
}

Test(pool_check, numbers_that_are_not_finite)
{
    pool->outputs[1].values[5] = NAN;
    refused("pool \"sample\", output 1: aux label \"novelty\" is");
    pool->outputs[1].values[5] = 0;
    pool->outputs[1].values[3] = INFINITY;
    refused("count \"unsupported_claims\" is inf");
    pool->outputs[1].values[3] = 0;
    pool->outputs[1].values[2] = NAN;
    refused("component \"tone\" is");
    pool->outputs[1].values[2] = 0;
    pool->agents[2].cost = NAN;
    refused("pool \"sample\": the cost of agent \"agent-2\"");
    pool->agents[2].cost = 0;
    pool->components[0].high = INFINITY;
    refused("the range of component \"faithfulness\"");
    pool->components[0].high = 5;
    cr_assert_eq(regret_pool_check(pool), 0, "%s", regret_error_message());
}

Test(pool_check, references_and_texts)
{
    pool->outputs[0].agent = 3;
    refused("output 0: refers to context 0 and agent 3; the pool has 4 and 3");
    pool->outputs[0].agent = 0;
    pool->contexts[1].text[0] = '\xff';
    refused("pool \"sample\", context 1: the text is not valid UTF-8 at byte 1");
    pool->contexts[1].text[0] = 'x';
    pool->outputs[0].text[0] = '\xc3';
    refused("output 0: the text is not valid UTF-8");
    pool->outputs[0].text[0] = 'o';
    pool->segments[0].weights[0] = NAN;
    refused("segment \"faithfulness\" gives component \"faithfulness\" the weight");
}

/* A stable sort by (context, agent, draw), whatever the order was. */
Test(pool_check, sorts_outputs)
{
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 0);
    size_t n = pool->n_outputs;
    const char *texts[32];
    cr_assert_leq(n, 32);
    for (size_t i = 0; i < n; i++) {
        texts[i] = pool->outputs[i].text;
    }
    for (int round = 0; round < 50; round++) {
        for (size_t i = n - 1; i > 0; i--) {
            size_t j = regret_rng_below(&r, (uint32_t)i + 1);
            struct regret_output swapped = pool->outputs[i];
            pool->outputs[i] = pool->outputs[j];
            pool->outputs[j] = swapped;
        }
        cr_assert_eq(regret_pool_check(pool), 0, "%s", regret_error_message());
        for (size_t i = 0; i < n; i++) {
            cr_assert_eq(pool->outputs[i].text, texts[i]);
        }
    }
}

Test(pool_check, default_segments)
{
    cr_assert_eq(pool->n_segments, 3);
    for (size_t s = 0; s < 3; s++) {
        for (size_t k = 0; k < 3; k++) {
            cr_assert_float_eq(pool->segments[s].weights[k], s == k ? 0.55 : 0.225, 1e-15);
        }
    }
    regret_alloc_fail_after(3);
    cr_assert_eq(regret_pool_default_segments(pool), REGRET_E_NOMEM);
    regret_alloc_fail_after(-1);
    cr_assert_eq(pool->n_segments, 3);
    cr_assert_eq(regret_pool_check(pool), 0);
    size_t three = pool->n_components;
    struct regret_pool one = {0};
    one.components = pool->components;
    one.n_components = 1;
    cr_assert_eq(regret_pool_default_segments(&one), 0);
    cr_assert_eq(one.segments[0].weights[0], 1.0);
    regret_free(one.segments[0].name);
    regret_free(one.segments[0].weights);
    regret_free(one.segments);
    cr_assert_eq(pool->n_components, three);
}
