#include "linalg/dense/symmetric.h"

#include <lapacke.h>

#include "base/core/try.h"
#include "regret/alloc.h"

static int check_order(size_t n)
{
    /* The 32-bit LAPACK interface indexes with int. */
    if (n > 40000) {
        return regret_fail(REGRET_E_INPUT,
                           "a dense system of order %zu is too large; use fewer features or rows",
                           n);
    }
    return REGRET_OK;
}

static int check_pivots(size_t n, lapack_int info)
{
    if (info != 0) {
        return regret_fail(REGRET_E_NUMERIC,
                           "a ridge system of order %zu is not positive definite (pivot %d); a "
                           "larger penalty rho would help",
                           n, (int)info);
    }
    return REGRET_OK;
}

int regret_sym_cholesky(double *a, size_t n)
{
    int rc = check_order(n);
    if (rc != REGRET_OK || n == 0) {
        return rc;
    }
    return check_pivots(n, LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, a, (int)n));
}

void regret_sym_cholesky_solve(double *x, size_t outputs, const double *factor, size_t n)
{
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', (int)n, (int)outputs, factor, (int)n, x, (int)n);
}

int regret_sym_pivoted_cholesky(double *k, size_t *pivot, size_t *rank, size_t n, double tolerance)
{
    FREED int *piv = NULL;
    FREED double *work = NULL;
    double largest = 0.0;
    int found = 0;
    TRY(check_order(n));
    if (n == 0) {
        *rank = 0;
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&piv, n));
    TRY(REGRET_NEW(&work, 2 * n));
    for (size_t i = 0; i < n; i++) {
        largest = k[i * n + i] > largest ? k[i * n + i] : largest;
    }
    /* A matrix of zeros has rank 0; dpstrf would look for a positive pivot. */
    if (largest > 0.0) {
        lapack_int info = LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (int)n, k, (int)n, piv, &found,
                                              tolerance * largest, work);
        if (info < 0) {
            return regret_fail(REGRET_E_INTERNAL, "dpstrf refuses argument %d", -(int)info);
        }
    }
    for (size_t i = 0; i < n; i++) {
        pivot[i] = largest > 0.0 ? (size_t)piv[i] - 1 : i;
    }
    *rank = (size_t)found;
    return REGRET_OK;
}

int regret_sym_tridiagonal(double *a, double *tau, double *diagonal, double *off, size_t n)
{
    double *work = NULL, size = 0.0;
    int rc = check_order(n);
    if (rc != REGRET_OK || n == 0) {
        return rc;
    }
    LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'L', (int)n, a, (int)n, diagonal, off, tau, &size, -1);
    TRY(REGRET_NEW(&work, (size_t)size));
    lapack_int info = LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'L', (int)n, a, (int)n, diagonal, off,
                                          tau, work, (int)size);
    regret_free(work);
    return info == 0 ? REGRET_OK
                     : regret_fail(REGRET_E_INTERNAL, "dsytrd refuses argument %d", -(int)info);
}

int regret_sym_tridiagonal_factor(double *diagonal, double *off, size_t n)
{
    return check_pivots(n, LAPACKE_dpttrf_work((int)n, diagonal, off));
}

void regret_sym_tridiagonal_solve(double *x, const double *diagonal, const double *off, size_t n)
{
    LAPACKE_dpttrs_work(LAPACK_COL_MAJOR, (int)n, 1, diagonal, off, x, (int)n);
}

int regret_sym_rotate(double *c, size_t rows, size_t cols, enum sym_side side,
                      enum sym_transpose transpose, const double *a, const double *tau)
{
    double *work = NULL, size = 0.0;
    int m = (int)rows, n = (int)cols, order = side == SYM_LEFT ? m : n;
    if (rows == 0 || cols == 0) {
        return REGRET_OK; /* LAPACK would refuse a leading dimension of 0 */
    }
    LAPACKE_dormtr_work(LAPACK_COL_MAJOR, (char)side, 'L', (char)transpose, m, n, a, order, tau, c,
                        m, &size, -1);
    TRY(REGRET_NEW(&work, (size_t)size));
    lapack_int info = LAPACKE_dormtr_work(LAPACK_COL_MAJOR, (char)side, 'L', (char)transpose, m, n,
                                          a, order, tau, c, m, work, (int)size);
    regret_free(work);
    return info == 0 ? REGRET_OK
                     : regret_fail(REGRET_E_INTERNAL, "dormtr refuses argument %d", -(int)info);
}
