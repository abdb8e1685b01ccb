/* The pool and the simulator: bytes, sizes, ranges, balance. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/newswire.h"

static struct regret_pool *make(uint64_t seed, size_t articles, size_t draws)
{
    struct regret_newswire_options options = {seed, articles, draws};
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_newswire_generate(&pool, &options), 0, "%s", regret_error_message());
    return pool;
}

static void same_output(const struct regret_output *a, const struct regret_output *b)
{
    cr_assert(a->context == b->context && a->agent == b->agent && a->draw == b->draw);
    cr_assert_str_eq(a->text, b->text);
    cr_assert_eq(memcmp(a->values, b->values, 15 * sizeof(double)), 0);
}

static void output_free(struct regret_output *output)
{
    regret_free(output->text);
    regret_free(output->values);
}

static double quality(const struct regret_output *o)
{
    return (o->values[0] + o->values[1] + o->values[2] + o->values[3]) / 20.0;
}

Test(newswire, article_and_draw_do_not_depend_on_how_many_are_made)
{
    struct regret_pool *small = make(3, 5, 1), *large = make(3, 12, 2);
    for (size_t i = 0; i < small->n_contexts; i++) {
        cr_assert_str_eq(small->contexts[i].text, large->contexts[i].text);
    }
    for (size_t i = 0; i < small->n_outputs; i++) {
        same_output(&small->outputs[i], &large->outputs[2 * i]);
    }
    regret_pool_free(small);
    regret_pool_free(large);
}

Test(newswire, seeds_make_different_worlds)
{
    struct regret_pool *one = make(1, 20, 1), *two = make(2, 20, 1);
    for (size_t i = 0; i < one->n_contexts; i++) {
        cr_assert_str_neq(one->contexts[i].text, two->contexts[i].text);
    }
    regret_pool_free(one);
    regret_pool_free(two);
}

Test(newswire, the_pool_obeys_the_rules_of_pools)
{
    struct regret_pool *pool = make(1, 30, 2);
    cr_assert_eq(pool->n_agents, 20);
    cr_assert_eq(pool->n_outputs, 30 * 20 * 2);
    cr_assert_eq(pool->synthetic, 1);
    cr_assert_eq(regret_pool_check(pool), 0, "%s", regret_error_message());
    for (size_t s = 0; s < pool->n_segments; s++) {
        for (size_t k = 0; k < pool->n_components; k++) {
            cr_assert_eq(pool->segments[s].weights[k], s == k ? 0.55 : 0.15);
        }
    }
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        for (size_t k = 0; k < 4; k++) {
            cr_assert(o->values[k] >= 0 && o->values[k] <= 5 &&
                      o->values[k] == (double)(int)o->values[k]);
        }
        cr_assert(o->values[4] >= 0 && o->values[4] == (double)(int)o->values[4]);
        cr_assert(strlen(o->text) > 20);
    }
    regret_pool_free(pool);
}

static size_t words(const char *text)
{
    size_t n = 0;
    for (const char *at = text; *at != '\0';) {
        at += strspn(at, " \n");
        n += *at != '\0';
        at += strcspn(at, " \n");
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

Test(newswire, ten_thousand_articles_differ_and_have_the_length_of_news)
{
    enum { N = 10000 };
    static uint64_t hashes[N];
    struct regret_newswire *sim = NULL;
    cr_assert_eq(regret_newswire_open(&sim, 7), 0);
    for (size_t i = 0; i < N; i++) {
        struct regret_context context;
        cr_assert_eq(regret_newswire_article(sim, i, &context), 0);
        size_t n = words(context.text);
        cr_assert(n >= 200 && n <= 600, "%s has %zu words", context.id, n);
        /* Not the dateline: the same story on another day would be a duplicate. */
        const char *body = strstr(context.text, "\xE2\x80\x94");
        cr_assert_not_null(body);
        hashes[i] = regret_hash64(body, strlen(body));
        regret_free(context.id);
        regret_free(context.text);
    }
    qsort(hashes, N, sizeof hashes[0], by_value);
    for (size_t i = 1; i < N; i++) {
        cr_assert_neq(hashes[i - 1], hashes[i]);
    }
    regret_newswire_close(sim);
}

Test(newswire, the_simulator_redraws_the_cache_and_more)
{
    struct regret_pool *pool = make(1, 10, 1);
    struct regret_newswire *sim = NULL;
    size_t same = 0, abstractive = 0;
    cr_assert_eq(regret_newswire_open(&sim, 1), 0);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *cached = &pool->outputs[i];
        struct regret_output again, other;
        cr_assert_eq(regret_newswire_redraw(sim, cached->context, cached->agent, 0, &again), 0);
        same_output(cached, &again);
        cr_assert_eq(regret_newswire_redraw(sim, cached->context, cached->agent, 9, &other), 0);
        cr_assert_eq(other.draw, 9);
        if (cached->agent >= 16) {
            cr_assert_str_eq(cached->text, other.text);
        } else {
            same += strcmp(cached->text, other.text) == 0;
        }
        abstractive += cached->agent < 16;
        output_free(&again);
        output_free(&other);
    }
    cr_assert(same * 50 < abstractive, "%zu of %zu redraws changed nothing", same, abstractive);
    regret_newswire_close(sim);
    regret_pool_free(pool);
}

Test(newswire, no_agent_wins_everywhere_and_scores_use_their_range)
{
    struct regret_pool *pool = make(1, 80, 1);
    size_t wins[20] = {0}, seen[4][6] = {{0}};
    double total = 0.0;
    for (size_t x = 0; x < pool->n_contexts; x++) {
        size_t best = 0;
        for (size_t a = 0; a < 20; a++) {
            const struct regret_output *o = &pool->outputs[x * 20 + a];
            best = quality(o) > quality(&pool->outputs[x * 20 + best]) ? a : best;
            total += quality(o);
            for (size_t k = 0; k < 4; k++) {
                seen[k][(int)o->values[k]]++;
            }
        }
        wins[best]++;
    }
    for (size_t a = 0; a < 20; a++) {
        cr_assert(wins[a] <= 28, "%s wins %zu of 80", pool->agents[a].id, wins[a]);
    }
    for (size_t k = 0; k < 4; k++) {
        for (size_t score = 0; score <= 5; score++) {
            cr_assert(seen[k][score] > 0, "%s is never %zu", pool->components[k].name, score);
        }
    }
    double mean = total / (double)pool->n_outputs;
    cr_assert(mean > 0.55 && mean < 0.75, "mean quality %g", mean);
    regret_pool_free(pool);
}

Test(newswire, a_summary_without_claims_has_no_number_of_its_own)
{
    struct regret_pool *pool = make(5, 60, 1);
    size_t checked = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (o->values[4] > 0 || strstr(pool->agents[o->agent].id, "plain") != NULL) {
            continue; /* plain language rounds */
        }
        cr_assert_eq(o->values[5 + 5], 0.0, "%s: %s", pool->agents[o->agent].id, o->text);
        checked++;
    }
    cr_assert(checked > 400);
    regret_pool_free(pool);
}

Test(newswire, options_out_of_range_are_refused)
{
    struct regret_newswire_options options = REGRET_NEWSWIRE_OPTIONS_INIT;
    struct regret_pool *pool = NULL;
    struct regret_newswire *sim = NULL;
    struct regret_output output;
    struct regret_context context;
    options.articles = 0;
    cr_assert_eq(regret_newswire_generate(&pool, &options), REGRET_E_INPUT);
    options.articles = (size_t)REGRET_POOL_MAX_CONTEXTS + 1;
    cr_assert_eq(regret_newswire_generate(&pool, &options), REGRET_E_INPUT);
    options.articles = 80;
    options.draws = 0;
    cr_assert_eq(regret_newswire_generate(&pool, &options), REGRET_E_INPUT);
    options.draws = SIZE_MAX / 4;
    cr_assert_eq(regret_newswire_generate(&pool, &options), REGRET_E_INPUT);
    cr_assert_null(pool);
    cr_assert_eq(regret_newswire_open(&sim, 1), 0);
    cr_assert_eq(regret_newswire_redraw(sim, 0, 20, 0, &output), REGRET_E_INPUT);
    cr_assert_eq(regret_newswire_redraw(sim, SIZE_MAX, 0, 0, &output), REGRET_E_INPUT);
    cr_assert_eq(regret_newswire_article(sim, SIZE_MAX, &context), REGRET_E_INPUT);
    regret_newswire_close(sim);
}

/* Runs `work` with the k-th allocation failing, for every k until it succeeds. */
static void sweep(int (*work)(void))
{
    for (long k = 0;; k++) {
        cr_assert(k < 100000);
        regret_alloc_fail_after(k);
        int status = work();
        regret_alloc_fail_after(-1);
        if (status == REGRET_OK) {
            break;
        }
        cr_assert_eq(status, REGRET_E_NOMEM);
    }
}

static int generate_one(void)
{
    struct regret_newswire_options options = {1, 1, 1};
    struct regret_pool *pool = NULL;
    int status = regret_newswire_generate(&pool, &options);
    cr_assert_eq(status == REGRET_OK, pool != NULL);
    regret_pool_free(pool);
    return status;
}

static int simulate_one(void)
{
    struct regret_newswire *sim = NULL;
    struct regret_context context = {0};
    struct regret_output output = {0};
    int status = regret_newswire_open(&sim, 1);
    if (status == REGRET_OK) {
        status = regret_newswire_article(sim, 2, &context);
    }
    if (status == REGRET_OK) {
        status = regret_newswire_redraw(sim, 2, 1, 3, &output);
    }
    regret_free(context.id);
    regret_free(context.text);
    output_free(&output);
    regret_newswire_close(sim);
    return status;
}

static int card_one(void)
{
    char *card = NULL;
    int status = regret_newswire_card(&card, NULL);
    regret_free(card);
    return status;
}

Test(newswire, survives_every_failing_allocation)
{
    sweep(generate_one);
    sweep(simulate_one);
    sweep(card_one);
}

Test(newswire, the_card_says_what_it_is)
{
    struct regret_newswire_options options = {42, 9, 3};
    char *card = NULL;
    cr_assert_eq(regret_newswire_card(&card, &options), 0);
    cr_assert_not_null(strstr(card, "SYNTHETIC"));
    cr_assert_not_null(strstr(card, "--seed 42 --articles 9 --draws 3"));
    cr_assert_not_null(strstr(card, "`sumbasic`"));
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

Test(newswire, the_committed_pool_is_what_the_generator_makes)
{
    static const char *const files[] = {"pool.json", "contexts.jsonl", "outputs.jsonl",
                                        "README.md"};
    char folder[] = "/tmp/regret-newswire-XXXXXX", *path = NULL, *card = NULL;
    struct regret_pool *pool = make(1, 80, 1);
    size_t bytes = 0;
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(regret_path_join(&path, folder, "newswire"), 0);
    cr_assert_eq(regret_newswire_card(&card, NULL), 0);
    cr_assert_eq(regret_pool_write(pool, path, card, 0), 0, "%s", regret_error_message());
    for (size_t i = 0; i < 4; i++) {
        bytes += compare_file(REGRET_SOURCE_FOLDER "/data/pools/newswire", path, files[i]);
    }
    cr_assert(bytes <= 5000000, "%zu bytes", bytes);
    cr_assert_eq(regret_folder_remove(folder), 0);
    regret_free(path);
    regret_free(card);
    regret_pool_free(pool);
}
