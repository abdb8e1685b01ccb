#include "linalg/symmetric.h"

#include <lapacke.h>

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

int regret_sym_cholesky(double *a, size_t n)
{
    int rc = check_order(n);
    if (rc != REGRET_OK || n == 0) {
        return rc;
    }
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', (int)n, a, (int)n);
    if (info != 0) {
        return regret_fail(REGRET_E_NUMERIC,
                           "a ridge system of order %zu is not positive definite (pivot %d); a "
                           "larger penalty rho would help",
                           n, (int)info);
    }
    return REGRET_OK;
}

int regret_sym_pivoted_cholesky(double *k, size_t *pivot, size_t *rank, size_t n, double tolerance)
{
    int *piv = NULL;
    double *work = NULL;
    double largest = 0.0;
    int found = 0;
    int rc = check_order(n);
    if (rc != REGRET_OK) {
        return rc;
    }
    if (n == 0) {
        *rank = 0;
        return REGRET_OK;
    }
    if ((rc = REGRET_NEW(&piv, n)) != REGRET_OK || (rc = REGRET_NEW(&work, 2 * n)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t i = 0; i < n; i++) {
        largest = k[i * n + i] > largest ? k[i * n + i] : largest;
    }
    /* A matrix of zeros has rank 0; dpstrf would look for a positive pivot. */
    if (largest > 0.0) {
        lapack_int info = LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', (int)n, k, (int)n, piv, &found,
                                              tolerance * largest, work);
        if (info < 0) {
            rc = regret_fail(REGRET_E_INTERNAL, "dpstrf refuses argument %d", -(int)info);
            goto cleanup;
        }
    }
    for (size_t i = 0; i < n; i++) {
        pivot[i] = largest > 0.0 ? (size_t)piv[i] - 1 : i;
    }
    *rank = (size_t)found;
cleanup:
    regret_free(piv);
    regret_free(work);
    return rc;
}

int regret_sym_eigen(double *a, double *w, size_t n)
{
    double *work = NULL;
    int *iwork = NULL;
    double work_size = 0.0;
    int iwork_size = 0;
    int rc = check_order(n);
    if (rc != REGRET_OK || n == 0) {
        return rc;
    }
    LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', (int)n, a, (int)n, w, &work_size, -1,
                        &iwork_size, -1);
    size_t lwork = (size_t)work_size, liwork = (size_t)iwork_size;
    if ((rc = REGRET_NEW(&work, lwork)) == REGRET_OK &&
        (rc = REGRET_NEW(&iwork, liwork)) == REGRET_OK) {
        lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', (int)n, a, (int)n, w,
                                              work, (int)lwork, iwork, (int)liwork);
        if (info != 0) {
            rc = regret_fail(REGRET_E_NUMERIC,
                             "an eigen-decomposition of order %zu did not converge (%d)", n,
                             (int)info);
        }
    }
    regret_free(work);
    regret_free(iwork);
    return rc;
}
