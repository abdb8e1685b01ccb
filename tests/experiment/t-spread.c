/* spread.*: a run on changed scores is a run on the pool that has them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "regret/status.h"

TestSuite(spread_keys, .init = fixture_open, .fini = fixture_close);

static const char rows[] = "results-1-of-1.jsonl";

static void same_rows(const char *a, const char *b)
{
    char x[128], y[128];
    snprintf(x, sizeof x, "%s/%s", a, rows);
    snprintf(y, sizeof y, "%s/%s", b, rows);
    fixture_same_bytes(x, y);
}

/* Keys that change nothing move no byte, and a run says nothing of them. */
Test(spread_keys, nothing_by_default)
{
    static const char *const off[] = {"spread.within=1", "spread.noise=0"};
    fixture_make("plain");
    fixture_make_with("off", off, 2);
    same_rows("plain", "off");
    cr_assert_not(fixture_contains("off/run.json", "clipped_scores"));
}

/* The pool of the fixture with other scores, as a folder of its own. */
static void write_changed_pool(const char *name, struct regret_spread_options s)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_spread(pool, &s, NULL), 0);
    cr_assert_eq(regret_pool_write(pool, sample_path(name), NULL, 0), 0);
    regret_pool_free(pool);
}

/* The hardest contexts are those of the changed scores. */
Test(spread_keys, are_a_pool_with_other_scores)
{
    char pool[256];
    snprintf(pool, sizeof pool, "pool=%s", sample_path("changed"));
    const char *const there[] = {"contexts.hard=5", pool};
    const char *const keys[] = {"contexts.hard=5", "spread.within=0.4", "spread.agents=2",
                                "spread.contexts=0.3", "spread.noise=0.2"};
    write_changed_pool("changed", (struct regret_spread_options){0.4, 2.0, 0.3, 0.2, 0});
    fixture_make_with("there", there, 2);
    fixture_make_with("keys", keys, 5);
    same_rows("there", "keys");
    cr_assert(fixture_contains("keys/run.json", "\"clipped_scores\":0."));
    cr_assert_not(fixture_contains("there/run.json", "clipped_scores"));
}

/* Each cell of a sweep reads the scores that are its own. */
Test(spread_keys, can_be_swept)
{
    static const char *const swept[] = {"sweep.beta=[0.5]", "sweep.spread.noise=[0,0.2]",
                                        "contexts.hard=6"};
    static const char *const noisy[] = {"sweep.beta=[0.5]", "spread.noise=0.2", "contexts.hard=6"};
    static const char *const plain[] = {"sweep.beta=[0.5]", "contexts.hard=6"};
    fixture_make_with("swept", swept, 3);
    fixture_make_with("noisy", noisy, 3);
    fixture_make_with("plain", plain, 2);
    struct regret_results *all = NULL, *one[2] = {NULL, NULL};
    cr_assert_eq(regret_results_read(&all, sample_path("swept")), 0);
    cr_assert_eq(regret_results_read(&one[0], sample_path("plain")), 0);
    cr_assert_eq(regret_results_read(&one[1], sample_path("noisy")), 0);
    cr_assert_eq(all->n_cells, 2);
    size_t differ = 0;
    for (size_t i = 0; i < all->n_seeds * all->n_subjects; i++) {
        size_t f = i % all->n_subjects, seed = i / all->n_subjects;
        double is[2];
        for (size_t c = 0; c < 2; c++) {
            is[c] = regret_results_value(all, REGRET_MEASURE_REGRET, f, c, seed);
            double alone = regret_results_value(one[c], REGRET_MEASURE_REGRET, f, 0, seed);
            cr_assert(memcmp(&is[c], &alone, sizeof alone) == 0, "%zu: %g, alone %g", i, is[c],
                      alone);
        }
        differ += is[0] != is[1];
    }
    cr_assert_gt(differ, 0);
    for (size_t i = 0; i < 2; i++) {
        regret_results_free(one[i]);
    }
    regret_results_free(all);
}

Test(spread_keys, mean_nothing_in_a_world)
{
    static const char *const on[] = {"task=world", "spread.agents=0.5"};
    static const char *const swept[] = {"task=world", "sweep.spread.within=[1,0.5]"};
    static const char *const negative[] = {"spread.noise=-1"};
    fixture_refused(on, 2, "spread.* changes the scores of a pool");
    fixture_refused(swept, 2, "cannot be swept with task \"world\"");
    fixture_refused(negative, 1, "spread.noise");
}
