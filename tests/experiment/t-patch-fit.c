/* The fit of the target on the statistics of patches, recomputed from the pool. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/curves.h"
#include "experiment/fixture.h"
#include "experiment/pool_source.h"
#include "experiment/replicate.h"
#include "regret/status.h"
#include "text/patch.h"

static void open_patches(void)
{
    sample_write(
        "config.json",
        "{\"pool\": \"" REGRET_SOURCE_FOLDER "/data/pools/patches\", \"contexts.hard\": 20, "
        "\"reward.map\": \"utility\", \"reward.lambda_fix\": 0.25, \"n_obs\": 300, "
        "\"n_exp\": 60, \"features.buckets\": 64, \"families\": [\"obs-only\"], "
        "\"values.enabled\": false, \"sweep\": {\"proxy.scale\": [\"raw\", \"winsor\"]}}\n");
}

TestSuite(patch_fit, .init = open_patches, .fini = fixture_close);

enum { MOST = REGRET_PATCH_STATISTICS + 1 };

/* v of the pair's label, moved between the least values that 1 % and 99 % of the OBS rows do not exceed. */
static double moved(const double *label, size_t pair, const struct regret_rows *obs, int winsor)
{
    double ends[2] = {INFINITY, INFINITY};
    for (size_t i = 0; i < obs->n && winsor; i++) {
        double candidate = label[obs->pair[i]], below = 0.0;
        for (size_t j = 0; j < obs->n; j++) {
            below += label[obs->pair[j]] <= candidate;
        }
        ends[0] = below >= 0.01 * (double)obs->n ? fmin(ends[0], candidate) : ends[0];
        ends[1] = below >= 0.99 * (double)obs->n ? fmin(ends[1], candidate) : ends[1];
    }
    return winsor ? fmin(fmax(label[pair], ends[0]), ends[1]) : label[pair];
}

/* Orthogonal columns, one after the other; a column that the earlier ones make up says nothing. Each is x less its
 * projections, everywhere, by coefficients of the training rows. */
static double naive_r2(double *const *x, size_t d, const double *y, size_t pairs,
                       const unsigned char *train, const unsigned char *test)
{
    long double *fit = calloc(pairs, sizeof *fit), sse = 0, sst = 0, mean = 0, n = 0;
    long double *q = calloc(pairs * MOST, sizeof *q);
    for (size_t j = 0; j <= d; j++) {
        long double *c = q + j * pairs, size = 0, norm = 0, cy = 0;
        for (size_t p = 0; p < pairs; p++) {
            c[p] = j == 0 ? 1.0L : x[j - 1][p];
            size += train[p] ? c[p] * c[p] : 0.0L;
        }
        for (size_t i = 0; i < 2 * j; i++) { /* twice, for what rounding leaves */
            const long double *b = q + (i % j) * pairs;
            long double bb = 0, bc = 0;
            for (size_t p = 0; p < pairs; p++) {
                bb += train[p] ? b[p] * b[p] : 0.0L;
                bc += train[p] ? b[p] * c[p] : 0.0L;
            }
            for (size_t p = 0; p < pairs && bb > 0; p++) {
                c[p] -= bc / bb * b[p];
            }
        }
        for (size_t p = 0; p < pairs; p++) {
            norm += train[p] ? c[p] * c[p] : 0.0L;
            cy += train[p] ? c[p] * y[p] : 0.0L;
        }
        int dependent = norm <= 1e-20L * size;
        for (size_t p = 0; p < pairs; p++) {
            c[p] = dependent ? 0.0L : c[p];
            fit[p] += dependent ? 0.0L : cy / norm * c[p];
        }
    }
    for (size_t p = 0; p < pairs; p++) {
        mean += test[p] ? y[p] : 0.0;
        n += test[p];
    }
    for (size_t p = 0; p < pairs; p++) {
        sse += test[p] ? (y[p] - fit[p]) * (y[p] - fit[p]) : 0.0L;
        sst += test[p] ? (y[p] - mean / n) * (y[p] - mean / n) : 0.0L;
    }
    free(q);
    free(fit);
    return (double)(1.0L - sse / sst);
}

static void check(const struct replicate *r, int winsor)
{
    const struct feature_set *f = r->setting.features;
    const struct regret_pool *pool = f->grid->pool;
    double *x[MOST];
    cr_assert_eq(patch_fit_columns(pool), REGRET_PATCH_STATISTICS);
    for (size_t k = 0; k < REGRET_PATCH_STATISTICS; k++) {
        size_t label = 0;
        while (strcmp(pool->aux[label], regret_patch_statistic_name(k)) != 0) {
            label++;
        }
        x[k] = calloc(f->pairs, sizeof **x);
        for (size_t p = 0; p < f->pairs; p++) {
            x[k][p] = moved(f->aux + label * f->pairs, p, &r->draws.obs, winsor);
        }
    }
    double wanted = naive_r2(x, REGRET_PATCH_STATISTICS, r->setting.task->pair_mean, f->pairs,
                             r->setting.split.train, r->setting.split.test);
    cr_assert_eq(r->measures.n_fits, 4);
    cr_assert_float_eq(r->measures.fit_r2[3], wanted, 1e-8, "%.12g, not %.12g",
                       r->measures.fit_r2[3], wanted);
    cr_assert_gt(wanted, 0.2, "statistics of patches say something of their quality: %g", wanted);
    for (size_t k = 0; k < REGRET_PATCH_STATISTICS; k++) {
        free(x[k]);
    }
}

Test(patch_fit, is_what_least_squares_on_the_statistics_gives)
{
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    for (size_t cell = 0; cell < 2; cell++) {
        struct replicate *r = NULL;
        const struct replicate_place at = {cell, 1 + cell, 0, 0};
        cr_assert_eq(
            replicate_run(&r, &(struct replicate_source){o.plan, o.inputs, NULL, NULL}, &at), 0,
            "%s", regret_error_message());
        check(r, cell == 1);
        replicate_free(r);
    }
    fixture_inputs_close(&o);
}

/* A pool without "success" has no such fit, whatever its labels are called. */
Test(patch_fit, is_of_patches_alone)
{
    char files[] = "files", words[] = "words", good[] = "quality", done[] = "success";
    char *aux[] = {files, words};
    struct regret_component quality = {good, 0.0, 1.0, 0}, success = {done, 0.0, 1.0, 0};
    struct regret_pool pool = {.aux = aux, .n_aux = 2, .components = &quality, .n_components = 1};
    cr_assert_eq(patch_fit_columns(&pool), 0);
    pool.components = &success;
    cr_assert_eq(patch_fit_columns(&pool), 1);
    pool.n_aux = 0;
    cr_assert_eq(patch_fit_columns(&pool), 0);
}
