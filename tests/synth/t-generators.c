/* What every generator owes: its bytes, its errors, its committed pool. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/synth.h"
#include "synth/corpora.h"

static const struct regret_generator *g; /* the one at work */

/* Runs `check` with every generator. */
static void each(void (*check)(void))
{
    corpora_register();
    for (size_t i = 0; (g = regret_generator_at(i)) != NULL; i++) {
        check();
    }
}

#define TEST_EACH(name)                                                                            \
    static void name(void);                                                                        \
    Test(generators, name, .timeout = 300)                                                         \
    {                                                                                              \
        each(name);                                                                                \
    }                                                                                              \
    static void name(void)

static struct regret_pool *make(uint64_t seed, size_t contexts, size_t draws)
{
    const struct regret_synth_options options = {seed, contexts, draws};
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_synth_pool(&pool, g, &options), 0, "%s", regret_error_message());
    return pool;
}

static size_t n_values(const struct regret_pool *pool)
{
    return pool->n_components + pool->n_counts + pool->n_aux;
}

/* Scores, too, unless the generator changes those of whole pools. */
static void same_output(const struct regret_output *a, const struct regret_output *b,
                        const struct regret_pool *pool)
{
    size_t from = g->spread != NULL ? pool->n_components : 0, n = n_values(pool) - from;
    cr_assert(a->context == b->context && a->agent == b->agent && a->draw == b->draw);
    cr_assert_str_eq(a->text, b->text);
    cr_assert_eq(memcmp(a->values + from, b->values + from, n * sizeof(double)), 0);
}

static void output_free(struct regret_output *output)
{
    regret_free(output->text);
    regret_free(output->values);
}

TEST_EACH(what_is_made_does_not_depend_on_how_much_is_made)
{
    struct regret_pool *small = make(3, 5, 1), *large = make(3, 12, 2);
    for (size_t i = 0; i < small->n_contexts; i++) {
        cr_assert_str_eq(small->contexts[i].text, large->contexts[i].text);
    }
    for (size_t i = 0; i < small->n_outputs; i++) {
        same_output(&small->outputs[i], &large->outputs[2 * i], small);
    }
    regret_pool_free(small);
    regret_pool_free(large);
}

TEST_EACH(seeds_make_different_worlds)
{
    struct regret_pool *one = make(1, 20, 1), *two = make(2, 20, 1);
    for (size_t i = 0; i < one->n_contexts; i++) {
        cr_assert_str_neq(one->contexts[i].text, two->contexts[i].text);
    }
    regret_pool_free(one);
    regret_pool_free(two);
}

TEST_EACH(pools_obey_the_rules_of_pools)
{
    struct regret_pool *pool = make(1, 30, 2);
    cr_assert_str_eq(pool->name, g->name);
    cr_assert_eq(pool->synthetic, 1);
    cr_assert_eq(pool->n_agents, g->n_agents);
    cr_assert_eq(pool->n_outputs, 30 * 2 * g->n_agents);
    cr_assert_eq(regret_pool_check(pool), 0, "%s", regret_error_message());
    regret_pool_free(pool);
}

/* Of the redraws most differ: not all, for some agents have but one thing to say. */
TEST_EACH(outputs_are_drawn_again_and_anew)
{
    struct regret_pool *pool = make(1, 10, 1);
    struct regret_synth *synth = NULL;
    size_t same = 0;
    cr_assert_eq(regret_synth_open(&synth, g, 1), 0);
    for (size_t i = pool->n_outputs; i-- > 0;) {
        const struct regret_output *cached = &pool->outputs[i];
        struct regret_output again, other;
        cr_assert_eq(regret_synth_output(&again, synth, cached->context, cached->agent, 0), 0);
        same_output(cached, &again, pool);
        cr_assert_eq(regret_synth_output(&other, synth, cached->context, cached->agent, 9), 0);
        cr_assert_eq(other.draw, 9);
        same += strcmp(cached->text, other.text) == 0;
        output_free(&again);
        output_free(&other);
    }
    cr_assert(same * 2 < pool->n_outputs, "%zu of %zu redraws changed nothing", same,
              pool->n_outputs);
    regret_synth_close(synth);
    regret_pool_free(pool);
}

TEST_EACH(sizes_out_of_range_are_refused)
{
    static const struct regret_synth_options wrong[] = {
        {1, 0, 1}, {1, (size_t)REGRET_POOL_MAX_CONTEXTS + 1, 1}, {1, 80, 0}, {1, 80, SIZE_MAX / 4}};
    struct regret_pool *pool = NULL;
    struct regret_synth *synth = NULL;
    struct regret_output output;
    struct regret_context context;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_assert_eq(regret_synth_pool(&pool, g, &wrong[i]), REGRET_E_INPUT);
    }
    cr_assert_null(pool);
    cr_assert_eq(regret_synth_open(&synth, g, 1), 0);
    cr_assert_eq(regret_synth_output(&output, synth, 0, g->n_agents, 0), REGRET_E_INPUT);
    cr_assert_eq(regret_synth_output(&output, synth, SIZE_MAX, 0, 0), REGRET_E_INPUT);
    cr_assert_eq(regret_synth_context(&context, synth, SIZE_MAX), REGRET_E_INPUT);
    regret_synth_close(synth);
}

/* The last context, the last draw: no stream runs into another's. */
TEST_EACH(the_ends_of_the_range_work)
{
    struct regret_synth *synth = NULL;
    struct regret_output first, last;
    cr_assert_eq(regret_synth_open(&synth, g, UINT64_MAX), 0);
    cr_assert_eq(regret_synth_output(&last, synth, REGRET_POOL_MAX_CONTEXTS - 1, g->n_agents - 1,
                                     UINT32_MAX),
                 0, "%s", regret_error_message());
    cr_assert_eq(regret_synth_output(&first, synth, 0, 0, 0), 0);
    output_free(&first);
    output_free(&last);
    regret_synth_close(synth);
}

/* Runs `work` until it succeeds, with one of its allocations failing: each of the first, then one in ever more, for
 * they repeat one another, and every try does again all that came before. */
static void sweep(int (*work)(void))
{
    for (long k = 0;; k += 1 + k / 200) {
        cr_assert(k < 100000);
        regret_alloc_fail_after(k);
        int rc = work();
        regret_alloc_fail_after(-1);
        if (rc == REGRET_OK) {
            break;
        }
        cr_assert_eq(rc, REGRET_E_NOMEM, "%s at %ld: %s", g->name, k, regret_error_message());
    }
}

static int generate_one(void)
{
    const struct regret_synth_options options = {1, 1, 1};
    struct regret_pool *pool = NULL;
    int rc = regret_synth_pool(&pool, g, &options);
    cr_assert_eq(rc == REGRET_OK, pool != NULL);
    regret_pool_free(pool);
    return rc;
}

/* A context and an output on it, of an agent that does much. */
static int redraw_one(void)
{
    enum { INDEX = 11, AGENT = 5 };
    struct regret_synth *synth = NULL;
    struct regret_context context = {0};
    struct regret_output output = {0};
    int rc = regret_synth_open(&synth, g, 1);
    if (rc == REGRET_OK) {
        rc = regret_synth_context(&context, synth, INDEX);
    }
    if (rc == REGRET_OK) {
        rc = regret_synth_output(&output, synth, INDEX, AGENT, 3);
    }
    regret_free(context.id);
    regret_free(context.text);
    output_free(&output);
    regret_synth_close(synth);
    return rc;
}

static int card_one(void)
{
    const struct regret_synth_options options = REGRET_SYNTH_OPTIONS_INIT;
    char *card = NULL;
    int rc = regret_synth_card(&card, g, &options);
    regret_free(card);
    return rc;
}

TEST_EACH(failing_allocations_are_survived)
{
    sweep(generate_one);
    sweep(redraw_one);
    sweep(card_one);
}

TEST_EACH(the_card_says_what_it_is)
{
    const struct regret_synth_options options = {42, 9, 3};
    char *card = NULL, command[128], agent[64];
    snprintf(command, sizeof command, "regret pool synth %s --seed 42 --%s 9 --draws 3 -o", g->name,
             g->contexts);
    snprintf(agent, sizeof agent, "\n| `%s` |", g->agent(g->n_agents - 1).id);
    cr_assert_eq(regret_synth_card(&card, g, &options), 0);
    cr_assert_not_null(strstr(card, "SYNTHETIC"));
    cr_assert_not_null(strstr(card, command));
    cr_assert_not_null(strstr(card, agent));
    cr_assert_null(strchr(card, '@'));
    regret_free(card);
}

static size_t compare_file(const char *a, const char *b, const char *name)
{
    char *pa = NULL, *pb = NULL, *left = NULL, *right = NULL;
    size_t n = 0, m = 0;
    cr_assert_eq(regret_path_join(&pa, a, name), 0);
    cr_assert_eq(regret_path_join(&pb, b, name), 0);
    cr_assert_eq(regret_file_read(&left, &n, pa, 1 << 26), 0, "%s", regret_error_message());
    cr_assert_eq(regret_file_read(&right, &m, pb, 1 << 26), 0, "%s", regret_error_message());
    cr_assert(n == m && memcmp(left, right, n) == 0, "%s differs from what the generator makes",
              pa);
    regret_free(pa);
    regret_free(pb);
    regret_free(left);
    regret_free(right);
    return n;
}

/* Of newswire-ceiling none is committed: its texts are those of newswire-fitted. */
TEST_EACH(the_committed_pool_is_what_the_generator_makes)
{
    static const char *const files[] = {"pool.json", "contexts.jsonl", "outputs.jsonl",
                                        "README.md"};
    if (strcmp(g->name, "newswire-ceiling") == 0) {
        return;
    }
    const struct regret_synth_options options = {1, g->default_contexts, 1};
    struct regret_pool *pool = make(1, g->default_contexts, 1);
    char folder[] = "/tmp/regret-synth-XXXXXX", *made = NULL, *kept = NULL, *card = NULL;
    size_t bytes = 0;
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(regret_path_join(&made, folder, g->name), 0);
    cr_assert_eq(regret_path_join(&kept, REGRET_SOURCE_FOLDER "/data/pools", g->name), 0);
    cr_assert_eq(regret_synth_card(&card, g, &options), 0);
    cr_assert_eq(regret_pool_write(pool, made, card, 0), 0, "%s", regret_error_message());
    for (size_t i = 0; i < 4; i++) {
        bytes += compare_file(kept, made, files[i]);
    }
    cr_assert(bytes <= 5000000, "%zu bytes", bytes);
    cr_assert_eq(regret_folder_remove(folder), 0);
    regret_free(made);
    regret_free(kept);
    regret_free(card);
    regret_pool_free(pool);
}

Test(generators, are_found_by_the_names_of_their_pools)
{
    const struct regret_generator *found = NULL;
    cr_assert_eq(regret_generator_find(&found, "synth:newswire"), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "regret_generator_register"));
    corpora_register();
    for (size_t i = 0; regret_generator_at(i) != NULL; i++) {
        char pool[64];
        snprintf(pool, sizeof pool, REGRET_SYNTH_PREFIX "%s", regret_generator_at(i)->name);
        cr_assert_eq(regret_generator_find(&found, pool), 0);
        cr_assert_eq(found, regret_generator_at(i));
        const struct regret_generator namesake = *found;
        cr_assert_eq(regret_generator_register(found), 0);
        cr_assert_eq(regret_generator_register(&namesake), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), found->name));
    }
    cr_assert_eq(regret_generator_find(&found, "synth:novels"), REGRET_E_INPUT);
    cr_assert_not_null(
        strstr(regret_error_message(), "\"synth:newswire-ceiling\" and \"synth:newswire-fitted\""));
    cr_assert_eq(regret_generator_find(&found, "newswire"), REGRET_E_INPUT);
}
