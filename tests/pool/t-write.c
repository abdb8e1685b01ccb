#include <criterion/criterion.h>
#include <string.h>

#include "left_over.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(pool_write, .fini = sample_cleanup);

static void same_file(const char *a, const char *b)
{
    char *left = NULL, *right = NULL;
    size_t n = 0, m = 0;
    cr_assert_eq(regret_file_read(&left, &n, sample_path(a), 1 << 30), 0);
    cr_assert_eq(regret_file_read(&right, &m, sample_path(b), 1 << 30), 0);
    cr_assert_eq(n, m, "%s and %s differ in length", a, b);
    cr_assert_eq(memcmp(left, right, n), 0, "%s and %s differ", a, b);
    regret_free(left);
    regret_free(right);
}

static void same_pool(const struct regret_pool *a, const struct regret_pool *b)
{
    cr_assert_str_eq(a->title, b->title);
    cr_assert_eq(a->synthetic, b->synthetic);
    cr_assert_eq(a->n_agents, b->n_agents);
    cr_assert_eq(a->n_segments, b->n_segments);
    cr_assert_eq(a->n_outputs, b->n_outputs);
    for (size_t i = 0; i < a->n_agents; i++) {
        cr_assert_str_eq(a->agents[i].title, b->agents[i].title);
        cr_assert_eq(a->agents[i].cost, b->agents[i].cost);
    }
    for (size_t s = 0; s < a->n_segments; s++) {
        cr_assert_str_eq(a->segments[s].name, b->segments[s].name);
        cr_assert_eq(memcmp(a->segments[s].weights, b->segments[s].weights,
                            a->n_components * sizeof(double)),
                     0);
    }
    for (size_t i = 0; i < a->n_outputs; i++) {
        const struct regret_output *o = &a->outputs[i], *p = &b->outputs[i];
        cr_assert(o->context == p->context && o->agent == p->agent && o->draw == p->draw);
        cr_assert_str_eq(o->text, p->text);
        cr_assert_eq(memcmp(o->values, p->values, 6 * sizeof(double)), 0);
    }
}

Test(pool_write, reading_and_writing_again_gives_the_same_bytes)
{
    for (unsigned long seed = 0; seed < 10; seed++) {
        struct sample_shape shape = {7, 3, 2, 0.2, 7, seed};
        struct regret_pool *pool = sample_pool(&shape), *again = NULL, *third = NULL;
        cr_assert_eq(regret_pool_write(pool, sample_path("a"), "# A card\n", 1), 0, "%s",
                     regret_error_message());
        cr_assert_eq(regret_pool_read(&again, sample_path("a")), 0, "%s", regret_error_message());
        same_pool(pool, again);
        cr_assert_eq(regret_pool_write(again, sample_path("b"), NULL, 1), 0);
        same_file("a/pool.json", "b/pool.json");
        same_file("a/contexts.jsonl", "b/contexts.jsonl");
        same_file("a/outputs.jsonl", "b/outputs.jsonl");
        cr_assert(regret_file_exists(sample_path("a/README.md")));
        cr_assert_not(regret_file_exists(sample_path("b/README.md")));
        cr_assert_eq(regret_pool_read(&third, sample_path("b")), 0);
        cr_assert_eq(strlen(again->digest), 32);
        cr_assert_str_eq(again->digest, third->digest);
        cr_assert_str_eq(pool->digest, "");
        regret_pool_free(pool);
        regret_pool_free(again);
        regret_pool_free(third);
    }
}

Test(pool_write, outputs_larger_than_the_buffer_are_written_whole)
{
    struct sample_shape shape = {3, 2, 1, 0.0, 4, 1};
    struct regret_pool *pool = sample_pool(&shape), *again = NULL;
    size_t big = 3 << 20;
    for (size_t i = 0; i < pool->n_outputs; i += 2) {
        regret_free(pool->outputs[i].text);
        pool->outputs[i].text = NULL;
        cr_assert_eq(regret_calloc((void **)&pool->outputs[i].text, big + 1, 1, "text"), 0);
        memset(pool->outputs[i].text, 'a' + (int)i, big);
    }
    cr_assert_eq(regret_pool_write(pool, sample_path("a"), NULL, 0), 0);
    cr_assert_eq(regret_pool_read(&again, sample_path("a")), 0, "%s", regret_error_message());
    same_pool(pool, again);
    regret_pool_free(pool);
    regret_pool_free(again);
}

Test(pool_write, what_stands_there_is_kept_unless_it_is_a_pool)
{
    struct sample_shape shape = {2, 2, 1, 0.0, 4, 1};
    struct regret_pool *pool = sample_pool(&shape);
    cr_assert_eq(regret_pool_write(pool, sample_path("a"), NULL, 0), 0);
    cr_assert_eq(regret_pool_write(pool, sample_path("a"), NULL, 0), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "exists already"));
    cr_assert_eq(regret_pool_write(pool, sample_path("a"), NULL, 1), 0);
    cr_assert_eq(regret_folder_create(sample_path("mine")), 0);
    sample_write("mine/thesis.tex", "years of work");
    cr_assert_eq(regret_pool_write(pool, sample_path("mine"), NULL, 1), REGRET_E_INPUT);
    cr_assert(regret_file_exists(sample_path("mine/thesis.tex")));
    regret_pool_free(pool);
}

Test(pool_write, what_the_reader_would_refuse_is_not_written)
{
    struct sample_shape shape = {2, 2, 1, 0.0, 4, 1};
    struct regret_pool *pool = sample_pool(&shape);
    pool->outputs[2].values[1] = 7;
    cr_assert_eq(regret_pool_write(pool, sample_path("a"), NULL, 0), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "output 2: component \"coverage\" is 7"),
                       "%s", regret_error_message());
    pool->outputs[2].values[1] = 2;
    pool->outputs[2].context = 0;
    cr_assert_eq(regret_pool_write(pool, sample_path("a"), NULL, 0), REGRET_E_INPUT);
    cr_assert_not(regret_file_exists(sample_path("a")));
    cr_assert_eq(left_over(sample_folder()), 0);
    regret_pool_free(pool);
}
