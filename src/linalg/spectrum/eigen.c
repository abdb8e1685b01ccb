#include "linalg/spectrum/eigen.h"

#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/svd.h"

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
