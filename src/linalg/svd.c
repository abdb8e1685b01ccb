/* Both methods work on one matrix A, which is B = diag(√w) X without its rows of weight zero, or Bᵀ
 * when that has fewer rows: the Gram matrix A Aᵀ is then the smaller of the two. Its leading
 * eigenvectors U are the left singular vectors of A. When A = Bᵀ they are V; when A = B, V = BᵀU
 * with its columns scaled to length one. */
#include "regret/svd.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/try.h"
#include "linalg/eigen.h"
#include "linalg/weights.h"
#include "regret/alloc.h"
#include "regret/rng.h"

static int weighted_rows(struct regret_csr **out, const struct regret_csr *x,
                         const double *row_weight)
{
    double *factor = NULL;
    int rc = REGRET_OK;
    TRY(REGRET_NEW(&factor, x->rows));
    for (size_t i = 0; i < x->rows; i++) {
        factor[i] = row_weight == NULL ? 1.0 : sqrt(row_weight[i]);
    }
    rc = regret_csr_scale_rows(out, x, factor);
    regret_free(factor);
    return rc;
}

/* λ (k values) and U (rows x k) of A Aᵀ by its dense Gram matrix. */
static int exact_eigen(double *lambda, double *u, const struct regret_csr *a, size_t k)
{
    double *gram = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&gram, a->rows * a->rows));
    TRY_CLEANUP(regret_csr_gram(gram, a, NULL));
    rc = eigen_top(lambda, u, gram, a->rows, k);
cleanup:
    regret_free(gram);
    return rc;
}

/* Replaces y (rows x l, l <= rows) by an orthonormal basis of its column space. */
static int orthonormalise(double *y, size_t rows, size_t l)
{
    double *tau = NULL;
    TRY(REGRET_NEW(&tau, l));
    lapack_int m = (lapack_int)rows, n = (lapack_int)l;
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, y, m, tau);
    if (info == 0) {
        info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, n, n, y, m, tau);
    }
    regret_free(tau);
    if (info != 0) {
        return regret_fail(
            REGRET_E_NUMERIC,
            "LAPACK failed (info %d) to orthonormalise a %zu x %zu basis; check that "
            "the matrix holds finite values only",
            (int)info, rows, l);
    }
    return REGRET_OK;
}

/* Q (rows x l): the subspace iteration. Half the work, c = AᵀQ (cols x l), is left behind for the
 * Rayleigh-Ritz step. */
static int subspace(double *q, double *c, const struct regret_csr *a, size_t l,
                    const struct regret_svd_options *options)
{
    struct regret_rng rng = regret_rng_at(options->seed, REGRET_RNG_SVD, 0);
    for (size_t i = 0; i < a->rows * l; i++) {
        q[i] = regret_rng_normal(&rng);
    }
    TRY(orthonormalise(q, a->rows, l));
    for (size_t step = 0; step <= options->power; step++) {
        TRY(regret_csr_transpose_times_dense(c, a, q, l));
        TRY(regret_csr_times_dense(q, a, c, l));
        TRY(orthonormalise(q, a->rows, l));
    }
    return regret_csr_transpose_times_dense(c, a, q, l);
}

/* λ and U as exact_eigen(), from the eigenvectors E of (AᵀQ)ᵀ(AᵀQ) as U = Q E. */
static int randomised_eigen(double *lambda, double *u, const struct regret_csr *a, size_t k,
                            size_t l, const struct regret_svd_options *options)
{
    double *q = NULL, *c = NULL, *ritz = NULL, *e = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&q, a->rows * l));
    TRY_CLEANUP(REGRET_NEW(&c, a->cols * l));
    TRY_CLEANUP(REGRET_NEW(&ritz, l * l));
    TRY_CLEANUP(REGRET_NEW(&e, l * k));
    TRY_CLEANUP(subspace(q, c, a, l, options));
    int rows = (int)a->rows, cols = (int)a->cols, wide = (int)l, narrow = (int)k;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, wide, cols, 1.0, c, cols, 0.0, ritz, wide);
    TRY_CLEANUP(eigen_top(lambda, e, ritz, l, k));
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, narrow, wide, 1.0, q, rows, e,
                wide, 0.0, u, rows);
cleanup:
    regret_free(q);
    regret_free(c);
    regret_free(ritz);
    regret_free(e);
    return rc;
}

static int eigen_of_gram(double *lambda, double *u, const struct regret_csr *a, size_t k,
                         const struct regret_svd_options *options)
{
    size_t l = k + options->oversampling;
    int exact = options->method == REGRET_SVD_EXACT ||
                (options->method == REGRET_SVD_AUTO && a->rows <= options->exact_limit) ||
                l >= a->rows;
    return exact ? exact_eigen(lambda, u, a, k) : randomised_eigen(lambda, u, a, k, l, options);
}

/* Columns of v scaled to length one; zero columns stay. */
static void normalise_columns(double *v, size_t n, size_t k)
{
    for (size_t j = 0; j < k; j++) {
        double length = cblas_dnrm2((int)n, v + j * n, 1);
        if (length > 0.0) {
            cblas_dscal((int)n, 1.0 / length, v + j * n, 1);
        }
    }
}

static int svd_new(struct regret_svd **out, size_t n_columns, size_t k)
{
    struct regret_svd *svd = NULL;
    int rc;
    TRY(REGRET_NEW(&svd, 1));
    svd->n_columns = n_columns;
    TRY_CLEANUP(REGRET_NEW(&svd->singular, k));
    TRY_CLEANUP(REGRET_NEW(&svd->v, n_columns * k));
    *out = svd;
    svd = NULL;
cleanup:
    regret_svd_free(svd);
    return rc;
}

/* Fills `svd`, made for k components, from B. */
static int decompose(struct regret_svd *svd, const struct regret_csr *b, size_t k,
                     const struct regret_svd_options *options)
{
    struct regret_csr *bt = NULL;
    double *u = NULL;
    int wide = b->rows <= b->cols;
    int rc;
    if (wide) {
        TRY_CLEANUP(REGRET_NEW(&u, b->rows * k));
    } else {
        TRY_CLEANUP(regret_csr_transpose(&bt, b));
    }
    TRY_CLEANUP(eigen_of_gram(svd->singular, wide ? u : svd->v, wide ? b : bt, k, options));
    svd->rank = eigen_rank(svd->singular, k);
    for (size_t j = 0; j < svd->rank; j++) {
        svd->singular[j] = sqrt(svd->singular[j]);
    }
    if (wide) {
        TRY_CLEANUP(regret_csr_transpose_times_dense(svd->v, b, u, svd->rank));
        normalise_columns(svd->v, b->cols, svd->rank);
    }
    eigen_fix_signs(svd->v, b->cols, svd->rank);
cleanup:
    regret_csr_free(bt);
    regret_free(u);
    return rc;
}

int regret_svd_fit(struct regret_svd **out, const struct regret_csr *x, const double *row_weight,
                   const struct regret_svd_options *options)
{
    if (options->rank == 0) {
        return regret_fail(REGRET_E_INPUT, "an SVD of rank 0: ask for at least one component");
    }
    struct regret_csr *b = NULL;
    struct regret_svd *svd = NULL;
    int rc;
    TRY_CLEANUP(sides_check(x->rows, x->cols));
    TRY_CLEANUP(weights_check(row_weight, x->rows));
    TRY_CLEANUP(weighted_rows(&b, x, row_weight));
    size_t side = b->rows < b->cols ? b->rows : b->cols;
    size_t k = options->rank < side ? options->rank : side;
    TRY_CLEANUP(svd_new(&svd, x->cols, k));
    TRY_CLEANUP(decompose(svd, b, k, options));
    *out = svd;
    svd = NULL;
cleanup:
    regret_csr_free(b);
    regret_svd_free(svd);
    return rc;
}

int regret_svd_project(double *out, const struct regret_svd *svd, const struct regret_csr *x)
{
    if (x->cols != svd->n_columns) {
        return regret_fail(REGRET_E_INPUT,
                           "a matrix of %zu columns cannot be projected by an SVD of %zu: use the "
                           "vocabulary it was fitted with",
                           x->cols, svd->n_columns);
    }
    return regret_csr_times_dense(out, x, svd->v, svd->rank);
}

void regret_svd_free(struct regret_svd *svd)
{
    if (svd == NULL) {
        return;
    }
    regret_free(svd->singular);
    regret_free(svd->v);
    regret_free(svd);
}
