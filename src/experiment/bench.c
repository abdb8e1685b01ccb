#include <cblas.h>
#include <string.h>

#include "experiment/lab.h"
#include "linalg/symmetric.h"
#include "regret/alloc.h"

/* Diagonal entries below this share of the largest are rounding errors of duplicate rows. */
static const double RANK_TOLERANCE = 1e-13;

static int mark_pairs(struct bench *b)
{
    const struct lab *lab = b->lab;
    const struct regret_grid *g = lab->grid;
    size_t per_context = g->n_agents * g->n_draws;
    int rc = REGRET_NEW(&b->train, lab->pairs);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&b->test, lab->pairs);
    }
    for (size_t i = 0; rc == REGRET_OK && i < b->split->n_train; i++) {
        memset(b->train + b->split->train[i] * per_context, 1, per_context);
    }
    for (size_t p = 0; rc == REGRET_OK && p < lab->pairs; p++) {
        b->test[p] = !b->train[p];
    }
    return rc;
}

/* List of pairs with mark[p] == 1. */
static size_t list_pairs(size_t *list, const unsigned char *mark, size_t pairs)
{
    size_t n = 0;
    for (size_t p = 0; p < pairs; p++) {
        if (mark[p]) {
            list[n++] = p;
        }
    }
    return n;
}

/* Z from the pivoted Cholesky factor L (n × n, rank columns in use) of the training Gram matrix:
 * training pairs are rows of L, test pairs K(test, pivots) L₁₁⁻ᵀ. */
static int place_coordinates(struct bench *b, const double *factor, const size_t *train,
                             const size_t *pivot, size_t n)
{
    const struct lab *lab = b->lab;
    size_t pairs = lab->pairs, rank = b->rank;
    size_t *test = NULL;
    double *cross = NULL;
    int rc = REGRET_NEW(&b->coordinates, pairs * rank);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&test, pairs)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t j = 0; j < rank; j++) {
        for (size_t i = j; i < n; i++) {
            b->coordinates[j * pairs + train[pivot[i]]] = factor[j * n + i];
        }
    }
    size_t m = list_pairs(test, b->test, pairs);
    if ((rc = REGRET_NEW(&cross, m * rank)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t j = 0; j < rank; j++) {
        const double *column = lab->gram + train[pivot[j]] * pairs;
        for (size_t i = 0; i < m; i++) {
            cross[j * m + i] = column[test[i]];
        }
    }
    if (m > 0 && rank > 0) {
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)m,
                    (int)rank, 1.0, factor, (int)n, cross, (int)m);
    }
    for (size_t j = 0; j < rank; j++) {
        for (size_t i = 0; i < m; i++) {
            b->coordinates[j * pairs + test[i]] = cross[j * m + i];
        }
    }
cleanup:
    regret_free(test);
    regret_free(cross);
    return rc;
}

static int make_coordinates(struct bench *b)
{
    const struct lab *lab = b->lab;
    size_t *train = NULL, *pivot = NULL;
    double *k = NULL;
    int rc = REGRET_NEW(&train, lab->pairs);
    if (rc != REGRET_OK) {
        return rc;
    }
    size_t n = list_pairs(train, b->train, lab->pairs);
    if ((rc = REGRET_NEW(&k, n * n)) != REGRET_OK || (rc = REGRET_NEW(&pivot, n)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            k[j * n + i] = lab->gram[train[j] * lab->pairs + train[i]];
        }
    }
    rc = regret_sym_pivoted_cholesky(k, pivot, &b->rank, n, RANK_TOLERANCE);
    if (rc == REGRET_OK) {
        rc = place_coordinates(b, k, train, pivot, n);
    }
cleanup:
    regret_free(train);
    regret_free(pivot);
    regret_free(k);
    return rc;
}

int bench_create(struct bench **out, const struct lab *lab, uint64_t seed, double train_share)
{
    struct bench *b = NULL;
    int rc = REGRET_NEW(&b, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    b->lab = lab;
    b->seed = seed;
    b->train_share = train_share;
    rc = regret_split_make(&b->split, lab->grid->n_contexts, train_share, seed);
    if (rc == REGRET_OK) {
        rc = mark_pairs(b);
    }
    if (rc == REGRET_OK && !lab->sparse) {
        rc = make_coordinates(b);
    }
    if (rc != REGRET_OK) {
        bench_free(b);
        return rc;
    }
    *out = b;
    return REGRET_OK;
}

struct regret_design bench_features(const struct bench *b)
{
    const struct lab *lab = b->lab;
    return lab->sparse ? regret_design_sparse(lab->phi, lab->phi_context, lab->context)
                       : regret_design_dense(lab->pairs, b->rank, b->coordinates);
}

void bench_free(struct bench *b)
{
    if (b != NULL) {
        regret_split_free(b->split);
        regret_free(b->train);
        regret_free(b->test);
        regret_free(b->coordinates);
        regret_free(b);
    }
}
