/* Want of memory at every allocation of a run, an export and a merge. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/fixture.h"
#include "regret/alloc.h"
#include "regret/file.h"

TestSuite(memory, .init = fixture_open, .fini = fixture_close);

/* A run with overrides, begun or gone on with. */
static int run_with(const char *const *sets, size_t n, const char *feature_cache)
{
    struct regret_run_summary s = {0};
    struct regret_run_options o = fixture_options("r");
    o.sets = sets;
    o.n_sets = n;
    o.resume = 1;
    o.feature_cache = feature_cache;
    return regret_run(&s, &o);
}

static int run_once(void)
{
    const char *sets[] = {"seeds=1",  "sweep.beta=[1]", "n_obs=20",
                          "n_exp=12", "cv.folds=2",     "values.folds=2"};
    return run_with(sets, sizeof sets / sizeof *sets, NULL);
}

static int export_once(void)
{
    const char *sets[] = {"n_obs=20",
                          "n_exp=12",
                          "cv.folds=2",
                          "values.folds=2",
                          "families=[\"grounded-linear\",\"grounded-anchored\"]",
                          "grounded_linear.tuning=holdout"};
    return regret_export_cell(sample_path("r"), fixture_config(), sets, 6, 0, 0, 0, 0, NULL);
}

static int world_once(void)
{
    const char *sets[] = {"task=world",
                          "seeds=1",
                          "sweep.beta=[1]",
                          "n_obs=20",
                          "n_exp=12",
                          "cv.folds=2",
                          "values.folds=2",
                          "proxy.kind=predicted-labels",
                          "world.context_rank=2",
                          "world.shortlist=2",
                          "world.mediator_tilt=1"};
    return run_with(sets, sizeof sets / sizeof *sets, NULL);
}

static int folds_once(void)
{
    const char *sets[] = {"seeds=1",        "sweep.beta=[1]",          "n_obs=20",
                          "n_exp=12",       "families=[\"grounded\"]", "contexts.folds=3",
                          "values.folds=2", "contexts.reference=0.5"};
    return run_with(sets, sizeof sets / sizeof *sets, NULL);
}

/* A run that keeps its features, or takes them. */
static int keeping_once(void)
{
    const char *sets[] = {"seeds=1",        "sweep.beta=[1]",      "n_obs=20",
                          "n_exp=12",       "families=[\"cvci\"]", "cv.folds=2",
                          "values.folds=2", "solver=iterative"};
    char kept[256];
    strcpy(kept, sample_path("kept"));
    return run_with(sets, sizeof sets / sizeof *sets, kept);
}

static int keeping_anew_once(void)
{
    (void)regret_folder_remove(sample_path("kept")); /* which needs no memory of ours */
    (void)mkdir(sample_path("kept"), 0777);
    return keeping_once();
}

static int merge_once(void)
{
    char part[256];
    const char *runs[] = {part};
    strcpy(part, sample_path("part"));
    return regret_merge(sample_path("r"), runs, 1, NULL);
}

/* Fails the k-th allocation and all later ones for growing k until the job succeeds. The first
 * steps are small, for the reading of files; a job of many allocations is then gone through in
 * larger ones of changing length. */
static void starve(int (*job)(void), int resumable)
{
    size_t entries = fixture_entries(), failures = 0;
    for (long k = 0;; k += 1 + k / 40 + k % 3) {
        cr_assert_lt(k, 10000000);
        regret_alloc_fail_after(k);
        int rc = job();
        regret_alloc_fail_after(-1);
        if (rc == 0) {
            break;
        }
        failures++;
        cr_assert_eq(rc, REGRET_E_NOMEM, "allocation %ld: %d %s", k, rc, regret_error_message());
        int left = regret_file_exists(sample_path("r"));
        cr_assert(!left || (resumable && regret_file_exists(sample_path("r/run.json"))));
        cr_assert_eq(fixture_entries(), entries + (size_t)left, "something else is left behind");
    }
    cr_assert_gt(failures, 10);
}

/* What the starved tries left is gone on from: the end is that of a run that wanted nothing. */
Test(memory, of_a_run)
{
    starve(run_once, 1);
    cr_assert_eq(rename(sample_path("r"), sample_path("starved")), 0);
    cr_assert_eq(run_once(), 0);
    fixture_same_run("r", "starved");
}

Test(memory, of_a_controlled_world)
{
    starve(world_once, 1);
    cr_assert_eq(rename(sample_path("r"), sample_path("starved")), 0);
    cr_assert_eq(world_once(), 0);
    fixture_same_run("r", "starved");
}

Test(memory, of_features_that_are_kept)
{
    int (*const jobs[])(void) = {keeping_anew_once, keeping_once};
    cr_assert_eq(mkdir(sample_path("kept"), 0777), 0);
    cr_assert_eq(keeping_once(), 0);
    cr_assert_eq(rename(sample_path("r"), sample_path("whole")), 0);
    for (size_t i = 0; i < 2; i++) {
        starve(jobs[i], 1);
        fixture_same_run("r", "whole");
        cr_assert_eq(regret_folder_remove(sample_path("r")), 0);
    }
}

Test(memory, of_folds_of_contexts)
{
    starve(folds_once, 1);
    cr_assert_eq(rename(sample_path("r"), sample_path("starved")), 0);
    cr_assert_eq(folds_once(), 0);
    fixture_same_run("r", "starved");
}

Test(memory, of_an_export)
{
    starve(export_once, 0);
}

Test(memory, of_a_merge)
{
    fixture_make("part");
    starve(merge_once, 0);
    fixture_same_run("r", "part");
}
