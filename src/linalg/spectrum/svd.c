/* Both methods work on one matrix A, which is B = diag(√w) X without its rows of weight zero, or Bᵀ
 * when that has fewer rows: the Gram matrix A Aᵀ is then the smaller of the two. Its leading
 * eigenvectors U are the left singular vectors of A. When A = Bᵀ they are V; when A = B, V = BᵀU
 * with its columns scaled to length one. */
#include "regret/svd.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/weights.h"
#include "linalg/sparse/panel.h"
#include "linalg/spectrum/eigen.h"
#include "linalg/spectrum/lanczos.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_svd, regret_svd_free)

static int weighted_rows(struct regret_csr **out, const struct regret_csr *x,
                         const double *row_weight)
{
    FREED double *factor = NULL;
    TRY(REGRET_NEW(&factor, x->rows));
    for (size_t i = 0; i < x->rows; i++) {
        factor[i] = row_weight == NULL ? 1.0 : sqrt(row_weight[i]);
    }
    return regret_csr_scale_rows(out, x, factor);
}

/* λ (k values) and U (rows x k) of A Aᵀ by its dense Gram matrix. */
static int exact_eigen(double *lambda, double *u, const struct regret_csr *a, size_t k)
{
    FREED double *gram = NULL;
    TRY(REGRET_NEW(&gram, a->rows * a->rows));
    TRY(regret_csr_gram(gram, a, NULL));
    return eigen_top(lambda, u, gram, a->rows, k);
}

/* λ and U of A Aᵀ from A and its transpose. */
static int eigen_of_gram(double *lambda, double *u, const struct regret_csr *a,
                         const struct regret_csr *transpose, size_t k,
                         const struct regret_svd_options *options)
{
    int few = a->rows < 2 * (k + LANES), complete = 0;
    int exact = options->method == REGRET_SVD_EXACT ||
                (options->method == REGRET_SVD_AUTO && a->rows < LANCZOS_LEAST_ROWS * k);
    if (!exact && !few) {
        TRY(lanczos_top(lambda, u, &complete, transpose, k, options->seed));
    }
    return complete ? REGRET_OK : exact_eigen(lambda, u, a, k);
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
    FREED_BY(regret_svd_free_at) struct regret_svd *svd = NULL;
    TRY(REGRET_NEW(&svd, 1));
    svd->n_columns = n_columns;
    TRY(REGRET_NEW(&svd->singular, k));
    TRY(REGRET_NEW(&svd->v, n_columns * k));
    *out = svd;
    svd = NULL;
    return REGRET_OK;
}

/* Fills `svd`, made for k components, from B. */
static int decompose(struct regret_svd *svd, const struct regret_csr *b, size_t k,
                     const struct regret_svd_options *options)
{
    FREED_BY(regret_csr_free_at) struct regret_csr *bt = NULL;
    FREED double *u = NULL;
    int wide = b->rows <= b->cols;
    TRY(regret_csr_transpose(&bt, b));
    if (wide) {
        TRY(REGRET_NEW(&u, b->rows * k));
    }
    TRY(eigen_of_gram(svd->singular, wide ? u : svd->v, wide ? b : bt, wide ? bt : b, k, options));
    svd->rank = eigen_rank(svd->singular, k);
    for (size_t j = 0; j < svd->rank; j++) {
        svd->singular[j] = sqrt(svd->singular[j]);
    }
    if (wide) {
        TRY(regret_csr_times_dense(svd->v, bt, u, svd->rank));
        normalise_columns(svd->v, b->cols, svd->rank);
    }
    eigen_fix_signs(svd->v, b->cols, svd->rank);
    return REGRET_OK;
}

/* How many columns hold anything: the rank is no greater, and what is sought beyond it is dear and not there. */
static int count_filled(size_t *n, const struct regret_csr *m)
{
    unsigned char *seen = NULL;
    TRY(REGRET_NEW(&seen, m->cols));
    *n = 0;
    for (size_t e = 0; e < regret_csr_entries(m); e++) {
        *n += !seen[m->column[e]];
        seen[m->column[e]] = 1;
    }
    regret_free(seen);
    return REGRET_OK;
}

int regret_svd_fit(struct regret_svd **out, const struct regret_csr *x, const double *row_weight,
                   const struct regret_svd_options *options)
{
    if (options->rank == 0) {
        return regret_fail(REGRET_E_INPUT, "an SVD of rank 0: ask for at least one component");
    }
    FREED_BY(regret_csr_free_at) struct regret_csr *b = NULL;
    FREED_BY(regret_svd_free_at) struct regret_svd *svd = NULL;
    size_t filled = 0;
    TRY(sides_check(x->rows, x->cols));
    TRY(weights_check(row_weight, x->rows));
    TRY(weighted_rows(&b, x, row_weight));
    TRY(count_filled(&filled, b));
    size_t side = b->rows < filled ? b->rows : filled;
    size_t k = options->rank < side ? options->rank : side > 0 ? side : 1;
    TRY(svd_new(&svd, x->cols, k));
    TRY(decompose(svd, b, k, options));
    *out = svd;
    svd = NULL;
    return REGRET_OK;
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
