/* transport.*: values of another population of contexts than the one that is run on. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "experiment/exported.h"
#include "experiment/fixture.h"
#include "experiment/inputs.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "synth/newswire.h"

TestSuite(transport, .init = fixture_open, .fini = fixture_close);

enum { CONTEXTS = 8, AGENTS = 4 };

/* Weights 1, 2, … of the contexts in the order of their ids, but `zeroes` of the first. */
static void write_weights(const char *name, int zeroes, const char *extra)
{
    struct regret_run_plan *plan = NULL;
    struct regret_config config;
    struct regret_pool *pool = NULL;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_run_plan_read(&plan, fixture_config(), NULL, 0), 0);
    regret_run_plan_cell(&config, plan, 0);
    cr_assert_eq(regret_pool_read(&pool, config.pool), 0);
    regret_buffer_append_char(&t, '{');
    for (size_t x = 0; x < pool->n_contexts; x++) {
        regret_buffer_json_string(&t, pool->contexts[x].id);
        regret_buffer_printf(&t, ": %d, ", (int)x < zeroes ? 0 : (int)x + 1);
    }
    regret_buffer_printf(&t, "%s}", extra);
    sample_write(name, regret_buffer_get(&t));
    regret_buffer_free(&t);
    regret_pool_free(pool);
    regret_run_plan_free(plan);
}

static const char *weights_set(const char *name)
{
    static char set[256];
    snprintf(set, sizeof set, "transport.weights=%s", sample_path(name));
    return set;
}

static struct regret_results *results_of(const char *run)
{
    struct regret_results *r = NULL;
    cr_assert_eq(regret_results_read(&r, sample_path(run)), 0, "%s", regret_error_message());
    return r;
}

/* 1 for what is measured of values; all else knows no population. */
static int of_values(size_t m)
{
    return m == REGRET_MEASURE_TOP1 || m == REGRET_MEASURE_TOP3 || m == REGRET_MEASURE_SPEARMAN ||
           m == REGRET_MEASURE_KENDALL || m == REGRET_MEASURE_DM_RMSE ||
           m == REGRET_MEASURE_DR_RMSE || m == REGRET_MEASURE_SNDR_RMSE;
}

/* Without a shift nothing moves a byte, and with one only what is about values. */
Test(transport, moves_values_alone)
{
    static const char *const off[] = {"transport.by=weights", "transport.reweight=false"};
    static const char *const on[] = {"transport.shift=1.5"};
    fixture_make("plain");
    fixture_make_with("off", off, 2);
    fixture_make_with("on", on, 1);
    fixture_same_bytes("plain/results-1-of-1.jsonl", "off/results-1-of-1.jsonl");
    struct regret_results *a = results_of("plain"), *b = results_of("on");
    size_t moved = 0;
    cr_assert_eq(a->n_rows, b->n_rows);
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        for (size_t i = 0; i < a->n_rows; i++) {
            double x = a->measure[m][i], y = b->measure[m][i];
            int same = x == y || (isnan(x) && isnan(y));
            cr_assert(same || of_values(m), "measure %zu of row %zu: %g, %g", m, i, x, y);
            moved += !same;
        }
    }
    cr_assert_gt(moved, 10);
    regret_results_free(a);
    regret_results_free(b);
}

/* Folds are joined by what their contexts weigh, so that over all of them the truth is that of the grid. */
Test(transport, folds_join_to_the_target_population)
{
    static const char *const sets[] = {"transport.shift=1.2", "contexts.folds=3"};
    fixture_make_with("r", sets, 2);
    struct regret_results *r = results_of("r");
    size_t oracle = regret_results_subject(r, REGRET_ROW_BASELINE, "oracle");
    for (size_t seed = 0; seed < r->n_seeds; seed++) {
        struct regret_list_view v = regret_results_list(r, REGRET_LIST_VALUE, oracle, 0, seed);
        struct regret_list_view g = regret_results_list(r, REGRET_LIST_VALUE_GRID, oracle, 0, seed);
        cr_assert(v.n == AGENTS && g.n == AGENTS);
        for (size_t a = 0; a < AGENTS; a++) {
            cr_assert_float_eq(v.number[a], g.number[a], 2e-6); /* six digits are written */
        }
    }
    regret_results_free(r);
}

static double *weights_of_export(struct exported *e, const char *const *sets, size_t n)
{
    cr_assert_eq(
        regret_export_cell(sample_path("cell"), fixture_config(), sets, n, 1, 1, 0, 1, NULL), 0,
        "%s", regret_error_message());
    exported_open(e, "cell");
    const cJSON *list = cJSON_GetObjectItem(e->cell, "weights");
    double *weight = calloc(CONTEXTS, sizeof *weight);
    cr_assert_eq(cJSON_GetArraySize(list), CONTEXTS);
    for (int x = 0; x < CONTEXTS; x++) {
        weight[x] = cJSON_GetArrayItem(list, x)->valuedouble;
    }
    return weight;
}

/* The truth and the direct values from mu and predictions, by the exported weights. */
static void check_values(const struct exported *e, const double *weight, int reweighted)
{
    size_t rows = 0;
    double *truth = exported_column(&rows, e, "values.csv", 2);
    double *dm = exported_column(&rows, e, "values.csv", 3);
    double *f = exported_column(&rows, e, "predictions.csv", 1);
    for (size_t a = 0; a < AGENTS; a++) { /* of the first family */
        double all = 0.0, n = 0.0, mu = 0.0, plain = 0.0;
        for (size_t i = 0; i < e->n_reference; i++) {
            size_t x = e->reference[i];
            double w = reweighted ? weight[x] : 1.0;
            all += weight[x];
            n += w;
            mu += weight[x] * e->mu[x * AGENTS + a];
            plain += w * f[(x * AGENTS + a) * e->n_draws];
        }
        cr_assert_float_eq(truth[a], mu / all, 1e-12);
        cr_assert(e->n_draws > 1 || fabs(dm[a] - plain / n) < 1e-12);
    }
    free(truth);
    free(dm);
    free(f);
}

Test(transport, weighs_by_length)
{
    for (int reweighted = 0; reweighted <= 1; reweighted++) {
        const char *const sets[] = {"transport.shift=0.8", reweighted ? "transport.reweight=true"
                                                                      : "transport.reweight=false"};
        struct exported e;
        double *weight = weights_of_export(&e, sets, 2);
        struct regret_pool *pool = NULL;
        double s[CONTEXTS], mean = 0.0, square = 0.0, sum = 0.0;
        cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0);
        for (size_t x = 0; x < CONTEXTS; x++) {
            s[x] = log((double)strlen(pool->contexts[x].text));
            mean += s[x] / CONTEXTS;
        }
        for (size_t x = 0; x < CONTEXTS; x++) {
            square += (s[x] - mean) * (s[x] - mean) / CONTEXTS;
        }
        for (size_t x = 0; x < CONTEXTS; x++) {
            s[x] = exp(0.8 * (s[x] - mean) / sqrt(square));
            sum += s[x] / CONTEXTS;
        }
        for (size_t x = 0; x < CONTEXTS; x++) {
            cr_assert_float_eq(weight[x], s[x] / sum, 1e-12);
        }
        check_values(&e, weight, reweighted);
        regret_pool_free(pool);
        exported_close(&e);
        free(weight);
    }
}

/* Weights are taken as they are at a shift of 1, to that power at others; their mean becomes one. */
Test(transport, weighs_by_a_file)
{
    write_weights("w.json", 1, "\"elsewhere\": 5");
    for (int shift = 1; shift <= 3; shift++) {
        char set[40];
        snprintf(set, sizeof set, "transport.shift=%d", shift);
        const char *const sets[] = {set, "transport.by=weights", weights_set("w.json")};
        struct exported e;
        double *weight = weights_of_export(&e, sets, 3), sum = 0.0;
        for (int x = 0; x < CONTEXTS; x++) {
            sum += x == 0 ? 0.0 : pow(x + 1, shift) / CONTEXTS;
        }
        for (int x = 0; x < CONTEXTS; x++) {
            cr_assert_float_eq(weight[x], x == 0 ? 0.0 : pow(x + 1, shift) / sum, 1e-12);
        }
        check_values(&e, weight, 1);
        exported_close(&e);
        free(weight);
    }
}

/* run.json says what the target population leaves in effect, and which file it is of: with another one the run is
 * another run, wherever the file lies. */
Test(transport, a_run_knows_its_weights)
{
    write_weights("w.json", 0, "\"elsewhere\": 5");
    write_weights("v.json", 0, "\"elsewhere\": 5");
    write_weights("other.json", 0, "\"elsewhere\": 6");
    const char *sets[] = {"transport.shift=1", "transport.by=weights", weights_set("w.json")};
    size_t stop = 2;
    for (int i = 0; i < 3; i++) {
        struct regret_run_options o = fixture_options("r");
        struct regret_run_summary s = {0};
        sets[2] = weights_set(i == 0 ? "w.json" : i == 1 ? "other.json" : "v.json");
        o.sets = sets;
        o.n_sets = 3;
        o.resume = i > 0;
        o.progress = i == 0 ? fixture_stop_after : NULL;
        o.progress_context = &stop;
        int rc = regret_run(&s, &o);
        cr_assert_eq(rc,
                     i == 0   ? REGRET_E_CANCELLED
                     : i == 1 ? REGRET_E_INPUT
                              : 0,
                     "%d: %s", i, regret_error_message());
        cr_assert(i != 1 || strstr(regret_error_message(), "weights") != NULL, "%s",
                  regret_error_message());
    }
    char *text = fixture_read(NULL, "r/run.json");
    /* (1 + … + 8)² / (1² + … + 8²) */
    cr_assert_not_null(strstr(text, "\"effective_contexts\":6.353"), "%s", text);
    regret_free(text);
}

/* ---- What cannot be -------------------------------------------------------------------------- */

/* A population that is one context in effect has values, and no intervals that could be believed. */
Test(transport, a_shift_as_large_as_can_be)
{
    static const char *const sets[] = {"transport.shift=100", "details=true"};
    fixture_make_with("r", sets, 2);
    struct regret_results *r = results_of("r");
    struct regret_list_view dm = regret_results_list(r, REGRET_LIST_DM, 0, 0, 0);
    struct regret_list_view half = regret_results_list(r, REGRET_LIST_DM_HALF, 0, 0, 0);
    cr_assert(dm.n == AGENTS && half.n == AGENTS);
    for (size_t a = 0; a < AGENTS; a++) {
        cr_assert(isfinite(dm.number[a]) && isnan(half.number[a]));
    }
    regret_results_free(r);
}

Test(transport, what_does_not_vary_cannot_shift)
{
    static const char *const sets[] = {"transport.shift=1"};
    char *text = fixture_read(NULL, "pool/contexts.jsonl");
    struct regret_buffer same = REGRET_BUFFER_INIT;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        cJSON *row = cJSON_Parse(line);
        regret_buffer_append(&same, "{\"id\": ");
        regret_buffer_json_string(&same, cJSON_GetObjectItem(row, "id")->valuestring);
        regret_buffer_append(&same, ", \"text\": \"as long as all\"}\n");
        cJSON_Delete(row);
    }
    sample_write("pool/contexts.jsonl", regret_buffer_get(&same));
    regret_buffer_free(&same);
    regret_free(text);
    text = fixture_read(NULL, "pool/pool.json");
    cJSON *pool = cJSON_Parse(text);
    cJSON_DeleteItemFromObject(pool, "digests");
    char *undigested = cJSON_PrintUnformatted(pool);
    sample_write("pool/pool.json", undigested);
    cJSON_free(undigested);
    cJSON_Delete(pool);
    regret_free(text);
    fixture_refused(sets, 1, "the length of contexts is the same everywhere");
}

#ifndef REGRET_FEW_REPLICATES /* statistics of many replicates; what one does is above */
/* ---- Known truth ------------------------------------------------------------------------------ */

/* The mean over agents and seeds of an estimate less the true value, with its standard error over seeds. */
static double mean_error(double *se, const struct regret_results *r, enum regret_list list,
                         size_t cell)
{
    size_t oracle = regret_results_subject(r, REGRET_ROW_BASELINE, "oracle");
    double sum = 0.0, squares = 0.0, n = (double)r->n_seeds;
    for (size_t seed = 0; seed < r->n_seeds; seed++) {
        struct regret_list_view x = regret_results_list(r, list, 0, cell, seed);
        struct regret_list_view v = regret_results_list(r, REGRET_LIST_VALUE, oracle, cell, seed);
        double error = 0.0;
        for (size_t a = 0; a < x.n; a++) {
            error += (x.number[a] - v.number[a]) / (double)x.n;
        }
        sum += error;
        squares += error * error;
    }
    *se = sqrt((squares / n - pow(sum / n, 2.0)) / (n - 1.0));
    return sum / n;
}

/* A world over 100 generated articles, values of which are wanted for articles that users like better: taken for the
 * population that was run on, DM and DR are low by as much as the two differ. Weighted, DR is right within Monte
 * Carlo error; DM is nearer only, since ridge draws what it says of rare articles towards the rest. Where the
 * target's users are others, too, weights do not make them right. Cells: reweight false, true with the users of OBS
 * and EXP, then with others. */
Test(transport, weights_restore_known_values_unless_users_differ, .timeout = 120)
{
    cr_assert_eq(synth_register(), 0);
    sample_write("config.json",
                 "{\"pool\": \"synth:newswire\", \"synth\": {\"articles\": 100, \"draws\": 1}, "
                 "\"task\": \"world\", \"contexts.hard\": 0, \"features.buckets\": 256, "
                 "\"proxy.kind\": \"predicted-labels\", \"world.context_sd\": 1, \"seeds\": 8, "
                 "\"families\": [\"exp-only\"], \"n_obs\": 100, \"n_exp\": 3000, "
                 "\"transport.by\": \"score\", \"transport.shift\": 0.7, "
                 "\"values.fold_unit\": \"context\", \"values.plugin\": \"folds\", "
                 "\"sweep\": {\"world.target_users\": [0, 1], "
                 "\"transport.reweight\": [false, true]}}");
    fixture_make_with("r", NULL, 0);
    struct regret_results *r = results_of("r");
    double se[2][4], error[2][4];
    for (int k = 0; k < 2; k++) {
        for (size_t cell = 0; cell < 4; cell++) {
            error[k][cell] =
                mean_error(&se[k][cell], r, k == 0 ? REGRET_LIST_DM : REGRET_LIST_DR, cell);
        }
        cr_expect_lt(error[k][0], -0.08, "as run: %g ± %g", error[k][0], se[k][0]);
        cr_expect_gt(error[k][0], error[k][2] + 0.05);
        cr_expect_lt(error[k][3], -0.08, "other users: %g ± %g", error[k][3], se[k][3]);
    }
    cr_expect_lt(fabs(error[1][1]), 3.0 * se[1][1] + 0.005, "DR, weighted: %g ± %g", error[1][1],
                 se[1][1]);
    cr_expect_lt(fabs(error[0][1]), fabs(error[0][0]) - 0.02, "DM, weighted: %g ± %g", error[0][1],
                 se[0][1]);
    regret_results_free(r);
}
#endif
