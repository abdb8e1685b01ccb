#include "estimate/multi_ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/try.h"
#include "linalg/weights.h"
#include "regret/alloc.h"

/* The fit in centred, weighted coordinates: S = diag(√c)(X − 1 x̄ᵀ) and R = diag(√c)(T − 1 t̄ᵀ) of
 * the rows with a positive count, and θ = (SᵀS + ρI)⁻¹SᵀR = Sᵀ(SSᵀ + ρI)⁻¹R. */
struct fit {
    size_t rows, cols, outputs;
    size_t used;     /* rows with a positive count */
    double *x_mean;  /* cols; owned */
    double *t_mean;  /* outputs; owned */
    double *s;       /* used x cols; owned */
    double *r;       /* used x outputs; owned */
    double *gram;    /* the smaller of SᵀS and SSᵀ, plus ρI; owned */
    double *theta;   /* cols x outputs; owned */
    double *centred; /* rows x cols; owned */
};

static void fit_free(struct fit *f)
{
    double *const owned[] = {f->x_mean, f->t_mean, f->s, f->r, f->gram, f->theta, f->centred};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) {
        regret_free(owned[i]);
    }
}

static int fit_init(struct fit *f, size_t rows, size_t cols, size_t outputs, const double *count)
{
    *f = (struct fit){.rows = rows, .cols = cols, .outputs = outputs};
    for (size_t i = 0; i < rows; i++) {
        f->used += count[i] > 0.0;
    }
    size_t side = f->used < cols ? f->used : cols;
    double **const array[] = {&f->x_mean, &f->t_mean, &f->s,      &f->r,
                              &f->gram,   &f->theta,  &f->centred};
    const size_t size[] = {cols,        outputs,        f->used * cols, f->used * outputs,
                           side * side, cols * outputs, rows * cols};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        TRY(REGRET_NEW(array[i], size[i]));
    }
    return REGRET_OK;
}

/* Weighted column means of a (rows x cols), then the centred rows of positive count times √c. */
static void centre(double *mean, double *weighted, size_t used, const double *a, size_t rows,
                   size_t cols, const double *count)
{
    double n = 0.0;
    for (size_t i = 0; i < rows; i++) {
        n += count[i];
    }
    for (size_t j = 0; j < cols; j++) {
        const double *column = a + j * rows;
        for (size_t i = 0; i < rows; i++) {
            mean[j] += count[i] * column[i];
        }
        mean[j] /= n;
        for (size_t i = 0, k = 0; i < rows; i++) {
            if (count[i] > 0.0) {
                weighted[k++ + j * used] = sqrt(count[i]) * (column[i] - mean[j]);
            }
        }
    }
}

static int factor_and_solve(double *gram, size_t side, double ridge, double *right, size_t outputs)
{
    for (size_t i = 0; i < side; i++) {
        gram[i + i * side] += ridge;
    }
    lapack_int n = (lapack_int)side, m = (lapack_int)outputs;
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, gram, n);
    if (info == 0) {
        info = LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, m, gram, n, right, n);
    }
    if (info != 0) {
        return regret_fail(REGRET_E_NUMERIC,
                           "the ridge of labels on features failed (LAPACK info %d): check for "
                           "values that are not finite, or raise the ridge penalty above %g",
                           (int)info, ridge);
    }
    return REGRET_OK;
}

static int solve(struct fit *f, double ridge)
{
    int m = (int)f->used, n = (int)f->cols, k = (int)f->outputs;
    if (f->used < f->cols) {
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, m, n, 1.0, f->s, m, 0.0, f->gram, m);
        int rc = factor_and_solve(f->gram, f->used, ridge, f->r, f->outputs);
        if (rc == REGRET_OK) {
            cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, k, m, 1.0, f->s, m, f->r, m,
                        0.0, f->theta, n);
        }
        return rc;
    }
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, m, 1.0, f->s, m, 0.0, f->gram, n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, n, k, m, 1.0, f->s, m, f->r, m, 0.0,
                f->theta, n);
    return factor_and_solve(f->gram, f->cols, ridge, f->theta, f->outputs);
}

static int predict(double *prediction, struct fit *f, const double *x)
{
    for (size_t j = 0; j < f->cols; j++) {
        for (size_t i = 0; i < f->rows; i++) {
            f->centred[i + j * f->rows] = x[i + j * f->rows] - f->x_mean[j];
        }
    }
    for (size_t k = 0; k < f->outputs; k++) {
        for (size_t i = 0; i < f->rows; i++) {
            prediction[i + k * f->rows] = f->t_mean[k];
        }
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)f->rows, (int)f->outputs,
                (int)f->cols, 1.0, f->centred, (int)f->rows, f->theta, (int)f->cols, 1.0,
                prediction, (int)f->rows);
    for (size_t i = 0; i < f->rows * f->outputs; i++) {
        if (!isfinite(prediction[i])) { /* OpenBLAS factorises NaN without complaint */
            return regret_fail(REGRET_E_NUMERIC,
                               "a predicted label of row %zu is not finite: check the features and "
                               "labels for values that are not finite",
                               i % f->rows);
        }
    }
    return REGRET_OK;
}

int multi_ridge_predict(double *prediction, const double *x, size_t rows, size_t cols,
                        const double *t, size_t outputs, const double *count, double ridge)
{
    if (!(ridge > 0.0) || !isfinite(ridge)) {
        return regret_fail(REGRET_E_INPUT,
                           "a ridge penalty of %g for predicted labels: it must be above 0", ridge);
    }
    int rc = sides_check(rows, cols);
    if (rc == REGRET_OK) {
        rc = weights_check(count, rows);
    }
    if (rc != REGRET_OK) {
        return rc;
    }
    struct fit f;
    rc = fit_init(&f, rows, cols, outputs, count);
    if (rc == REGRET_OK) {
        centre(f.x_mean, f.s, f.used, x, rows, cols, count);
        centre(f.t_mean, f.r, f.used, t, rows, outputs, count);
        rc = solve(&f, ridge);
    }
    if (rc == REGRET_OK) {
        rc = predict(prediction, &f, x);
    }
    fit_free(&f);
    return rc;
}
