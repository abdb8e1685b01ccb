/* The proxy z and its scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "linalg/multi_ridge.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/status.h"

FREED_POINTER(struct regret_pca, regret_pca_free)

const char *regret_proxy_kind_name(enum regret_proxy_kind kind)
{
    static const char *const names[REGRET_PROXY_KINDS] = {[REGRET_PROXY_AUX_SVD] = "aux-svd",
                                                          [REGRET_PROXY_PREDICTED_LABELS] =
                                                              "predicted-labels",
                                                          [REGRET_PROXY_TFIDF_SVD] = "tfidf-svd"};
    return (unsigned)kind < REGRET_PROXY_KINDS ? names[kind] : NULL;
}

/* TF-IDF+SVD of the outputs at a rank. */
static int output_svd(double *t, size_t *found, const struct regret_proxy_source *source,
                      const double *count, size_t rank, const struct regret_proxy_options *options)
{
    struct regret_tfidf_options tfidf = REGRET_TFIDF_OPTIONS_INIT;
    struct regret_svd_options svd = REGRET_SVD_OPTIONS_INIT;
    tfidf.max_terms = options->max_terms;
    svd.rank = rank;
    svd.seed = options->seed;
    return regret_tfidf_svd(t, found, source->terms, count, &tfidf, &svd);
}

/* Centres the block t (rows x cols) over weighted rows and gives its columns mean variance one. A
 * block without variance becomes zero. */
static void scale_block(double *t, size_t rows, size_t cols, const double *count)
{
    double n = 0.0, variance = 0.0, largest = 0.0;
    for (size_t i = 0; i < rows; i++) {
        n += count[i];
    }
    for (size_t j = 0; j < cols; j++) {
        double *column = t + j * rows, mean = 0.0;
        for (size_t i = 0; i < rows; i++) {
            mean += count[i] * column[i] / n;
        }
        for (size_t i = 0; i < rows; i++) {
            largest = fmax(largest, fabs(column[i]));
            column[i] -= mean;
            variance += count[i] * column[i] * column[i] / n;
        }
    }
    double deviation = cols > 0 ? sqrt(variance / (double)cols) : 0.0;
    double factor = deviation > 1e-10 * largest ? 1.0 / deviation : 0.0;
    for (size_t i = 0; i < rows * cols; i++) {
        t[i] *= factor;
    }
}

/* Weighted principal components of x (rows x cols) into z. */
static int compress(double *z, size_t *found, const double *x, size_t rows, size_t cols,
                    const double *count, size_t dim)
{
    FREED_BY(regret_pca_free_at) struct regret_pca *pca = NULL;
    TRY(regret_pca_fit(&pca, x, rows, cols, count, dim, 1));
    TRY(regret_pca_project(z, pca, x, rows));
    *found = pca->rank;
    return REGRET_OK;
}

/* Numbers about outputs on their scale, with mean 0 and deviation 1 over OBS rows. */
static int standardise_scaled(double *x, size_t rows, size_t cols, const double *count,
                              enum regret_proxy_scale scale)
{
    TRY(regret_proxy_rescale(x, rows, cols, count, scale));
    return regret_standardise(x, rows, cols, count, NULL);
}

static int fit_aux_svd(double *z, size_t *found, const struct regret_proxy_source *source,
                       const double *count, const struct regret_proxy_options *options)
{
    size_t rows = source->n_pairs, labels = source->n_aux, stats = source->n_statistics;
    size_t block = options->tfidf_rank, block_found = 0;
    FREED double *x = NULL;
    TRY(regret_calloc((void **)&x, rows, (labels + stats + block) * sizeof *x,
                      "the columns of aux-svd"));
    if (labels > 0) {
        memcpy(x, source->aux, rows * labels * sizeof *x);
    }
    if (stats > 0) {
        memcpy(x + rows * labels, source->statistics, rows * stats * sizeof *x);
    }
    TRY(standardise_scaled(x, rows, labels + stats, count, options->scale));
    if (block > 0) {
        double *t = x + rows * (labels + stats);
        TRY(output_svd(t, &block_found, source, count, block, options));
        scale_block(t, rows, block_found, count);
    }
    return compress(z, found, x, rows, labels + stats + block_found, count, options->dim);
}

static int fit_predicted_labels(double *z, size_t *found, const struct regret_proxy_source *source,
                                const double *count, const struct regret_proxy_options *options)
{
    size_t rows = source->n_pairs, labels = source->n_aux;
    FREED double *t = NULL, *prediction = NULL;
    TRY(REGRET_NEW(&t, rows * labels));
    TRY(REGRET_NEW(&prediction, rows * labels));
    memcpy(t, source->aux, rows * labels * sizeof *t);
    TRY(standardise_scaled(t, rows, labels, count, options->scale));
    TRY(multi_ridge_predict(prediction, source->features, t, labels, count, options->ridge));
    return compress(z, found, prediction, rows, labels, count, options->dim);
}

static int check(const struct regret_proxy_source *source, const double *count,
                 const struct regret_proxy_options *options)
{
    const char *name = regret_proxy_kind_name(options->kind);
    if (name == NULL) {
        return regret_fail(REGRET_E_INPUT, "unknown proxy kind %d", (int)options->kind);
    }
    if (options->dim == 0) {
        return regret_fail(REGRET_E_INPUT, "proxy %s: dimension 0; ask for at least one", name);
    }
    int labels = options->kind == REGRET_PROXY_PREDICTED_LABELS;
    size_t features = source->features != NULL ? source->features->dim : 0;
    if (labels && (source->n_aux == 0 || features == 0)) {
        return regret_fail(REGRET_E_INPUT,
                           "proxy %s needs auxiliary labels and features: this pool has %zu labels "
                           "and %zu features; add labels or use tfidf-svd",
                           name, source->n_aux, features);
    }
    if (labels && source->features->pairs != source->n_pairs) {
        return regret_fail(REGRET_E_INPUT, "proxy %s has the features of %zu pairs, not of %zu",
                           name, source->features->pairs, source->n_pairs);
    }
    int texts = options->kind == REGRET_PROXY_TFIDF_SVD ||
                (options->kind == REGRET_PROXY_AUX_SVD && options->tfidf_rank > 0);
    if (texts && (source->terms == NULL || source->terms->counts->rows != source->n_pairs)) {
        return regret_fail(REGRET_E_INPUT, "proxy %s needs the terms of all %zu outputs", name,
                           source->n_pairs);
    }
    int rc = weights_check(count, count == NULL ? 0 : source->n_pairs);
    if (rc != REGRET_OK) {
        return regret_fail_prefix(rc, "proxy %s, OBS counts", name);
    }
    return REGRET_OK;
}

static int fit_kind(double *z, size_t *found, const struct regret_proxy_source *source,
                    const double *count, const struct regret_proxy_options *options)
{
    switch (options->kind) {
    case REGRET_PROXY_AUX_SVD:
        return fit_aux_svd(z, found, source, count, options);
    case REGRET_PROXY_PREDICTED_LABELS:
        return fit_predicted_labels(z, found, source, count, options);
    default:
        return output_svd(z, found, source, count, options->dim, options);
    }
}

int regret_proxy_fit(double *z, size_t *actual_dim, const struct regret_proxy_source *source,
                     const double *obs_count, const struct regret_proxy_options *options)
{
    FREED double *fitted = NULL;
    size_t found = 0, rows = source->n_pairs;
    TRY(check(source, obs_count, options));
    TRY(REGRET_NEW(&fitted, rows * options->dim));
    TRY(fit_kind(fitted, &found, source, obs_count, options));
    if (options->standardise) {
        TRY(regret_standardise(fitted, rows, found, obs_count, NULL));
    }
    memcpy(z, fitted, rows * options->dim * sizeof *z);
    *actual_dim = found;
    return REGRET_OK;
}

/* Of a hundred OBS rows, those that winsorising may move at either end. */
static const double tail = 0.01;

/* A value of a column and how often OBS has it. */
struct weighted {
    double value, count;
    size_t row;
};

static int by_value(const void *left, const void *right)
{
    const struct weighted *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

/* The least value that a share `p` of the rows, each of which OBS has, does not exceed. */
static double weighted_quantile(const struct weighted *sorted, size_t n, double total, double p)
{
    double below = 0.0;
    for (size_t i = 0; i < n; i++) {
        below += sorted[i].count;
        if (below >= p * total) {
            return sorted[i].value;
        }
    }
    return sorted[n - 1].value; /* rounding of the sum alone leads here */
}

static void winsorise(double *column, size_t rows, const struct weighted *sorted, size_t n,
                      double total)
{
    if (n == 0) {
        return; /* OBS has no tail */
    }
    double low = weighted_quantile(sorted, n, total, tail);
    double high = weighted_quantile(sorted, n, total, 1.0 - tail);
    for (size_t i = 0; i < rows; i++) {
        column[i] = fmin(fmax(column[i], low), high);
    }
}

/* Mid-ranks: equal values share theirs, and a value that OBS lacks stands between its neighbours. */
static void rank(double *column, const struct weighted *sorted, size_t n, double total)
{
    double below = 0.0;
    for (size_t i = 0, next = 0; i < n; i = next) {
        double equal = 0.0;
        for (next = i; next < n && sorted[next].value == sorted[i].value; next++) {
            equal += sorted[next].count;
        }
        for (size_t t = i; t < next; t++) {
            column[sorted[t].row] = (below + 0.5 * equal) / total;
        }
        below += equal;
    }
}

/* Of all rows, or of those that OBS has; returns how many there are. */
static size_t sort_column(struct weighted *sorted, double *total, const double *column, size_t n,
                          const double *count, int all)
{
    size_t used = 0;
    *total = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (all || count[i] > 0.0) {
            sorted[used++] = (struct weighted){column[i], count[i], i};
            *total += count[i];
        }
    }
    qsort(sorted, used, sizeof *sorted, by_value);
    return used;
}

static int check_finite(const double *x, size_t rows, size_t cols)
{
    for (size_t i = 0; i < rows * cols; i++) {
        if (!isfinite(x[i])) {
            return regret_fail(REGRET_E_NUMERIC,
                               "column %zu of a proxy holds %g for pair %zu, which has no place on "
                               "a scale; check the labels",
                               i / rows, x[i], i % rows);
        }
    }
    return REGRET_OK;
}

int regret_proxy_rescale(double *x, size_t rows, size_t cols, const double *count,
                         enum regret_proxy_scale scale)
{
    struct weighted *sorted = NULL;
    TRY(check_finite(x, rows, cols));
    for (size_t i = 0; scale == REGRET_SCALE_LOG && i < rows * cols; i++) {
        x[i] = copysign(log1p(fabs(x[i])), x[i]);
    }
    if (scale != REGRET_SCALE_WINSOR && scale != REGRET_SCALE_RANK) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&sorted, rows));
    for (size_t j = 0; j < cols; j++) {
        double *column = x + j * rows, total;
        size_t n = sort_column(sorted, &total, column, rows, count, scale == REGRET_SCALE_RANK);
        if (scale == REGRET_SCALE_WINSOR) {
            winsorise(column, rows, sorted, n, total);
        } else {
            rank(column, sorted, n, total);
        }
    }
    regret_free(sorted);
    return REGRET_OK;
}
