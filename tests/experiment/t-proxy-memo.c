/* Proxies kept between cells that have their OBS in common, and the batches that bring such cells together. */
#include <criterion/criterion.h>
#include <string.h>

#include "experiment/fixture.h"
#include "experiment/replicate.h"
#include "experiment/run.h"
#include "regret/status.h"

TestSuite(proxy_memo, .init = fixture_open, .fini = fixture_close);

static struct regret_run_plan *read_plan(const char *const *sets, size_t n)
{
    struct regret_run_plan *plan = NULL;
    cr_assert_eq(regret_run_plan_read(&plan, fixture_config(), sets, n), 0, "%s",
                 regret_error_message());
    return plan;
}

static struct replicate *run_one(const struct replicate_source *from, size_t cell, size_t fold)
{
    struct replicate *r = NULL;
    const struct replicate_place at = {cell, 1, fold, 0};
    cr_assert_eq(replicate_run(&r, from, &at), 0, "%s", regret_error_message());
    return r;
}

/* Proxies are made without any family: one, without values, is all that a replicate needs here. */
#define ONE_FAMILY "families=[\"obs-only\"]", "values.enabled=false"

/* Every cell, after whatever the memo saw before, has the proxy that it has alone. */
static void same_with_and_without(const char *const *sets, size_t n, size_t folds)
{
    struct regret_run_plan *plan = read_plan(sets, n);
    struct regret_pool *pool = NULL;
    struct run_inputs *inputs = NULL;
    struct proxy_memo memo = {0};
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0);
    cr_assert_eq(run_inputs_create(&inputs, plan, pool), 0);
    cr_assert_eq(run_inputs_folds(inputs, plan), folds);
    cr_assert_eq(proxy_memo_create(&memo, folds), 0);
    for (size_t i = 0; i < 2 * regret_run_plan_cells(plan) * folds; i++) {
        size_t cell = i / folds % regret_run_plan_cells(plan), fold = i % folds;
        struct replicate *kept =
            run_one(&(struct replicate_source){plan, inputs, &memo, NULL}, cell, fold);
        struct replicate *alone =
            run_one(&(struct replicate_source){plan, inputs, NULL, NULL}, cell, fold);
        size_t numbers = kept->setting.features->pairs * kept->setting.config.proxy.dim;
        cr_assert_eq(kept->proxy.dim, alone->proxy.dim);
        cr_assert_eq(memcmp(kept->proxy.z, alone->proxy.z, numbers * sizeof *kept->proxy.z), 0,
                     "cell %zu, fold %zu", cell, fold);
        replicate_free(kept);
        replicate_free(alone);
    }
    proxy_memo_clear(&memo);
    run_inputs_free(inputs);
    regret_pool_free(pool);
    regret_run_plan_free(plan);
}

Test(proxy_memo, a_kept_proxy_is_the_one_that_would_be_fitted)
{
    const char *kinds[] = {"sweep.proxy.kind=[\"aux-svd\",\"tfidf-svd\",\"predicted-labels\"]",
                           "sweep.n_exp=[40,20]", ONE_FAMILY};
    const char *scales[] = {"sweep.proxy.scale=[\"raw\",\"log1p\",\"rank\"]",
                            "sweep.proxy.dim=[4,2]", ONE_FAMILY};
    const char *draws[] = {"sweep.n_obs=[60,50]", "sweep.beta=[0,1]", "sweep.n_exp=[40,20]",
                           ONE_FAMILY};
    same_with_and_without(kinds, 4, 1);
    same_with_and_without(scales, 4, 1);
    same_with_and_without(draws, 5, 1);
}

Test(proxy_memo, folds_are_kept_side_by_side)
{
    const char *sets[] = {"contexts.folds=3", "sweep.n_exp=[40,20]", ONE_FAMILY};
    same_with_and_without(sets, 4, 3);
}

/* What is found is not fitted: what is kept of the first set is handed out for a source whose statistics,
 * which belong to a set and are not compared, have changed. */
Test(proxy_memo, what_is_kept_is_found)
{
    enum { PAIRS = 4 };
    const struct feature_set features = {.pairs = PAIRS}, others = {.pairs = PAIRS};
    double aux[PAIRS] = {1, 2, 4, 8}, more[PAIRS] = {1, 2, 4, 9}, count[PAIRS] = {1, 1, 2, 1};
    double statistics[PAIRS] = {0, 0, 0, 0}, z[PAIRS], again[PAIRS];
    const struct regret_proxy_source source = {
        .n_pairs = PAIRS, .aux = aux, .n_aux = 1, .statistics = statistics, .n_statistics = 1};
    struct regret_proxy_source other = source;
    struct regret_proxy_options options = REGRET_PROXY_OPTIONS_INIT;
    struct proxy_memo memo = {0};
    size_t dim = 0;
    options.dim = 1;
    options.tfidf_rank = 0;
    other.aux = more;
    cr_assert_eq(proxy_memo_create(&memo, 1), 0);
    cr_assert_eq(proxy_memo_fit(z, &dim, &memo, &features, &source, count, &options), 0, "%s",
                 regret_error_message());
    statistics[3] = 100.0;
    cr_assert_eq(proxy_memo_fit(again, &dim, &memo, &features, &source, count, &options), 0);
    cr_assert_eq(memcmp(z, again, sizeof z), 0, "kept");
    cr_assert_eq(proxy_memo_fit(again, &dim, &memo, &others, &source, count, &options), 0);
    cr_assert_neq(memcmp(z, again, sizeof z), 0, "another set, another proxy");
    statistics[3] = 0.0;
    cr_assert_eq(proxy_memo_fit(again, &dim, &memo, &others, &other, count, &options), 0);
    cr_assert_neq(memcmp(z, again, sizeof z), 0, "other labels, another proxy");
    proxy_memo_clear(&memo);
}

Test(proxy_memo, no_more_folds_are_kept_than_memory_is_worth)
{
    struct proxy_memo memo = {0};
    cr_assert_eq(proxy_memo_create(&memo, PROXY_MEMO_FOLDS + 1), 0);
    cr_assert_eq(memo.room, 0);
    proxy_memo_clear(&memo);
}

static void batches_are(const char *const *sets, size_t n, size_t begin, size_t end, size_t threads,
                        const size_t *want, size_t n_want)
{
    struct regret_run_plan *plan = read_plan(sets, n);
    struct run_batches batches = {0};
    cr_assert_eq(run_batches_create(&batches, plan, begin, end, threads), 0);
    cr_assert_eq(batches.n, n_want, "%zu batches", batches.n);
    for (size_t i = 0; i < n_want; i++) {
        cr_assert_eq(batches.begin[i], want[i], "batch %zu begins at %zu", i, batches.begin[i]);
    }
    cr_assert_eq(batches.begin[n_want], end);
    run_batches_free(&batches);
    regret_run_plan_free(plan);
}

Test(proxy_memo, a_batch_is_cells_that_differ_in_n_exp_alone)
{
    const char *last[] = {"sweep.beta=[0,1]", "sweep.n_exp=[10,20,40]"};
    const char *first[] = {"sweep.n_exp=[10,20]", "sweep.n_obs=[50,60]", "beta=1"};
    const size_t of_last[] = {0, 3, 6, 9, 12, 15}, resumed[] = {4, 6, 9, 12, 15};
    const size_t alone[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const size_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
    batches_are(last, 2, 0, 18, 1, of_last, 6);
    batches_are(last, 2, 4, 18, 1, resumed, 5);
    batches_are(last, 2, 0, 18, 2, all, 18); /* three batches a thread are too few */
    batches_are(first, 3, 0, 12, 1, alone, 12);
}

Test(proxy_memo, runs_do_not_show_it)
{
    const char *sets[] = {"sweep.beta=[0,0.5,1]", "sweep.n_exp=[10,20,40]"};
    struct regret_run_options one = fixture_options("one"), many;
    one.sets = sets;
    one.n_sets = 2;
    fixture_run(&one);
    many = fixture_options("many");
    many.sets = sets;
    many.n_sets = 2;
    many.threads = 5;
    fixture_run(&many);
    fixture_same_run("one", "many");
}
