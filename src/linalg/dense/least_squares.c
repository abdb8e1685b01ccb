#include "linalg/dense/least_squares.h"

#include <lapacke.h>

#include "base/core/try.h"
#include "regret/alloc.h"

int least_squares(double *b, const double *x, size_t d, const double *y, size_t n,
                  const unsigned char *use)
{
    size_t rows = 0, r = 0;
    for (size_t i = 0; i < n; i++) {
        rows += use[i] != 0;
    }
    if (rows == 0) {
        return regret_fail(REGRET_E_INPUT, "a least-squares fit wants at least one training row");
    }
    size_t ldb = rows > d + 1 ? rows : d + 1;
    FREED double *a = NULL, *rhs = NULL, *s = NULL;
    TRY(REGRET_NEW(&a, rows * (d + 1)));
    TRY(REGRET_NEW(&rhs, ldb));
    TRY(REGRET_NEW(&s, d + 1));
    for (size_t i = 0; i < n; i++) {
        if (!use[i]) {
            continue;
        }
        for (size_t j = 0; j < d; j++) {
            a[j * rows + r] = x[j * n + i];
        }
        a[d * rows + r] = 1.0;
        rhs[r++] = y[i];
    }
    int rank = 0;
    if (LAPACKE_dgelsd(LAPACK_COL_MAJOR, (int)rows, (int)(d + 1), 1, a, (int)rows, rhs, (int)ldb, s,
                       1e-12, &rank) != 0) {
        return regret_fail(REGRET_E_NUMERIC, "a least-squares fit did not converge");
    }
    for (size_t j = 0; j <= d; j++) {
        b[j] = rhs[j];
    }
    return REGRET_OK;
}
