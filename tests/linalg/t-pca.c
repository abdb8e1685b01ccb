#include <lapacke.h>
#include <string.h>

#include "random_matrix.h"
#include "regret/design.h"

static void weighted_centre(double *b, const double *x, size_t m, size_t n, const double *w)
{
    for (size_t j = 0; j < n; j++) {
        double sum = 0.0, total = 0.0;
        for (size_t i = 0; i < m; i++) {
            sum += w[i] * x[i + j * m];
            total += w[i];
        }
        for (size_t i = 0; i < m; i++) {
            b[i + j * m] = sqrt(w[i]) * (x[i + j * m] - sum / total);
        }
    }
}

static void check_pca(size_t m, size_t n, size_t dim)
{
    double *x = random_dense(m, n, m + n), *w = malloc(m * sizeof *w);
    double *b = malloc(m * n * sizeof *b), *z = malloc(m * dim * sizeof *z);
    for (size_t i = 0; i < m; i++) {
        w[i] = (double)(i % 3);
    }
    size_t s = m < n ? m : n;
    double *singular = malloc(s * sizeof *singular), *vt = malloc(s * n * sizeof *vt);
    double *work = malloc(s * sizeof *work);
    weighted_centre(b, x, m, n, w);
    cr_assert_eq(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'S', (lapack_int)m, (lapack_int)n, b,
                                (lapack_int)m, singular, NULL, 1, vt, (lapack_int)s, work),
                 0);
    struct regret_pca *pca = NULL;
    cr_assert_eq(regret_pca_fit(&pca, x, m, n, w, dim, 1), REGRET_OK);
    cr_assert_eq(pca->rank, dim);
    cr_assert_eq(regret_pca_project(z, pca, x, m), REGRET_OK);
    for (size_t k = 0; k < dim; k++) {
        double dot = 0.0, mean = 0.0, squares = 0.0;
        for (size_t j = 0; j < n; j++) {
            dot += pca->v[j + k * n] * vt[k + j * s];
        }
        for (size_t i = 0; i < m; i++) {
            mean += w[i] * z[i + k * m];
            squares += w[i] * z[i + k * m] * z[i + k * m];
        }
        cr_assert_float_eq(pca->singular[k], singular[k], 1e-10);
        cr_assert_float_eq(fabs(dot), 1.0, 1e-9);
        cr_assert_float_eq(mean, 0.0, 1e-10);
        cr_assert_float_eq(sqrt(squares), singular[k], 1e-10);
    }
    regret_pca_free(pca);
    free(x);
    free(w);
    free(b);
    free(z);
    free(singular);
    free(vt);
    free(work);
}

Test(pca, agrees_with_lapack_on_both_sides)
{
    check_pca(40, 9, 5);
    check_pca(12, 30, 4); /* eight rows of positive weight: the row Gram */
}

/* More rows than are centred at a time. */
Test(pca, projects_every_row)
{
    enum { M = 20000, N = 7, K = 3 };
    double *x = random_dense(M, N, 4), *z = malloc((size_t)M * K * sizeof *z);
    struct regret_pca *pca = NULL;
    cr_assert_eq(regret_pca_fit(&pca, x, M, N, NULL, K, 1), REGRET_OK);
    cr_assert_eq(regret_pca_project(z, pca, x, M), REGRET_OK);
    for (size_t i = 0; i < M; i++) {
        for (size_t k = 0; k < K; k++) {
            double sum = 0.0;
            for (size_t j = 0; j < N; j++) {
                sum += (x[i + j * M] - pca->mean[j]) * pca->v[j + k * N];
            }
            cr_assert_float_eq(z[i + k * M], sum, 1e-12, "row %zu", i);
        }
    }
    regret_pca_free(pca);
    free(x);
    free(z);
}

Test(pca, without_centring_it_is_the_svd)
{
    double *d;
    struct regret_csr *x = random_csr(&d, 25, 10, 0.8, 3);
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    struct regret_svd *svd = NULL;
    struct regret_pca *pca = NULL;
    options.rank = 6;
    cr_assert_eq(regret_svd_fit(&svd, x, NULL, &options), REGRET_OK);
    cr_assert_eq(regret_pca_fit(&pca, d, 25, 10, NULL, 6, 0), REGRET_OK);
    for (size_t i = 0; i < 60; i++) {
        cr_assert_float_eq(svd->v[i], pca->v[i], 1e-11);
    }
    regret_svd_free(svd);
    regret_pca_free(pca);
    regret_csr_free(x);
    free(d);
}

Test(pca, degenerate_inputs)
{
    const double same[6] = {2, 2, 2, 5, 5, 5}, none[3] = {0, 0, 0};
    struct regret_pca *pca = NULL;
    cr_assert_eq(regret_pca_fit(&pca, same, 3, 2, NULL, 2, 1), REGRET_OK);
    cr_assert_eq(pca->rank, 0);
    regret_pca_free(pca);
    pca = NULL;
    cr_assert_eq(regret_pca_fit(&pca, same, 3, 0, NULL, 2, 1), REGRET_OK);
    cr_assert_eq(pca->rank, 0);
    regret_pca_free(pca);
    pca = NULL;
    cr_assert_eq(regret_pca_fit(&pca, same, 3, 2, none, 2, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_pca_fit(&pca, same, 3, 2, NULL, 0, 1), REGRET_E_INPUT);
    cr_assert_null(pca);
}

Test(standardise, uses_weighted_rows_and_transforms_all)
{
    /* Weighted values 1, 3, 3, 1: mean 2, deviation 1. Column 1 is constant where it counts. */
    double x[8] = {1, 3, 7, 1, 4, 4, 9, 4};
    const double w[4] = {1, 2, 0, 1};
    size_t constant = 9;
    cr_assert_eq(regret_standardise(x, 4, 2, w, &constant), REGRET_OK);
    const double expected[8] = {-1, 1, 5, -1, 0, 0, 0, 0};
    for (int i = 0; i < 8; i++) {
        cr_assert_float_eq(x[i], expected[i], 1e-14);
    }
    cr_assert_eq(constant, 1);
    double tiny[3] = {0.1, 0.1, 0.1}, bad[2] = {1, INFINITY};
    cr_assert_eq(regret_standardise(tiny, 3, 1, NULL, &constant), REGRET_OK);
    cr_assert_eq(tiny[0], 0.0);
    cr_assert_eq(regret_standardise(bad, 2, 1, NULL, NULL), REGRET_E_NUMERIC);
    cr_assert_eq(regret_standardise(x, 0, 2, NULL, NULL), REGRET_E_INPUT);
}
