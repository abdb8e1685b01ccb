/* contexts.folds: every context held out once a seed. A row is the mean over its folds, each recomputed
 * from its own export. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "experiment/exported.h"
#include "experiment/fixture.h"
#include "experiment/replicate.h"
#include "experiment/run.h"
#include "regret/status.h"

TestSuite(cross_fit, .init = fixture_open, .fini = fixture_close);

enum { CONTEXTS = 8, AGENTS = 4, SEED = 1, CELL = 1, N_FAMILIES = 3 };
static const char *const FAMILIES[N_FAMILIES] = {"obs-only", "grounded", "cvci"};
#define THREE_FAMILIES "families=[\"obs-only\",\"grounded\",\"cvci\"]"

static cJSON *row_of_family(const char *name)
{
    char *text = fixture_read(NULL, "r/results-1-of-1.jsonl"), wanted[80];
    snprintf(wanted, sizeof wanted, "\"family\":\"%s\"", name);
    cJSON *found = NULL;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (strncmp(line, "{\"cell\":1,\"seed\":1,", 19) == 0 && strstr(line, wanted) != NULL) {
            found = cJSON_Parse(line);
        }
    }
    regret_free(text);
    cr_assert_not_null(found, "no row of %s", name);
    return found;
}

static double number(const cJSON *object, const char *field)
{
    const cJSON *v = cJSON_GetObjectItem(object, field);
    cr_assert(cJSON_IsNumber(v) || cJSON_IsNull(v), "no number %s", field);
    return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

static void near(double got, double want, const char *family, const char *what)
{
    cr_assert((isnan(got) && isnan(want)) || fabs(got - want) < 1e-12, "%s, %s: %.17g, not %.17g",
              family, what, got, want);
}

/* What the folds add up to, a family at a time. */
struct sums {
    double regret, random, hits, dm, dr, lambda, test, reference;
    double rho[CONTEXTS];
    int held[CONTEXTS];
};

static size_t first_best(const double *v)
{
    size_t best = 0;
    for (size_t a = 1; a < AGENTS; a++) {
        best = v[a] > v[best] ? a : best;
    }
    return best;
}

static void add_contexts(struct sums *s, const struct exported *e, const double *prediction)
{
    for (size_t i = 0; i < e->n_test; i++) {
        const double *mu = e->mu + e->test[i] * AGENTS;
        double lost = mu[first_best(mu)] - mu[first_best(prediction + e->test[i] * AGENTS)];
        s->regret += lost;
        for (size_t a = 0; a < AGENTS; a++) {
            s->random += (mu[first_best(mu)] - mu[a]) / AGENTS;
        }
        s->hits += lost == 0.0;
        s->held[e->test[i]]++;
    }
    s->test += (double)e->n_test;
}

/* The error of the values of the fold, which counts as often as it has reference contexts. */
static void add_values(struct sums *s, const struct exported *e, size_t family)
{
    double *truth, *dm, *dr, error_dm = 0.0, error_dr = 0.0;
    size_t rows = 0;
    truth = exported_column(&rows, e, "values.csv", 2);
    dm = exported_column(&rows, e, "values.csv", 3);
    dr = exported_column(&rows, e, "values.csv", 4);
    for (size_t a = 0; a < AGENTS; a++) {
        double mean = 0.0;
        size_t at = family * AGENTS + a;
        for (size_t i = 0; i < e->n_reference; i++) {
            mean += e->mu[e->reference[i] * AGENTS + a] / (double)e->n_reference;
        }
        near(truth[at], mean, FAMILIES[family], "truth");
        error_dm += pow(dm[at] - mean, 2) / AGENTS;
        error_dr += pow(dr[at] - mean, 2) / AGENTS;
    }
    s->dm += (double)e->n_reference * sqrt(error_dm);
    s->dr += (double)e->n_reference * sqrt(error_dr);
    s->reference += (double)e->n_reference;
    for (size_t i = 0; e->reference[0] != e->test[0] && i < e->n_reference; i++) {
        s->held[e->reference[i]]++;
    }
    free(truth);
    free(dm);
    free(dr);
}

static double most_frequent(const double *x, size_t n)
{
    size_t best = 0, most = 0;
    for (size_t k = 0; k < n; k++) {
        size_t times = 0;
        for (size_t j = 0; j < n; j++) {
            times += x[j] == x[k];
        }
        if (times > most) {
            most = times;
            best = k;
        }
    }
    return x[best];
}

/* Runs, exports every fold of (CELL, SEED) and holds the rows against them. */
static void check(const char *const *sets, size_t n_sets, size_t folds)
{
    struct sums sums[N_FAMILIES] = {0};
    struct regret_run_options o = fixture_options("r");
    size_t rows = 0;
    o.sets = sets;
    o.n_sets = n_sets;
    fixture_run(&o);
    for (size_t k = 0; k < folds; k++) {
        struct exported e;
        exported_make(&e, sets, n_sets, (struct exported_place){CELL, SEED, k});
        cr_assert_eq(number(e.cell, "fold"), (double)k);
        cr_assert_eq(number(e.cell, "seed"), SEED);
        for (size_t f = 0; f < N_FAMILIES; f++) {
            double *prediction = exported_column(&rows, &e, "predictions.csv", f + 1);
            const cJSON *hyper = cJSON_GetObjectItem(e.hyper, FAMILIES[f]);
            add_contexts(&sums[f], &e, prediction);
            add_values(&sums[f], &e, f);
            sums[f].lambda += number(hyper, "lambda") / (double)folds;
            sums[f].rho[k] = number(hyper, "rho");
            free(prediction);
        }
        exported_close(&e);
    }
    for (size_t f = 0; f < N_FAMILIES; f++) {
        const struct sums *s = &sums[f];
        cJSON *row = row_of_family(FAMILIES[f]);
        for (size_t x = 0; x < CONTEXTS; x++) {
            cr_assert_eq(s->held[x], 1, "context %zu is held out %d times", x, s->held[x]);
        }
        near(number(row, "regret"), s->regret / s->test, FAMILIES[f], "regret");
        cJSON *random = row_of_family("random");
        near(number(random, "regret"), s->random / s->test, "random", "regret");
        cJSON_Delete(random);
        near(number(row, "hit1"), s->hits / s->test, FAMILIES[f], "hit1");
        near(number(row, "dm_rmse"), s->dm / s->reference, FAMILIES[f], "dm_rmse");
        near(number(row, "dr_rmse"), s->dr / s->reference, FAMILIES[f], "dr_rmse");
        near(number(row, "lambda"), s->lambda, FAMILIES[f], "lambda");
        near(number(row, "rho"), most_frequent(s->rho, folds), FAMILIES[f], "rho");
        cJSON_Delete(row);
    }
}

Test(cross_fit, rows_are_means_over_folds_of_unequal_size)
{
    const char *sets[] = {"contexts.folds=3", THREE_FAMILIES, "cv.folds=3"};
    check(sets, 3, 3);
}

Test(cross_fit, with_reference_contexts)
{
    const char *sets[] = {"contexts.folds=2", "contexts.reference=0.3", THREE_FAMILIES};
    check(sets, 3, 2);
}

Test(cross_fit, leaving_out_one_context_at_a_time)
{
    const char *sets[] = {"contexts.folds=8", THREE_FAMILIES, "n_obs=30", "n_exp=20"};
    check(sets, 4, 8);
}

/* Gives the contexts of the pool tags: 3 of "a", 4 of "b", and one without. */
static void tag_contexts(void)
{
    static const char *const TAGS[CONTEXTS] = {"a", "b", "b", "a", NULL, "b", "a", "b"};
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    for (size_t x = 0; x < CONTEXTS; x++) {
        cr_assert(TAGS[x] == NULL || regret_strdup(&pool->contexts[x].tag, TAGS[x]) == 0);
    }
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0, "%s",
                 regret_error_message());
    regret_pool_free(pool);
}

Test(cross_fit, leaving_out_a_tag_at_a_time)
{
    const char *sets[] = {"contexts.split=leave-one-tag-out", THREE_FAMILIES};
    tag_contexts();
    check(sets, 2, 3);
    char *run = fixture_read(NULL, "r/run.json");
    cr_assert_not_null(strstr(run, "\"tags\":[\"a\",\"b\",\"b\",\"a\",null,\"b\",\"a\",\"b\"]"));
    regret_free(run);
}

Test(cross_fit, stratified_folds)
{
    const char *sets[] = {"contexts.split=stratified", "contexts.folds=3", THREE_FAMILIES,
                          "cv.folds=3"};
    tag_contexts();
    check(sets, 4, 3);
}

/* With one tag a stratified run is the random one; and tags alone change no row. */
Test(cross_fit, one_tag_changes_nothing)
{
    static const char *const stratified[] = {"contexts.split=stratified"};
    struct regret_pool *pool = NULL;
    struct regret_run_options o = fixture_options("plain");
    fixture_run(&o);
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0);
    for (size_t x = 0; x < CONTEXTS; x++) {
        cr_assert_eq(regret_strdup(&pool->contexts[x].tag, "all"), 0);
    }
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0);
    regret_pool_free(pool);
    o = fixture_options("tagged");
    fixture_run(&o);
    o = fixture_options("stratified");
    o.sets = stratified;
    o.n_sets = 1;
    fixture_run(&o);
    fixture_same_bytes("plain/results-1-of-1.jsonl", "tagged/results-1-of-1.jsonl");
    fixture_same_bytes("plain/results-1-of-1.jsonl", "stratified/results-1-of-1.jsonl");
}

/* The draws of a fold by the public pieces: its split, and the streams of its own seed. */
Test(cross_fit, a_fold_draws_from_its_own_training_contexts)
{
    const char *sets[] = {"contexts.folds=3"};
    struct regret_run_plan *plan = NULL;
    struct regret_pool *pool = NULL;
    struct run_inputs *inputs = NULL;
    cr_assert_eq(regret_run_plan_read(&plan, fixture_config(), sets, 1), 0);
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0);
    cr_assert_eq(run_inputs_create(&inputs, plan, pool), 0);
    for (size_t k = 0; k < 3; k++) {
        struct replicate *r = NULL;
        struct regret_split *split = NULL;
        struct regret_rows exp, obs;
        cr_assert_eq(replicate_run(&r, &(struct replicate_source){plan, inputs, NULL, NULL},
                                   &(struct replicate_place){CELL, SEED, k, 0}),
                     0);
        cr_assert_eq(regret_split_fold(&split, NULL, CONTEXTS, 3, k, SEED), 0);
        uint64_t seed = regret_fold_seed(SEED, k);
        cr_assert((k == 0) == (seed == SEED));
        cr_assert_eq(regret_draw_exp(&exp, r->setting.task, split, 40, seed), 0);
        cr_assert_eq(regret_draw_obs(&obs, r->setting.task, split, 60, seed), 0);
        cr_assert_eq(memcmp(exp.pair, r->draws.exp.pair, 40 * sizeof *exp.pair), 0);
        cr_assert_eq(memcmp(exp.y, r->draws.exp.y, 40 * sizeof *exp.y), 0);
        cr_assert_eq(memcmp(obs.pair, r->draws.obs.pair, 60 * sizeof *obs.pair), 0);
        regret_rows_clear(&exp);
        regret_rows_clear(&obs);
        regret_split_free(split);
        replicate_free(r);
    }
    run_inputs_free(inputs);
    regret_pool_free(pool);
    regret_run_plan_free(plan);
}

static const char *const folded[] = {"contexts.folds=3", THREE_FAMILIES};

static struct regret_run_options folded_options(const char *out)
{
    struct regret_run_options o = fixture_options(out);
    o.sets = folded;
    o.n_sets = 2;
    return o;
}

Test(cross_fit, the_same_bytes_by_threads_shards_and_resuming)
{
    struct regret_run_options o = folded_options("whole");
    fixture_run(&o);
    o = folded_options("threads");
    o.threads = 3;
    fixture_run(&o);
    fixture_same_run("whole", "threads");
    size_t two = 2;
    o = folded_options("cut");
    o.progress = fixture_stop_after;
    o.progress_context = &two;
    cr_assert_eq(regret_run(&(struct regret_run_summary){0}, &o), REGRET_E_CANCELLED);
    o = folded_options("cut");
    o.resume = 1;
    cr_assert_eq(fixture_run(&o).resumed, 2);
    fixture_same_run("whole", "cut");
    char path[3][256];
    const char *shards[3] = {path[0], path[1], path[2]};
    for (size_t i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "s%zu", i);
        o = folded_options(name);
        o.shard = i + 1;
        o.shards = 3;
        fixture_run(&o);
        snprintf(path[i], sizeof path[i], "%s", sample_path(name));
    }
    char merged[256];
    snprintf(merged, sizeof merged, "%s", sample_path("merged"));
    cr_assert_eq(regret_merge(merged, shards, 3, NULL), 0, "%s", regret_error_message());
    fixture_same_bytes("whole/results-1-of-1.jsonl", "merged/results-1-of-1.jsonl");
}

/* Four folds train on six of eight contexts, as the single split does, four times. */
Test(cross_fit, costs_as_much_as_its_folds)
{
    struct run_costs costs;
    cr_assert_eq(fixture_costs(&costs, "contexts.folds=4"), 0, "%s", regret_error_message());
    cr_assert(costs.before[1] >= 4 * FIXTURE_COST && costs.before[1] < 4 * FIXTURE_COST + 4, "%llu",
              (unsigned long long)costs.before[1]);
    run_costs_free(&costs);
}
