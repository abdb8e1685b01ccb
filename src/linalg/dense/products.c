#include "linalg/dense/products.h"

#include <cblas.h>

void products_by_columns(double *out, const double *a, size_t n, size_t k, const double *x,
                         size_t m)
{
    if (m == 1 && k > 0) {
        cblas_dgemv(CblasColMajor, CblasTrans, (int)n, (int)k, 1.0, a, (int)n, x, 1, 0.0, out, 1);
    } else if (k > 0) {
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)k, (int)m, (int)n, 1.0, a, (int)n,
                    x, (int)n, 0.0, out, (int)k);
    }
}

void products_add(double *out, const double *a, size_t n, size_t k, const double *c, size_t m)
{
    if (m == 1 && k > 0) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)n, (int)k, 1.0, a, (int)n, c, 1, 1.0, out, 1);
    } else if (k > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)m, (int)k, 1.0, a,
                    (int)n, c, (int)k, 1.0, out, (int)n);
    }
}
