/* The box opened: every prediction, value and measure of a replicate recomputed from its exported
 * files by the naive reference. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "estimate/reference_ridge.h"
#include "experiment/exported.h"
#include "experiment/fixture.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "synth/newswire.h"

TestSuite(export, .init = fixture_open, .fini = fixture_close);

enum { MAX_AGENTS = 32, MAX_TEST = 16, SEED = 2, CELL = 1 };

static void near(double got, double want, const char *family, const char *what)
{
    cr_assert((isnan(got) && isnan(want)) || fabs(got - want) < 1e-9, "%s, %s: %.17g, not %.17g",
              family, what, got, want);
}

static double json_number(const cJSON *object, const char *field)
{
    const cJSON *v = cJSON_GetObjectItem(object, field);
    cr_assert(cJSON_IsNumber(v) || cJSON_IsNull(v), "no number %s", field);
    return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

/* The row of (CELL, SEED, name) in the run "r". */
static cJSON *result_row(const char *name)
{
    char *text = fixture_read(NULL, "r/results-1-of-1.jsonl");
    cJSON *found = NULL;
    for (char *line = strtok(text, "\n"); line != NULL && found == NULL;
         line = strtok(NULL, "\n")) {
        cJSON *row = cJSON_Parse(line);
        cr_assert_not_null(row);
        if (cJSON_GetObjectItem(row, "cell")->valueint == CELL &&
            cJSON_GetObjectItem(row, "seed")->valueint == SEED &&
            strcmp(cJSON_GetObjectItem(row, "family")->valuestring, name) == 0) {
            found = row;
        } else {
            cJSON_Delete(row);
        }
    }
    cr_assert_not_null(found, "no row of %s", name);
    regret_free(text);
    return found;
}

/* ---- Measures by the words of protocol §7 ---------------------------------------------------- */

static size_t best_of(const double *v, size_t n)
{
    size_t best = 0;
    for (size_t i = n; i-- > 0;) {
        best = v[i] >= v[best] ? i : best; /* from the back: ties go to the lowest index */
    }
    return best;
}

static double mean_regret(const struct exported *e, double surface[MAX_TEST][MAX_AGENTS])
{
    size_t n = e->problem.n_agents;
    double sum = 0.0;
    for (size_t i = 0; i < e->n_test; i++) {
        const double *mu = e->mu + e->test[i] * n;
        sum += mu[best_of(mu, n)] - mu[best_of(surface[i], n)];
    }
    return sum / (double)e->n_test;
}

static double surface_rmse(const struct exported *e, double surface[MAX_TEST][MAX_AGENTS])
{
    double sum = 0.0;
    for (size_t i = 0; i < e->n_test; i++) {
        for (size_t a = 0; a < e->problem.n_agents; a++) {
            double gap = surface[i][a] - e->mu[e->test[i] * e->problem.n_agents + a];
            sum += gap * gap;
        }
    }
    return sqrt(sum / (double)(e->n_test * e->problem.n_agents));
}

static double list_rmse(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum / (double)n);
}

/* The best k, one after the other. */
static void best_k(size_t *out, size_t k, const double *v, size_t n)
{
    double left[MAX_AGENTS];
    memcpy(left, v, n * sizeof *v);
    for (size_t i = 0; i < k; i++) {
        out[i] = best_of(left, n);
        left[out[i]] = -INFINITY;
    }
}

static double share_of_top3(const double *truth, const double *estimate, size_t n)
{
    size_t a[3], b[3], k = n < 3 ? n : 3, shared = 0;
    best_k(a, k, truth, n);
    best_k(b, k, estimate, n);
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j < k; j++) {
            shared += a[i] == b[j];
        }
    }
    return (double)shared / (double)k;
}

/* Pearson's correlation of the average ranks. */
static double rank_correlation(const double *a, const double *b, size_t n)
{
    double ra[MAX_AGENTS] = {0}, rb[MAX_AGENTS] = {0}, ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            ra[i] += a[j] < a[i] ? 1.0 : a[j] == a[i] ? 0.5 : 0.0;
            rb[i] += b[j] < b[i] ? 1.0 : b[j] == b[i] ? 0.5 : 0.0;
        }
        ma += ra[i] / (double)n;
        mb += rb[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        ab += (ra[i] - ma) * (rb[i] - mb);
        aa += (ra[i] - ma) * (ra[i] - ma);
        bb += (rb[i] - mb) * (rb[i] - mb);
    }
    return ab / sqrt(aa * bb);
}

/* Kendall's τ_b: pairs in the same less pairs in the opposite order, over those that are not tied. */
static double order_correlation(const double *a, const double *b, size_t n)
{
    double same = 0, opposite = 0, in_a = 0, in_b = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            same += (a[i] - a[j]) * (b[i] - b[j]) > 0;
            opposite += (a[i] - a[j]) * (b[i] - b[j]) < 0;
            in_a += a[i] != a[j];
            in_b += b[i] != b[j];
        }
    }
    return (same - opposite) / sqrt(in_a * in_b);
}

/* ---- One family ------------------------------------------------------------------------------ */

static void take_surface(double surface[MAX_TEST][MAX_AGENTS], const struct exported *e,
                         const double *prediction)
{
    for (size_t i = 0; i < e->n_test; i++) {
        for (size_t a = 0; a < e->problem.n_agents; a++) {
            surface[i][a] = 0.0;
            for (size_t k = 0; k < e->n_draws; k++) {
                size_t p = (e->test[i] * e->problem.n_agents + a) * e->n_draws + k;
                surface[i][a] += prediction[p] / (double)e->n_draws;
            }
        }
    }
}

static double share_of_hits(const struct exported *e, double surface[MAX_TEST][MAX_AGENTS],
                            size_t k)
{
    double hits = 0.0;
    size_t n = e->problem.n_agents, chosen[3];
    for (size_t i = 0; i < e->n_test; i++) {
        const double *mu = e->mu + e->test[i] * n;
        int hit = 0;
        best_k(chosen, k, surface[i], n);
        for (size_t j = 0; j < k; j++) {
            hit |= mu[chosen[j]] == mu[best_of(mu, n)];
        }
        hits += hit;
    }
    return hits / (double)e->n_test;
}

static void true_values(double *truth, const struct exported *e)
{
    for (size_t a = 0; a < e->problem.n_agents; a++) {
        truth[a] = 0.0;
        for (size_t i = 0; i < e->n_reference; i++) {
            truth[a] += e->mu[e->reference[i] * e->problem.n_agents + a] / (double)e->n_reference;
        }
    }
}

static void check_hyper(const struct exported *e, size_t f, const struct reference_estimate *want,
                        const cJSON *row)
{
    static const char *const bases[] = {"linear", "quadratic", "interactions"};
    const cJSON *objects[] = {cJSON_GetObjectItem(e->hyper, regret_family_at(f)->name), row};
    for (size_t i = 0; i < 2; i++) {
        near(json_number(objects[i], "lambda"), want->lambda, regret_family_at(f)->name, "lambda");
        near(json_number(objects[i], "alpha"), want->alpha, regret_family_at(f)->name, "alpha");
        near(json_number(objects[i], "tau"), want->tau, regret_family_at(f)->name, "tau");
        const cJSON *basis = cJSON_GetObjectItem(objects[i], "basis");
        cr_assert(want->basis < 0 ? cJSON_IsNull(basis)
                                  : strcmp(basis->valuestring, bases[want->basis]) == 0,
                  "%s: basis", regret_family_at(f)->name);
    }
}

/* The loss of every candidate, in the same order. */
static void check_losses(const struct exported *e, size_t f, const struct reference_estimate *want)
{
    const cJSON *list =
        cJSON_GetObjectItem(cJSON_GetObjectItem(e->hyper, regret_family_at(f)->name), "candidates");
    cr_assert(want->n_losses == 0 || (size_t)cJSON_GetArraySize(list) == want->n_losses, "%s",
              regret_family_at(f)->name);
    for (size_t c = 0; c < want->n_losses; c++) {
        near(json_number(cJSON_GetArrayItem(list, (int)c), "loss"), want->loss[c],
             regret_family_at(f)->name, "loss");
    }
}

/* values.csv against the reference, and the value columns of the row against both. */
static void check_values(const struct exported *e, size_t f, const struct reference_estimate *want,
                         const cJSON *row)
{
    static const char *const fields[] = {"truth", "dm", "dr", "sndr"};
    double v[4][MAX_AGENTS];
    size_t n = e->problem.n_agents, rows = 0;
    true_values(v[0], e);
    reference_values(v[1], v[2], v[3], want, &e->problem, e->reference_eval);
    for (size_t c = 0; c < 4; c++) {
        double *column = exported_column(&rows, e, "values.csv", c + 2);
        cr_assert_eq(rows, regret_family_count() * n);
        for (size_t a = 0; a < n; a++) {
            near(column[f * n + a], v[c][a], regret_family_at(f)->name, fields[c]);
        }
        free(column);
    }
    near(json_number(row, "dm_rmse"), list_rmse(v[0], v[1], n), regret_family_at(f)->name,
         "dm_rmse");
    near(json_number(row, "dr_rmse"), list_rmse(v[0], v[2], n), regret_family_at(f)->name,
         "dr_rmse");
    near(json_number(row, "sndr_rmse"), list_rmse(v[0], v[3], n), regret_family_at(f)->name,
         "sndr_rmse");
    near(json_number(row, "top1"), best_of(v[0], n) == best_of(v[1], n), regret_family_at(f)->name,
         "top1");
    near(json_number(row, "top3"), share_of_top3(v[0], v[1], n), regret_family_at(f)->name, "top3");
    near(json_number(row, "spearman"), rank_correlation(v[0], v[1], n), regret_family_at(f)->name,
         "spearman");
    near(json_number(row, "kendall"), order_correlation(v[0], v[1], n), regret_family_at(f)->name,
         "kendall");
}

static void check_family(const struct exported *e, size_t f)
{
    double surface[MAX_TEST][MAX_AGENTS];
    struct reference_estimate want;
    size_t rows = 0;
    cJSON *row = result_row(regret_family_at(f)->name);
    double *prediction = exported_column(&rows, e, "predictions.csv", f + 1);
    cr_assert_eq(rows, e->problem.pairs);
    cr_assert_eq(reference_fit(&want, regret_family_at(f)->name, &e->problem), 0);
    for (size_t p = 0; p < rows; p++) {
        near(prediction[p], want.prediction[p], regret_family_at(f)->name, "prediction");
    }
    check_hyper(e, f, &want, row);
    check_losses(e, f, &want);
    check_values(e, f, &want, row);
    take_surface(surface, e, prediction);
    near(json_number(row, "regret"), mean_regret(e, surface), regret_family_at(f)->name, "regret");
    near(json_number(row, "hit1"), share_of_hits(e, surface, 1), regret_family_at(f)->name, "hit1");
    near(json_number(row, "hit3"), share_of_hits(e, surface, 3), regret_family_at(f)->name, "hit3");
    near(json_number(row, "rmse"), surface_rmse(e, surface), regret_family_at(f)->name, "rmse");
    cJSON_Delete(row);
    free(prediction);
    free(want.prediction);
    free(want.cross_fit);
}

/* ---- Baselines and the R² of the proxy ------------------------------------------------------- */

static double fixed_regret(const struct exported *e, size_t agent)
{
    double surface[MAX_TEST][MAX_AGENTS] = {{0}};
    for (size_t i = 0; i < e->n_test; i++) {
        surface[i][agent] = 1.0;
    }
    return mean_regret(e, surface);
}

static size_t best_by_mean(const struct exported *e, const uint32_t *pair, const double *y,
                           size_t n_rows)
{
    double mean[MAX_AGENTS];
    for (size_t a = 0; a < e->problem.n_agents; a++) {
        double sum = 0.0, n = 0.0;
        for (size_t i = 0; i < n_rows; i++) {
            if (e->problem.agent[pair[i]] == a) {
                sum += y[i];
                n += 1.0;
            }
        }
        mean[a] = n > 0.0 ? sum / n : -1.0;
    }
    return best_of(mean, e->problem.n_agents);
}

static void check_baselines(const struct exported *e)
{
    const struct reference_problem *p = &e->problem;
    double random = 0.0;
    for (size_t a = 0; a < p->n_agents; a++) {
        random += fixed_regret(e, a) / (double)p->n_agents;
    }
    const struct {
        const char *name;
        double regret;
    } want[] = {{"oracle", 0.0},
                {"random", random},
                {"best-exp", fixed_regret(e, best_by_mean(e, p->exp_pair, p->exp_y, p->n_exp))},
                {"best-obs", fixed_regret(e, best_by_mean(e, p->obs_pair, p->obs_y, p->n_obs))}};
    for (size_t b = 0; b < 4; b++) {
        cJSON *row = result_row(want[b].name);
        near(json_number(row, "regret"), want[b].regret, want[b].name, "regret");
        cJSON_Delete(row);
    }
}

/* Least squares of mu on (1, z) over training pairs by the normal equations. One draw a pair. */
static void check_proxy_fit(const struct exported *e)
{
    enum { MAX = 8 };
    const struct reference_problem *p = &e->problem;
    size_t d = p->z_dim + 1;
    cr_assert(d <= MAX && e->n_draws == 1);
    long double m[MAX * (MAX + 1)] = {0}, b[MAX];
    for (size_t i = 0; i < p->pairs; i++) {
        long double x[MAX] = {1.0L};
        for (size_t j = 1; j < d; j++) {
            x[j] = p->z[i * p->z_dim + j - 1];
        }
        for (size_t r = 0; p->train[i] && r < d; r++) {
            for (size_t c = 0; c < d; c++) {
                m[r * (d + 1) + c] += x[r] * x[c];
            }
            m[r * (d + 1) + d] += x[r] * e->mu[i];
        }
    }
    reference_solve(b, m, d);
    long double sse = 0, clipped = 0, sst = 0, mean = 0, n = 0;
    for (size_t i = 0; i < p->pairs; i++) {
        mean += e->eval[i] ? e->mu[i] : 0.0;
        n += e->eval[i];
    }
    for (size_t i = 0; i < p->pairs; i++) {
        long double fit = b[0];
        for (size_t j = 1; j < d; j++) {
            fit += b[j] * p->z[i * p->z_dim + j - 1];
        }
        long double inside = fit < 0.0L ? 0.0L : fit > 1.0L ? 1.0L : fit;
        sse += e->eval[i] ? (e->mu[i] - fit) * (e->mu[i] - fit) : 0.0L;
        clipped += e->eval[i] ? (e->mu[i] - inside) * (e->mu[i] - inside) : 0.0L;
        sst += e->eval[i] ? (e->mu[i] - mean / n) * (e->mu[i] - mean / n) : 0.0L;
    }
    cJSON *row = result_row("proxy");
    near(json_number(row, "r2"), (double)(1.0L - sse / sst), "proxy", "r2");
    near(json_number(row, "r2_clipped"), (double)(1.0L - clipped / sst), "proxy", "r2_clipped");
    cJSON_Delete(row);
}

/* Runs with the overrides, exports (CELL, SEED) and recomputes it. */
static void check(const char *const *sets, size_t n_sets, const char *z_file)
{
    struct regret_run_options o = fixture_options("r");
    struct exported e;
    o.sets = sets;
    o.n_sets = n_sets;
    fixture_run(&o);
    cr_assert_eq(regret_export_cell(sample_path("e"), fixture_config(), sets, n_sets, CELL, SEED, 0,
                                    0, NULL),
                 0, "%s", regret_error_message());
    exported_open(&e, "e", z_file);
    cr_assert(e.n_test <= MAX_TEST && e.problem.n_agents <= MAX_AGENTS);
    /* mixed and stack, the last two, have a reference of their own (tests/outside/check_practice.py) */
    for (size_t f = 0; f + 2 < regret_family_count(); f++) {
        check_family(&e, f);
    }
    check_baselines(&e);
    if (e.n_draws == 1) {
        check_proxy_fit(&e);
    }
    exported_close(&e);
}

Test(export, a_replicate_is_recomputed_from_its_files)
{
    const char *sets[] = {fixture_every_family(), "cv.folds=3"};
    check(sets, 2, "z-aux-svd.csv");
}

Test(export, with_contexts_left_out_to_choose_hyper_parameters)
{
    const char *sets[] = {fixture_every_family(), "cv.folds=3", "cv.leave_out=contexts"};
    check(sets, 3, "z-aux-svd.csv");
}

Test(export, with_a_holdout_sharpened_rewards_and_agent_features)
{
    const char *sets[] = {fixture_every_family(), "grounded_linear.tuning=holdout",
                          "reward.map=sharpened", "features.agent=true", "proxy.kind=tfidf-svd"};
    check(sets, 5, "z-tfidf-svd.csv"); /* five folds of four agents: rows instead */
}

Test(export, with_reference_contexts_apart_from_those_of_the_regret)
{
    const char *sets[] = {fixture_every_family(), "cv.folds=3", "contexts.train_share=0.5",
                          "contexts.reference=0.7"};
    check(sets, 4, "z-aux-svd.csv");
    struct exported e;
    exported_open(&e, "e", "z-aux-svd.csv");
    cr_assert(e.n_test == 2 && e.n_reference == 2);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_neq(e.test[i % 2], e.reference[i / 2]);
    }
    exported_close(&e);
}

Test(export, with_two_draws_and_duplicate_texts)
{
    struct regret_synth_options options = {4, 5, 2};
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_synth_pool(&pool, &newswire_generator, &options), 0);
    cr_assert_eq(regret_pool_write(pool, sample_path("pool"), NULL, 1), 0);
    regret_pool_free(pool);
    const char *sets[] = {fixture_every_family(), "proxy.kind=predicted-labels", "n_exp=30",
                          "n_obs=50"};
    check(sets, 4, "z-predicted-labels.csv");
}

Test(export, an_existing_folder_is_safe)
{
    char e[256];
    snprintf(e, sizeof e, "%s", sample_path("e"));
    cr_assert_eq(regret_export_cell(e, fixture_config(), NULL, 0, 0, 0, 0, 0, NULL), 0);
    cr_assert_eq(regret_export_cell(e, fixture_config(), NULL, 0, 0, 0, 0, 0, NULL),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "exists already"));
    cr_assert_eq(regret_export_cell(e, fixture_config(), NULL, 0, 1, 1, 0, 1, NULL), 0);
    const char *values_off[] = {"values.enabled=false"};
    cr_assert_eq(regret_export_cell(e, fixture_config(), values_off, 1, 1, 1, 0, 1, NULL), 0);
    char *text = fixture_read(NULL, "e/values.csv");
    cr_assert_not_null(strstr(text, ",nan,nan\n"), "no DR without values");
    regret_free(text);
    text = fixture_read(NULL, "e/intervals.csv");
    cr_assert_null(strstr(text, ",dr,"));
    regret_free(text);
}
