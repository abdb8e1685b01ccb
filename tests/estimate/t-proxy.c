#include <cblas.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/multi_ridge.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

enum { P = 60, LABELS = 5, STATS = 3, COORDINATES = 8, DIM = 6, SAMPLE = 36 };

/* A small pool; the labels' last column is constant. */
struct pool {
    char text[P][200];
    const char *pointer[P];
    double aux[P * LABELS], statistics[P * STATS], coordinates[P * COORDINATES], count[P];
    struct regret_terms *terms;
    struct regret_design features; /* the coordinates */
    struct regret_proxy_source source;
};

static struct regret_terms *count_terms(const char *const *texts, size_t n)
{
    struct regret_tokens *tokens = NULL;
    struct regret_terms *terms = NULL;
    struct regret_terms_options options = REGRET_TERMS_OPTIONS_INIT;
    cr_assert_eq(regret_tokens_build(&tokens, texts, n), REGRET_OK);
    cr_assert_eq(regret_terms_build(&terms, tokens, &options), REGRET_OK);
    regret_tokens_free(tokens);
    return terms;
}

static void make_texts(struct pool *p, struct regret_rng *r)
{
    for (size_t i = 0; i < P; i++) {
        for (int w = 0; w < 12; w++) {
            char word[16];
            double u = regret_rng_uniform(r);
            snprintf(word, sizeof word, "word%d ", (int)(80 * u * u));
            strcat(p->text[i], word);
        }
        p->pointer[i] = p->text[i];
    }
    p->terms = count_terms(p->pointer, P);
}

static struct pool *pool_new(void)
{
    struct pool *p = calloc(1, sizeof *p);
    struct regret_rng r = regret_rng_at(6, REGRET_RNG_TEST, 0);
    make_texts(p, &r);
    for (size_t i = 0; i < P * COORDINATES; i++) {
        p->coordinates[i] = regret_rng_normal(&r);
    }
    for (size_t j = 0; j < LABELS; j++) {
        for (size_t i = 0; i < P; i++) {
            double signal = p->coordinates[i + j * P] * (double)(j + 1);
            p->aux[i + j * P] = j == LABELS - 1 ? 3.0 : signal + regret_rng_normal(&r);
        }
    }
    for (size_t i = 0; i < P * STATS; i++) {
        p->statistics[i] = 10.0 + regret_rng_normal(&r);
    }
    for (size_t i = 0; i < SAMPLE; i++) {
        p->count[i] = (double)(i % 3); /* rows past SAMPLE are held out */
    }
    p->features = regret_design_dense(P, COORDINATES, p->coordinates);
    p->source = (struct regret_proxy_source){P,     p->aux,   LABELS,      p->statistics,
                                             STATS, p->terms, &p->features};
    return p;
}

static void pool_free(struct pool *p)
{
    regret_terms_free(p->terms);
    free(p);
}

static struct regret_proxy_options small_options(enum regret_proxy_kind kind)
{
    struct regret_proxy_options o = REGRET_PROXY_OPTIONS_INIT;
    o.kind = kind;
    o.dim = DIM;
    o.tfidf_rank = 10;
    o.scale = REGRET_SCALE_RAW;
    return o;
}

Test(proxy, is_standardised_over_obs_rows)
{
    struct pool *p = pool_new();
    const size_t dims[REGRET_PROXY_KINDS] = {DIM, LABELS - 1, DIM};
    for (int kind = 0; kind < REGRET_PROXY_KINDS; kind++) {
        struct regret_proxy_options o = small_options((enum regret_proxy_kind)kind);
        double z[P * DIM];
        size_t dim = 0;
        cr_assert_eq(regret_proxy_fit(z, &dim, &p->source, p->count, &o), REGRET_OK);
        cr_assert_eq(dim, dims[kind], "%s: %zu", regret_proxy_kind_name(o.kind), dim);
        for (size_t k = 0; k < DIM; k++) {
            double n = 0.0, sum = 0.0, squares = 0.0, held_out = 0.0;
            for (size_t i = 0; i < P; i++) {
                double x = z[i + k * P];
                n += p->count[i];
                sum += p->count[i] * x;
                squares += p->count[i] * x * x;
                held_out += i >= SAMPLE ? fabs(x) : 0.0;
            }
            cr_assert_float_eq(sum / n, 0.0, 1e-11);
            cr_assert_float_eq(squares / n, k < dim ? 1.0 : 0.0, 1e-11);
            cr_assert(k < dim ? held_out > 1.0 : held_out == 0.0);
        }
    }
    pool_free(p);
}

/* Rewrites the pool with every row as often as its count, observed rows first, and compares. */
static void check_repetition(const struct pool *p, enum regret_proxy_kind kind)
{
    const char *texts[2 * P];
    double aux[2 * P * LABELS], statistics[2 * P * STATS], coordinates[2 * P * COORDINATES];
    double ones[2 * P], z[P * DIM], repeated[2 * P * DIM];
    size_t origin[2 * P], n = 0, dim = 0, again = 0;
    for (size_t i = P; i-- > 0;) { /* backwards, so that the order changes as well */
        size_t copies = p->count[i] > 0.0 ? (size_t)p->count[i] : 1;
        for (size_t c = 0; c < copies; c++) {
            ones[n] = p->count[i] > 0.0 ? 1.0 : 0.0;
            origin[n++] = i;
        }
    }
    for (size_t r = 0; r < n; r++) {
        texts[r] = p->pointer[origin[r]];
        for (size_t j = 0; j < LABELS; j++) {
            aux[r + j * n] = p->aux[origin[r] + j * P];
        }
        for (size_t j = 0; j < STATS; j++) {
            statistics[r + j * n] = p->statistics[origin[r] + j * P];
        }
        for (size_t j = 0; j < COORDINATES; j++) {
            coordinates[r + j * n] = p->coordinates[origin[r] + j * P];
        }
    }
    struct regret_terms *terms = count_terms(texts, n);
    const struct regret_design features = regret_design_dense(n, COORDINATES, coordinates);
    struct regret_proxy_source source = {n, aux, LABELS, statistics, STATS, terms, &features};
    struct regret_proxy_options o = small_options(kind);
    cr_assert_eq(regret_proxy_fit(z, &dim, &p->source, p->count, &o), REGRET_OK);
    cr_assert_eq(regret_proxy_fit(repeated, &again, &source, ones, &o), REGRET_OK);
    cr_assert_eq(dim, again);
    for (size_t k = 0; k < dim; k++) {
        for (size_t r = 0; r < n; r++) {
            cr_assert_float_eq(repeated[r + k * n], z[origin[r] + k * P], 1e-8,
                               "%s row %zu component %zu", regret_proxy_kind_name(kind), r, k);
        }
    }
    regret_terms_free(terms);
}

Test(proxy, a_count_equals_repetition_and_order_does_not_matter)
{
    struct pool *p = pool_new();
    for (int kind = 0; kind < REGRET_PROXY_KINDS; kind++) {
        check_repetition(p, (enum regret_proxy_kind)kind);
    }
    pool_free(p);
}

/* The fit must not look at held-out rows: changing them changes z there only. */
Test(proxy, held_out_rows_do_not_reach_the_fit)
{
    struct pool *p = pool_new();
    for (int kind = 0; kind < REGRET_PROXY_KINDS; kind++) {
        struct regret_proxy_options o = small_options((enum regret_proxy_kind)kind);
        double before[P * DIM], after[P * DIM], aux[P * LABELS], coordinates[P * COORDINATES];
        size_t dim = 0;
        cr_assert_eq(regret_proxy_fit(before, &dim, &p->source, p->count, &o), REGRET_OK);
        const char *texts[P];
        memcpy(aux, p->aux, sizeof aux);
        memcpy(coordinates, p->coordinates, sizeof coordinates);
        for (size_t i = 0; i < P; i++) {
            texts[i] = i < SAMPLE ? p->pointer[i] : "word1 word2 unheard of before";
            for (size_t j = 0; j < LABELS && i >= SAMPLE; j++) {
                aux[i + j * P] += 100.0;
            }
            for (size_t j = 0; j < COORDINATES && i >= SAMPLE; j++) {
                coordinates[i + j * P] -= 7.0;
            }
        }
        struct regret_terms *terms = count_terms(texts, P);
        struct regret_proxy_source source = p->source;
        const struct regret_design features = regret_design_dense(P, COORDINATES, coordinates);
        source.aux = aux;
        source.features = &features;
        source.terms = terms;
        cr_assert_eq(regret_proxy_fit(after, &dim, &source, p->count, &o), REGRET_OK);
        double moved = 0.0;
        for (size_t k = 0; k < dim; k++) {
            for (size_t i = 0; i < P; i++) {
                double change = fabs(after[i + k * P] - before[i + k * P]);
                cr_assert(i >= SAMPLE || change < 1e-9);
                moved += change;
            }
        }
        cr_assert_gt(moved, 1.0);
        regret_terms_free(terms);
    }
    pool_free(p);
}

/* The span of z is what the definition says: for predicted labels without standardising, distances
 * between z rows equal distances between predictions (all components kept). */
Test(proxy, predicted_labels_keep_the_geometry_of_the_predictions)
{
    struct pool *p = pool_new();
    struct regret_proxy_options o = small_options(REGRET_PROXY_PREDICTED_LABELS);
    double z[P * DIM], t[P * LABELS], prediction[P * LABELS];
    size_t dim = 0;
    o.standardise = 0;
    cr_assert_eq(regret_proxy_fit(z, &dim, &p->source, p->count, &o), REGRET_OK);
    memcpy(t, p->aux, sizeof t);
    cr_assert_eq(regret_standardise(t, P, LABELS, p->count, NULL), REGRET_OK);
    cr_assert_eq(multi_ridge_predict(prediction, &p->features, t, LABELS, p->count, 1.0),
                 REGRET_OK);
    for (size_t i = 1; i < P; i++) {
        double in_z = 0.0, in_labels = 0.0;
        for (size_t k = 0; k < dim; k++) {
            in_z += pow(z[i + k * P] - z[k * P], 2);
        }
        for (size_t j = 0; j < LABELS; j++) {
            in_labels += pow(prediction[i + j * P] - prediction[j * P], 2);
        }
        cr_assert_float_eq(in_z, in_labels, 1e-9);
    }
    pool_free(p);
}

/* aux-svd with room for every component keeps distances of the standardised columns beside the
 * scaled block; here rebuilt column by column. */
Test(proxy, aux_svd_keeps_the_geometry_of_its_columns)
{
    struct pool *p = pool_new();
    struct regret_proxy_options o = small_options(REGRET_PROXY_AUX_SVD);
    enum { BLOCK = 10, ALL = LABELS + STATS + BLOCK };
    double z[P * ALL], x[P * ALL];
    size_t dim = 0, found = 0;
    o.dim = ALL;
    o.standardise = 0;
    cr_assert_eq(regret_proxy_fit(z, &dim, &p->source, p->count, &o), REGRET_OK);
    cr_assert_eq(dim, ALL - 1); /* one label is constant */
    memcpy(x, p->aux, sizeof p->aux);
    memcpy(x + P * LABELS, p->statistics, sizeof p->statistics);
    cr_assert_eq(regret_standardise(x, P, LABELS + STATS, p->count, NULL), REGRET_OK);
    struct regret_tfidf_options tfidf = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_svd_options svd = REGRET_SVD_OPTIONS_INIT;
    svd.rank = BLOCK;
    double *block = x + P * (LABELS + STATS), variance = 0.0;
    cr_assert_eq(regret_tfidf_svd(block, &found, p->terms, p->count, &tfidf, &svd), REGRET_OK);
    for (size_t j = 0; j < BLOCK; j++) {
        double n = 0.0, sum = 0.0, squares = 0.0;
        for (size_t i = 0; i < P; i++) {
            n += p->count[i];
            sum += p->count[i] * block[i + j * P];
            squares += p->count[i] * block[i + j * P] * block[i + j * P];
        }
        variance += (squares / n - sum / n * sum / n) / BLOCK;
    }
    for (size_t i = 1; i < P; i++) {
        double in_z = 0.0, in_columns = 0.0;
        for (size_t k = 0; k < dim; k++) {
            in_z += pow(z[i + k * P] - z[k * P], 2);
        }
        for (size_t j = 0; j < ALL; j++) {
            double scale = j < LABELS + STATS ? 1.0 : variance;
            in_columns += pow(x[i + j * P] - x[j * P], 2) / scale;
        }
        cr_assert_float_eq(in_z, in_columns, 1e-8 * in_columns);
    }
    pool_free(p);
}

Test(proxy, degenerate_sources)
{
    struct pool *p = pool_new();
    struct regret_proxy_options o = small_options(REGRET_PROXY_AUX_SVD);
    double z[P * DIM];
    size_t dim = 0;
    struct regret_proxy_source source = p->source;
    source.n_aux = source.n_statistics = 0; /* the texts alone */
    source.aux = source.statistics = NULL;
    cr_assert_eq(regret_proxy_fit(z, &dim, &source, p->count, &o), REGRET_OK);
    cr_assert_eq(dim, DIM);
    source = p->source; /* labels and statistics alone */
    source.terms = NULL;
    o.tfidf_rank = 0;
    cr_assert_eq(regret_proxy_fit(z, &dim, &source, p->count, &o), REGRET_OK);
    cr_assert_eq(dim, DIM);
    double one[P] = {0}; /* a single observed pair: everything is constant */
    one[3] = 5.0;
    for (int kind = 0; kind < REGRET_PROXY_KINDS; kind++) {
        o = small_options((enum regret_proxy_kind)kind);
        cr_assert_eq(regret_proxy_fit(z, &dim, &p->source, one, &o), REGRET_OK, "%s",
                     regret_error_message());
        for (size_t i = 0; i < P * DIM; i++) {
            cr_assert_eq(z[i], 0.0);
        }
    }
    pool_free(p);
}

Test(proxy, bad_input_is_refused)
{
    struct pool *p = pool_new();
    double z[P * DIM] = {-3.0}, none[P] = {0};
    size_t dim = 55;
    for (int kind = 0; kind < REGRET_PROXY_KINDS; kind++) {
        struct regret_proxy_options o = small_options((enum regret_proxy_kind)kind);
        cr_assert_eq(regret_proxy_fit(z, &dim, &p->source, none, &o), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), regret_proxy_kind_name(o.kind)));
        cr_assert_not_null(strstr(regret_error_message(), "positive weight"));
        o.dim = 0;
        cr_assert_eq(regret_proxy_fit(z, &dim, &p->source, p->count, &o), REGRET_E_INPUT);
    }
    struct regret_proxy_options o = small_options(REGRET_PROXY_PREDICTED_LABELS);
    struct regret_proxy_source source = p->source;
    source.n_aux = 0;
    cr_assert_eq(regret_proxy_fit(z, &dim, &source, p->count, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "auxiliary labels"));
    o = small_options(REGRET_PROXY_TFIDF_SVD);
    source.terms = NULL;
    cr_assert_eq(regret_proxy_fit(z, &dim, &source, p->count, &o), REGRET_E_INPUT);
    o.kind = REGRET_PROXY_KINDS;
    cr_assert_eq(regret_proxy_fit(z, &dim, &source, p->count, &o), REGRET_E_INPUT);
    cr_assert(z[0] == -3.0 && dim == 55);
    pool_free(p);
}

struct fits {
    const struct pool *pool;
    double z[12][P * DIM];
};

static int fit_job(void *context, size_t index, size_t worker)
{
    struct fits *fits = context;
    struct regret_proxy_options o = small_options((enum regret_proxy_kind)(index % 3));
    size_t dim = 0;
    (void)worker;
    return regret_proxy_fit(fits->z[index], &dim, &fits->pool->source, fits->pool->count, &o);
}

Test(proxy, threads_share_a_source_and_agree_bit_by_bit)
{
    struct fits *one = calloc(1, sizeof *one), *four = calloc(1, sizeof *four);
    struct pool *p = pool_new();
    openblas_set_num_threads(1);
    one->pool = four->pool = p;
    cr_assert_eq(regret_parallel_for(12, 1, fit_job, one), REGRET_OK);
    cr_assert_eq(regret_parallel_for(12, 4, fit_job, four), REGRET_OK);
    cr_assert_arr_eq(one->z, four->z, sizeof one->z);
    cr_assert_arr_eq(one->z[0], one->z[9], sizeof one->z[0]);
    pool_free(p);
    free(one);
    free(four);
}

Test(proxy, allocation_failures_leave_the_output_untouched)
{
    struct pool *p = pool_new();
    for (int kind = 0; kind < REGRET_PROXY_KINDS; kind++) {
        struct regret_proxy_options o = small_options((enum regret_proxy_kind)kind);
        int rc = REGRET_E_NOMEM;
        for (long k = 0; rc != REGRET_OK; k++) {
            double z[P * DIM];
            size_t dim = 55;
            z[0] = -3.0;
            regret_alloc_fail_after(k);
            rc = regret_proxy_fit(z, &dim, &p->source, p->count, &o);
            regret_alloc_fail_after(-1);
            cr_assert(rc == REGRET_OK || (rc == REGRET_E_NOMEM && z[0] == -3.0 && dim == 55));
            cr_assert_lt(k, 200);
        }
    }
    pool_free(p);
}
