#include "model/fit/smooth.h"

#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/products.h"
#include "regret/alloc.h"

FREED_POINTER(struct smooth, smooth_free)

void smooth_free(struct smooth *s)
{
    if (s != NULL) {
        regret_free(s->at);
        regret_pca_free(s->pca);
        regret_free(s->score);
        regret_free(s);
    }
}

static int decompose(struct smooth *s, const double *design, size_t rows)
{
    FREED double *z = NULL;
    TRY(REGRET_NEW(&z, s->n * s->cols));
    for (size_t j = 0; j < s->cols; j++) {
        for (size_t i = 0; i < s->n; i++) {
            z[j * s->n + i] = design[j * rows + s->at[i]];
        }
    }
    TRY(regret_pca_fit(&s->pca, z, s->n, s->cols, NULL, s->cols, 1));
    s->k = s->pca->rank;
    TRY(REGRET_NEW(&s->score, s->n * s->k));
    return regret_pca_project(s->score, s->pca, z, s->n);
}

int smooth_create(struct smooth **out, const double *design, size_t rows, size_t cols,
                  const size_t *at, size_t n)
{
    FREED_BY(smooth_free_at) struct smooth *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    s->n = n;
    s->cols = cols;
    TRY(REGRET_NEW(&s->at, n));
    memcpy(s->at, at, n * sizeof *at);
    if (cols > 0 && n > 1) {
        TRY(decompose(s, design, rows));
    }
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void smooth_fit(double *mean, double *coefficient, const struct smooth *s, double rho,
                const double *y, size_t m)
{
    /* scores have mean zero: ȳ need not be taken off */
    products_by_columns(coefficient, s->score, s->n, s->k, y, m);
    for (size_t o = 0; o < m; o++) {
        double total = 0.0;
        for (size_t i = 0; i < s->n; i++) {
            total += y[o * s->n + i];
        }
        mean[o] = total / (double)s->n;
        for (size_t j = 0; j < s->k; j++) {
            double sigma = s->pca->singular[j];
            coefficient[o * s->k + j] /= sigma * sigma + rho;
        }
    }
}

void smooth_fitted(double *fitted, double *leverage, const struct smooth *s, double rho,
                   const double *mean, const double *coefficient, size_t m)
{
    for (size_t o = 0; fitted != NULL && o < m; o++) {
        for (size_t i = 0; i < s->n; i++) {
            fitted[o * s->n + i] = mean[o];
        }
    }
    if (fitted != NULL) {
        products_add(fitted, s->score, s->n, s->k, coefficient, m);
    }
    for (size_t i = 0; leverage != NULL && i < s->n; i++) {
        leverage[i] = 1.0 / (double)s->n;
    }
    for (size_t j = 0; leverage != NULL && j < s->k; j++) {
        double sigma = s->pca->singular[j], factor = 1.0 / (sigma * sigma + rho);
        for (size_t i = 0; i < s->n; i++) {
            leverage[i] += factor * s->score[j * s->n + i] * s->score[j * s->n + i];
        }
    }
}

void smooth_weights(double *theta, double *intercept, const struct smooth *s, const double *mean,
                    const double *coefficient, size_t m)
{
    memset(theta, 0, s->cols * m * sizeof *theta);
    if (s->pca != NULL) {
        products_add(theta, s->pca->v, s->cols, s->k, coefficient, m);
    }
    for (size_t o = 0; o < m; o++) {
        intercept[o] = mean[o];
        for (size_t i = 0; s->pca != NULL && i < s->cols; i++) {
            intercept[o] -= s->pca->mean[i] * theta[o * s->cols + i];
        }
    }
}
