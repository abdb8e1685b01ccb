#include "linalg/internal.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "regret/design.h"
#include "regret/status.h"

static int all_finite(const double *a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            if (!isfinite(a[i + j * n])) {
                return 0;
            }
        }
    }
    return 1;
}

static void reverse_columns(double *values, double *vectors, size_t n, size_t k)
{
    for (size_t lo = 0, hi = k; lo + 1 < hi; lo++) {
        hi--;
        double value = values[lo];
        values[lo] = values[hi];
        values[hi] = value;
        for (size_t i = 0; i < n; i++) {
            double entry = vectors[i + lo * n];
            vectors[i + lo * n] = vectors[i + hi * n];
            vectors[i + hi * n] = entry;
        }
    }
}

/* One dsyevr call for eigenvalues il..n; lwork = -1 asks for the workspace sizes only. */
static lapack_int dsyevr(double *w, double *vectors, double *a, lapack_int n, lapack_int il,
                         lapack_int *isuppz, double *work, lapack_int lwork, lapack_int *iwork,
                         lapack_int liwork)
{
    lapack_int found = 0;
    lapack_int info =
        LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'L', n, a, n, 0.0, 0.0, il, n, 0.0, &found,
                            w, vectors, n, isuppz, work, lwork, iwork, liwork);
    return info != 0 || lwork < 0 || found == n - il + 1 ? info : 1;
}

int eigen_top(double *values, double *vectors, double *a, size_t n, size_t k)
{
    if (n == 0 || k == 0) {
        return REGRET_OK;
    }
    if (n > INT_MAX / 32 || !all_finite(a, n)) {
        return regret_fail(REGRET_E_NUMERIC,
                           "the eigenvalues of a %zu x %zu matrix: it is too large or holds a "
                           "value that is not finite; check the features",
                           n, n);
    }
    k = k < n ? k : n;
    double size = 0.0;
    FREED double *w = NULL, *work = NULL;
    lapack_int isize = 0;
    FREED lapack_int *isuppz = NULL, *iwork = NULL;
    lapack_int order = (lapack_int)n, il = (lapack_int)(n - k + 1);
    TRY(REGRET_NEW(&w, n));
    TRY(REGRET_NEW(&isuppz, 2 * n));
    lapack_int info = dsyevr(w, vectors, a, order, il, isuppz, &size, -1, &isize, -1);
    TRY(REGRET_NEW(&work, (size_t)size));
    TRY(REGRET_NEW(&iwork, (size_t)isize));
    if (info == 0) {
        info = dsyevr(w, vectors, a, order, il, isuppz, work, (lapack_int)size, iwork, isize);
    }
    if (info != 0) {
        return regret_fail(REGRET_E_NUMERIC, "LAPACK dsyevr failed (info %d) on a %zu x %zu matrix",
                           (int)info, n, n);
    }
    memcpy(values, w, k * sizeof *values);
    reverse_columns(values, vectors, n, k);
    return REGRET_OK;
}

size_t eigen_rank(const double *values, size_t k)
{
    size_t rank = 0;
    while (rank < k && values[rank] > 0.0 &&
           values[rank] > REGRET_RANK_TOLERANCE * REGRET_RANK_TOLERANCE * values[0]) {
        rank++;
    }
    return rank;
}

void eigen_fix_signs(double *v, size_t n, size_t k)
{
    for (size_t j = 0; j < k; j++) {
        double *column = v + j * n, largest = 0.0;
        for (size_t i = 0; i < n; i++) {
            largest = fmax(largest, fabs(column[i]));
        }
        size_t first = 0;
        while (first < n && fabs(column[first]) < (1.0 - 1e-8) * largest) {
            first++;
        }
        if (first < n && column[first] < 0.0) {
            for (size_t i = 0; i < n; i++) {
                column[i] = -column[i];
            }
        }
    }
}

FREED_POINTER(struct regret_pca, regret_pca_free)

static double weight_of(const double *row_weight, size_t i)
{
    return row_weight == NULL ? 1.0 : row_weight[i];
}

/* Columns whose sums are taken together: each is added up in the order of its rows, and they do not wait for one
 * another. */
enum { TOGETHER = 8 };

struct column_moments {
    double mean[TOGETHER], squares[TOGETHER], largest[TOGETHER];
};

static double total_weight(const double *row_weight, size_t rows)
{
    double total = 0.0;
    for (size_t i = 0; i < rows; i++) {
        total += weight_of(row_weight, i);
    }
    return total;
}

static inline void means_of_columns(double mean[], const double *x, size_t rows, size_t n,
                                    const double *row_weight, double total)
{
    double sum[TOGETHER] = {0};
    for (size_t i = 0; i < rows; i++) {
        double w = weight_of(row_weight, i);
        for (size_t c = 0; c < n; c++) {
            sum[c] += w * x[c * rows + i];
        }
    }
    for (size_t c = 0; c < n; c++) {
        mean[c] = sum[c] / total;
    }
}

static inline void moments_of_columns(struct column_moments *out, const double *x, size_t rows,
                                      size_t n, const double *row_weight, double total)
{
    memset(out, 0, sizeof *out);
    means_of_columns(out->mean, x, rows, n, row_weight, total);
    for (size_t i = 0; i < rows; i++) {
        double w = weight_of(row_weight, i);
        for (size_t c = 0; c < n; c++) {
            double value = x[c * rows + i], d = value - out->mean[c], size = fabs(value);
            out->squares[c] += w * d * d;
            out->largest[c] = w > 0.0 && size > out->largest[c] ? size : out->largest[c];
        }
    }
}

/* Of the next columns, as many as are returned. */
static size_t take_moments(struct column_moments *out, const double *x, size_t rows, size_t cols,
                           const double *row_weight, double total)
{
    if (cols >= TOGETHER) {
        moments_of_columns(out, x, rows, TOGETHER, row_weight, total);
        return TOGETHER;
    }
    moments_of_columns(out, x, rows, 1, row_weight, total);
    return 1;
}

static void take_means(double mean[], const double *x, size_t rows, size_t cols,
                       const double *row_weight)
{
    double total = total_weight(row_weight, rows);
    size_t j = 0;
    for (; j + TOGETHER <= cols; j += TOGETHER) {
        means_of_columns(mean + j, x + j * rows, rows, TOGETHER, row_weight, total);
    }
    for (; j < cols; j++) {
        means_of_columns(mean + j, x + j * rows, rows, 1, row_weight, total);
    }
}

int regret_standardise(double *x, size_t rows, size_t cols, const double *row_weight,
                       size_t *n_constant)
{
    TRY(weights_check(row_weight, rows));
    size_t constant = 0, n;
    double total = total_weight(row_weight, rows);
    for (size_t j = 0; j < cols; j += n) {
        struct column_moments m;
        n = take_moments(&m, x + j * rows, rows, cols - j, row_weight, total);
        for (size_t c = 0; c < n; c++) {
            double *column = x + (j + c) * rows, deviation = sqrt(m.squares[c] / total);
            if (!isfinite(deviation)) {
                return regret_fail(REGRET_E_NUMERIC,
                                   "column %zu cannot be standardised: it holds a value that is "
                                   "not finite or too large to square; check the labels",
                                   j + c);
            }
            int varies = deviation > 1e-10 * m.largest[c];
            constant += !varies;
            for (size_t i = 0; i < rows; i++) {
                column[i] = varies ? (column[i] - m.mean[c]) / deviation : 0.0;
            }
        }
    }
    if (n_constant != NULL) {
        *n_constant = constant;
    }
    return REGRET_OK;
}

/* B = diag(√w)(X − 1 meanᵀ) without its rows of weight zero; `rows` is left at their number. */
static int centred_rows(double **out, size_t *rows, const double *x, size_t n, size_t cols,
                        const double *row_weight, const double *mean)
{
    size_t used = 0;
    FREED size_t *row = NULL;
    double *b = NULL;
    TRY(REGRET_NEW(&row, n));
    for (size_t i = 0; i < n; i++) {
        if (weight_of(row_weight, i) > 0.0) {
            row[used++] = i;
        }
    }
    TRY(REGRET_NEW(&b, used * cols));
    for (size_t j = 0; j < cols; j++) {
        for (size_t i = 0; i < used; i++) {
            double root = sqrt(weight_of(row_weight, row[i]));
            b[i + j * used] = root * (x[row[i] + j * n] - mean[j]);
        }
    }
    *out = b;
    *rows = used;
    return REGRET_OK;
}

/* The eigenvectors of BᵀB, or of BBᵀ carried over by Bᵀ, whichever is smaller. */
static int decompose(struct regret_pca *pca, const double *b, size_t rows, size_t k)
{
    size_t cols = pca->n_columns, side = rows < cols ? rows : cols;
    if (side == 0) {
        return REGRET_OK;
    }
    int wide = rows < cols, m = (int)rows, n = (int)cols, s = (int)side;
    FREED double *gram = NULL, *u = NULL;
    TRY(REGRET_NEW(&gram, side * side));
    if (wide) {
        TRY(REGRET_NEW(&u, side * k));
    }
    cblas_dsyrk(CblasColMajor, CblasLower, wide ? CblasNoTrans : CblasTrans, s, wide ? n : m, 1.0,
                b, m, 0.0, gram, s);
    TRY(eigen_top(pca->singular, wide ? u : pca->v, gram, side, k));
    pca->rank = eigen_rank(pca->singular, k);
    for (size_t j = 0; j < pca->rank; j++) {
        pca->singular[j] = sqrt(pca->singular[j]);
    }
    for (size_t j = 0; wide && j < pca->rank; j++) {
        cblas_dgemv(CblasColMajor, CblasTrans, m, n, 1.0 / pca->singular[j], b, m, u + j * side, 1,
                    0.0, pca->v + j * cols, 1);
    }
    eigen_fix_signs(pca->v, cols, pca->rank);
    return REGRET_OK;
}

static int pca_new(struct regret_pca **out, size_t cols, size_t k)
{
    FREED_BY(regret_pca_free_at) struct regret_pca *pca = NULL;
    TRY(REGRET_NEW(&pca, 1));
    pca->n_columns = cols;
    TRY(REGRET_NEW(&pca->mean, cols));
    TRY(REGRET_NEW(&pca->singular, k));
    TRY(REGRET_NEW(&pca->v, cols * k));
    *out = pca;
    pca = NULL;
    return REGRET_OK;
}

int regret_pca_fit(struct regret_pca **out, const double *x, size_t rows, size_t cols,
                   const double *row_weight, size_t rank, int centre)
{
    if (rank == 0) {
        return regret_fail(REGRET_E_INPUT, "a PCA of rank 0: ask for at least one component");
    }
    FREED_BY(regret_pca_free_at) struct regret_pca *pca = NULL;
    FREED double *b = NULL;
    size_t used = 0, k = rank < cols ? rank : cols;
    TRY(sides_check(rows, cols));
    TRY(weights_check(row_weight, rows));
    TRY(pca_new(&pca, cols, k));
    if (centre) {
        take_means(pca->mean, x, rows, cols, row_weight);
    }
    TRY(centred_rows(&b, &used, x, rows, cols, row_weight, pca->mean));
    TRY(decompose(pca, b, used, k < used ? k : used));
    *out = pca;
    pca = NULL;
    return REGRET_OK;
}

/* Rows that are centred at a time, in a copy. */
enum { BLOCK = 8192 };

int regret_pca_project(double *out, const struct regret_pca *pca, const double *x, size_t rows)
{
    double *centred = NULL;
    size_t cols = pca->n_columns;
    TRY(REGRET_NEW(&centred, (rows < BLOCK ? rows : BLOCK) * cols));
    for (size_t first = 0; first < rows && pca->rank > 0; first += BLOCK) {
        size_t n = rows - first < BLOCK ? rows - first : BLOCK;
        for (size_t j = 0; j < cols; j++) {
            for (size_t i = 0; i < n; i++) {
                centred[i + j * n] = x[first + i + j * rows] - pca->mean[j];
            }
        }
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)pca->rank, (int)cols,
                    1.0, centred, (int)n, pca->v, (int)cols, 0.0, out + first, (int)rows);
    }
    regret_free(centred);
    return REGRET_OK;
}

void regret_pca_free(struct regret_pca *pca)
{
    if (pca == NULL) {
        return;
    }
    regret_free(pca->mean);
    regret_free(pca->singular);
    regret_free(pca->v);
    regret_free(pca);
}
