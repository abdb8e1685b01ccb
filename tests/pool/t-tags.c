/* Tags of contexts: in files, in grids, in statistics; and agents of one text. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pool/grid.h"
#include "pool/sample.h"
#include "pool/statistics.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(tags, .fini = sample_cleanup);

/* A pool whose context i has the tag of TAGS[i % 4]; NULL is none. */
static const char *const TAGS[] = {"news", NULL, "tales", "news"};

static struct regret_pool *tagged(size_t contexts, unsigned long seed)
{
    struct sample_shape shape = {contexts, 3, 2, 0.0, 7, seed};
    struct regret_pool *pool = sample_pool(&shape);
    for (size_t x = 0; x < contexts; x++) {
        if (TAGS[x % 4] != NULL) {
            cr_assert_eq(regret_strdup(&pool->contexts[x].tag, TAGS[x % 4]), 0);
        }
    }
    return pool;
}

static int same_tag(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

Test(tags, are_written_and_read)
{
    struct regret_pool *pool = tagged(9, 1), *again = NULL;
    char *lines = NULL;
    cr_assert_eq(regret_pool_write(pool, sample_path("p"), NULL, 0), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_pool_read(&again, sample_path("p")), 0, "%s", regret_error_message());
    for (size_t x = 0; x < 9; x++) {
        cr_assert(same_tag(again->contexts[x].tag, TAGS[x % 4]), "context %zu", x);
    }
    cr_assert_eq(regret_pool_write(again, sample_path("q"), NULL, 0), 0);
    char a[33], b[33];
    cr_assert_eq(regret_digest_file(a, sample_path("p/contexts.jsonl")), 0);
    cr_assert_eq(regret_digest_file(b, sample_path("q/contexts.jsonl")), 0);
    cr_assert_str_eq(a, b);
    cr_assert_eq(regret_file_read(&lines, NULL, sample_path("p/contexts.jsonl"), 1 << 20), 0);
    const char *second = strchr(lines, '\n') + 1;
    cr_assert_not_null(strstr(lines, ", \"tag\": \"news\"}\n"));
    cr_assert(strstr(second, "\"tag\"") > strchr(second, '\n'), "none is not written");
    regret_free(lines);
    regret_pool_free(pool);
    regret_pool_free(again);
}

/* Tags are any text but an empty one or a long one, in files and in memory. */
Test(tags, keep_their_own_names)
{
    static const char *const OWN[] = {"two words", "a/b", "../up", " a\tb",
                                      "emoji \xf0\x9f\x98\x80"};
    struct regret_pool *pool = tagged(4, 2), *again = NULL;
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++) {
        regret_free(pool->contexts[0].tag);
        cr_assert_eq(regret_strdup(&pool->contexts[0].tag, OWN[i]), 0);
        cr_assert_eq(regret_pool_check(pool), 0, "%s", regret_error_message());
        cr_assert_eq(regret_pool_write(pool, sample_path("own"), NULL, 1), 0, "%s",
                     regret_error_message());
        cr_assert_eq(regret_pool_read(&again, sample_path("own")), 0, "%s", regret_error_message());
        cr_expect_str_eq(again->contexts[0].tag, OWN[i]);
        regret_pool_free(again);
    }
    regret_pool_free(pool);
}

Test(tags, odd_ones_are_refused)
{
    static char endless[202];
    static const char *const ODD[] = {endless, "", "\xff"};
    struct regret_pool *pool = NULL;
    memset(endless, 'x', sizeof endless - 1);
    sample_hand_written();
    for (size_t i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text, "{\"id\": \"first\", \"text\": \"t\", \"tag\": \"%s\"}\n%s",
                 ODD[i], "{\"id\": \"second\", \"text\": \"t\"}\n");
        sample_write("p/contexts.jsonl", text);
        cr_assert_eq(regret_pool_read(&pool, sample_path("p")), REGRET_E_INPUT, "%s", ODD[i]);
        cr_expect_not_null(strstr(regret_error_message(), "contexts.jsonl:1"), "%s",
                           regret_error_message());
        cr_expect_not_null(strstr(regret_error_message(), "tag"), "%s", regret_error_message());
    }
    sample_write("p/contexts.jsonl", "{\"id\": \"first\", \"text\": \"t\", \"tag\": 3}\n");
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), REGRET_E_INPUT);
    pool = tagged(4, 2);
    for (size_t i = 0; i < 3; i++) {
        regret_free(pool->contexts[0].tag);
        cr_assert_eq(regret_strdup(&pool->contexts[0].tag, ODD[i]), 0);
        cr_assert_eq(regret_pool_check(pool), REGRET_E_INPUT, "%s", ODD[i]);
    }
    regret_pool_free(pool);
}

/* Of the contexts that a grid keeps, in the order in which it meets them. */
Test(tags, grids_number_those_of_their_contexts)
{
    for (unsigned long seed = 0; seed < 8; seed++) {
        struct regret_pool *pool = tagged(13, seed);
        struct regret_grid *grid = NULL;
        struct regret_grid_options o = {REGRET_GRID_COMPLETE, 1 + seed, 0};
        cr_assert_eq(regret_grid_cut(&grid, pool, &o), 0);
        size_t total = 0, highest = 0;
        for (size_t x = 0; x < grid->n_contexts; x++) {
            const char *tag = pool->contexts[grid->contexts[x]].tag;
            if (grid->n_tags > 0) {
                cr_assert(same_tag(grid->tags[grid->kind[x]].name, tag));
                cr_assert_leq(grid->kind[x], highest);
                highest += grid->kind[x] == highest;
            } else {
                cr_assert_null(tag);
            }
        }
        for (size_t i = 0; i < grid->n_tags; i++) {
            cr_assert_gt(grid->tags[i].contexts, 0);
            total += grid->tags[i].contexts;
        }
        cr_assert_eq(highest, grid->n_tags);
        cr_assert_eq(total, grid->n_tags > 0 ? grid->n_contexts : 0);
        regret_grid_free(grid);
        regret_pool_free(pool);
    }
}

Test(tags, none_at_all)
{
    struct sample_shape shape = {5, 2, 1, 0.0, 7, 3};
    struct regret_pool *pool = sample_pool(&shape);
    struct regret_grid *grid = NULL;
    cr_assert_eq(regret_grid_cut(&grid, pool, NULL), 0);
    cr_assert(grid->n_tags == 0 && grid->tags == NULL && grid->kind == NULL);
    regret_grid_free(grid);
    regret_pool_free(pool);
}

Test(tags, statistics_count_them_and_name_agents_of_one_text)
{
    struct regret_pool *pool = tagged(9, 4);
    struct regret_pool_stats *s = NULL;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        if (pool->outputs[i].agent == 1) {
            regret_free(pool->outputs[i].text);
            cr_assert_eq(regret_strdup(&pool->outputs[i].text, "the same"), 0);
        }
    }
    cr_assert_eq(regret_pool_stats_make(&s, pool), 0);
    cr_assert_eq(s->n_tags, 3);
    cr_assert(strcmp(s->tags[0].name, "news") == 0 && s->tags[0].contexts == 5);
    cr_assert(s->tags[1].name == NULL && s->tags[1].contexts == 2);
    cr_assert(strcmp(s->tags[2].name, "tales") == 0 && s->tags[2].contexts == 2);
    cr_assert(!s->agents[0].constant && s->agents[1].constant && !s->agents[2].constant);
    regret_pool_stats_free(s);
    struct regret_grid *grid = NULL;
    cr_assert_eq(regret_grid_cut(&grid, pool, NULL), 0);
    for (size_t a = 0; a < 3; a++) {
        cr_assert_eq(regret_grid_is_constant(grid, a), a == 1);
    }
    regret_grid_free(grid);
    regret_pool_free(pool);
}
