/* Baselines by tag and the means of a pool; tests/outside/check_restricted.py and check_judges.py recompute them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/report.h"
#include "regret/status.h"

TestSuite(tagged, .init = fixture_open, .fini = fixture_close);

enum { CONTEXTS = 8 };
/* "c" is one context's alone; so is what has no tag, as in t-cross-fit.c. */
static const char *const TAGS[CONTEXTS] = {"a", "b", "b", "a", "c", "b", "a", "b"};

static struct regret_pool *read_pool(void)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    return pool;
}

static void write_pool(struct regret_pool *pool)
{
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0, "%s",
                 regret_error_message());
    regret_pool_free(pool);
}

static void tag_contexts(void)
{
    struct regret_pool *pool = read_pool();
    for (size_t x = 0; x < CONTEXTS; x++) {
        cr_assert_eq(regret_strdup(&pool->contexts[x].tag, TAGS[x]), 0);
    }
    write_pool(pool);
}

/* A tag that is held out as a whole has no rows: the best of all rows. */
Test(tagged, a_tag_without_rows_has_the_best_of_all)
{
    tag_contexts();
    fixture_make_with("r", (const char *const[]){"contexts.split=leave-one-tag-out"}, 1);
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0);
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        size_t cell = i % r->n_cells, seed = i / r->n_cells;
        double by_tag = regret_results_value(
            r, REGRET_MEASURE_REGRET,
            regret_results_subject(r, REGRET_ROW_BASELINE, "best-by-tag-exp"), cell, seed);
        double single = regret_results_value(
            r, REGRET_MEASURE_REGRET, regret_results_subject(r, REGRET_ROW_BASELINE, "best-exp"),
            cell, seed);
        cr_assert_eq(by_tag, single);
    }
    regret_results_free(r);
}

/* A real pool keeps them without tags; a generated one does not, and neither has baselines by tag. */
Test(tagged, pools_without_tags)
{
    struct regret_results *r = NULL;
    struct regret_pool *pool = read_pool();
    pool->synthetic = 0;
    write_pool(pool);
    fixture_make("r");
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0);
    cr_assert(r->n_means == 1 && r->means[0].n_tags == 0, "β does not change the reward");
    regret_results_free(r);
    pool = read_pool();
    pool->synthetic = 1;
    write_pool(pool);
    fixture_make("s");
    cr_assert_eq(regret_results_read(&r, sample_path("s")), 0);
    cr_assert_eq(r->n_means, 0);
    cr_assert_eq(regret_results_subject(r, REGRET_ROW_BASELINE, "best-by-tag-exp"), REGRET_NO_ROW);
    char *run = fixture_read(NULL, "s/run.json");
    cr_assert_null(strstr(run, "\"baselines\""));
    cr_assert_null(strstr(run, "\"means\""));
    regret_free(run);
    regret_results_free(r);
}

static size_t times_in(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *p = strstr(text, word); p != NULL; p = strstr(p + 1, word)) {
        n++;
    }
    return n;
}

/* A page shows two of them, CSV all. */
static void check_headings(const struct regret_results *r, const char *const *headings, size_t n)
{
    struct regret_buffer md = REGRET_BUFFER_INIT, csv = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_table(&md, r, "means", REGRET_FORMAT_MARKDOWN), 0);
    cr_assert_eq(regret_report_table(&csv, r, "means", REGRET_FORMAT_CSV), 0);
    for (size_t i = 0; i < n; i++) {
        char heading[96];
        snprintf(heading, sizeof heading, "**%s: who is best**", headings[i]);
        cr_expect_eq(times_in(regret_buffer_get(&md), heading), i < 2, "%s", heading);
        snprintf(heading, sizeof heading, "%s: who is best,all,Best,", headings[i]);
        cr_expect_eq(times_in(regret_buffer_get(&csv), heading), 1, "%s", heading);
    }
    cr_expect_eq(times_in(regret_buffer_get(&md), "A page shows the first 2 of"), n > 2);
    regret_buffer_free(&md);
    regret_buffer_free(&csv);
}

/* Rewards along a parameter, of which there are more than a page shows. */
Test(tagged, many_rewards)
{
    static const char *const headings[] = {"reward.power = 2", "reward.power = 3",
                                           "reward.power = 4"};
    const char *sets[] = {"reward.map=sharpened", "sweep.reward.power=[2,3,4]"};
    struct regret_results *r = NULL;
    tag_contexts();
    fixture_make_with("r", sets, 2);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    cr_assert_eq(r->n_means, 3);
    check_headings(r, headings, 3);
    regret_results_free(r);
}

/* Two rewards are two items, and shards of such a run join. */
Test(tagged, rewards_apart_and_shards_together)
{
    const char *sets[] = {"sweep.reward.map=[\"smooth\",\"sharpened\"]"};
    struct regret_results *r = NULL;
    tag_contexts();
    struct regret_run_options o = fixture_options("whole");
    o.sets = sets;
    o.n_sets = 1;
    fixture_run(&o);
    o.out = sample_path("one");
    o.shards = 2;
    o.shard = 1;
    fixture_run(&o);
    char one[512], two[512];
    snprintf(one, sizeof one, "%s", sample_path("one"));
    snprintf(two, sizeof two, "%s", sample_path("two"));
    o.out = two;
    o.shard = 2;
    fixture_run(&o);
    const char *const runs[] = {one, two};
    cr_assert_eq(regret_merge(sample_path("joined"), runs, 2, NULL), 0, "%s",
                 regret_error_message());
    fixture_same_run("whole", "joined");
    cr_assert_eq(regret_results_read(&r, sample_path("joined")), 0, "%s", regret_error_message());
    cr_assert_eq(r->n_means, 2);
    for (size_t i = 0; i < r->n_cells; i++) {
        size_t map = regret_results_key_value(r, i, REGRET_KEY_MAP);
        cr_assert_eq(r->cell_means[i] == r->cell_means[0],
                     map == regret_results_key_value(r, 0, REGRET_KEY_MAP));
    }
    check_headings(r, (const char *const[]){"reward.map = smooth", "reward.map = sharpened"}, 2);
    regret_results_free(r);
}
