#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "linalg/dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"
#include "regret/status.h"

struct regret_blas_info regret_blas_describe(void)
{
    return (struct regret_blas_info){
        .build = openblas_get_config(),
        .kernel = openblas_get_corename(),
        .parallel = openblas_get_parallel(),
        .blas_threads = openblas_get_num_threads(),
    };
}

int regret_blas_set_threads(int threads)
{
    int before = openblas_get_num_threads();
    openblas_set_num_threads(threads);
    return before;
}

static atomic_int has_buffer; /* of one thread: take_buffer() */

/* Every thread that computes at a time takes a buffer of OpenBLAS, which asks for it forever where
 * there is no room (a limit of address space): whether there is must be known before. What other
 * allocations take meanwhile is left aside by a margin. */
static int check_room(size_t threads)
{
    enum { BUFFER_MEGABYTES = 128, MARGIN_MEGABYTES = 32 };
    size_t more = threads - (size_t)(threads > 0 && atomic_load(&has_buffer));
    size_t megabytes = more * BUFFER_MEGABYTES + MARGIN_MEGABYTES, size = megabytes << 20;
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return regret_fail(REGRET_E_NOMEM,
                           "out of memory: OpenBLAS wants %zu MB of address space for %zu "
                           "thread%s; raise the limit (ulimit -v)%s",
                           megabytes, threads, threads == 1 ? "" : "s",
                           threads == 1 ? "" : ", or use fewer --threads");
    }
    munmap(room, size);
    return REGRET_OK;
}

/* Has OpenBLAS take the buffer of one thread, which it keeps for later calls of any: what is allocated
 * from here on cannot use up the room that the check has found. */
static void take_buffer(void)
{
    double one = 1.0, square = 0.0;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, 1, 1, 1.0, &one, 1, 0.0, &square, 1);
    atomic_store(&has_buffer, 1);
}

int regret_blas_check_threads(size_t threads)
{
    if (threads > 1 && openblas_get_parallel() == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "this is the serial build of OpenBLAS, which gives wrong answers from "
                           "%zu threads; install the pthread build (libopenblas0-pthread) or use "
                           "--threads 1",
                           threads);
    }
    TRY(check_room(threads));
    take_buffer();
    return REGRET_OK;
}

/* The n × n second-difference matrix tridiag(-1, 2, -1) has eigenvalues 2 - 2 cos(kπ/(n+1)) and
 * inverse min(i,j)(n+1-max(i,j))/(n+1). */
enum { ORDER = 96 };

static void second_differences(double *a)
{
    for (int i = 0; i < ORDER * ORDER; i++) {
        int row = i % ORDER, column = i / ORDER;
        a[i] = row == column ? 2.0 : abs(row - column) == 1 ? -1.0 : 0.0;
    }
}

/* fmax(), which GCC 12 for arm64 fails to compile in these loops. */
static double larger(double a, double b)
{
    return b > a ? b : a;
}

static double inverse_error(double *a, double *b)
{
    for (int i = 0; i < ORDER; i++) {
        b[i] = i == ORDER / 2 ? 1.0 : 0.0;
    }
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', ORDER, 1, a, ORDER, b, ORDER) != 0) {
        return INFINITY;
    }
    double worst = 0.0;
    int j = ORDER / 2 + 1;
    for (int i = 1; i <= ORDER; i++) {
        double low = i < j ? i : j, high = i < j ? j : i;
        worst = larger(worst, fabs(b[i - 1] - low * (ORDER + 1 - high) / (ORDER + 1)));
    }
    return worst;
}

static double eigenvalue_error(double *a, double *w)
{
    if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', ORDER, a, ORDER, w) != 0) {
        return INFINITY;
    }
    double worst = 0.0;
    for (int k = 1; k <= ORDER; k++) {
        double exact = 2.0 - 2.0 * cos(k * 3.14159265358979323846 / (ORDER + 1));
        worst = larger(worst, fabs(w[k - 1] - exact));
    }
    return worst;
}

static int check_once(void *context, size_t index, size_t worker)
{
    (void)worker;
    double *worst = (double *)context + index;
    double *block = NULL;
    TRY(REGRET_NEW(&block, ORDER * ORDER + ORDER));
    second_differences(block);
    *worst = inverse_error(block, block + (size_t)ORDER * ORDER);
    second_differences(block);
    *worst = fmax(*worst, eigenvalue_error(block, block + (size_t)ORDER * ORDER));
    regret_free(block);
    return REGRET_OK;
}

int regret_blas_self_check(size_t threads, double *worst)
{
    size_t jobs = 8 * threads;
    double largest = 0.0;
    FREED double *errors = NULL;
    TRY(REGRET_NEW(&errors, jobs));
    TRY(regret_parallel_for(jobs, threads, check_once, errors));
    for (size_t i = 0; i < jobs; i++) {
        largest = fmax(largest, errors[i]);
    }
    if (worst != NULL) {
        *worst = largest;
    }
    if (!(largest <= 1e-10)) {
        return regret_fail(REGRET_E_NUMERIC,
                           "the linear algebra library fails its self-check (error %g on %zu "
                           "threads); reinstall OpenBLAS or set OPENBLAS_CORETYPE",
                           largest, threads);
    }
    return REGRET_OK;
}

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

struct active_set {
    const double *q, *c;
    size_t n;
    unsigned char is_free[SIMPLEX_MOST];
};

/* x of the free ones that minimises on Σ x = 1 alone: Q x = c − ν 1. The others of x are 0. */
static int solve_free(double *x, double *nu, const struct active_set *s)
{
    double a[SIMPLEX_MOST * SIMPLEX_MOST], right[2 * SIMPLEX_MOST];
    size_t place[SIMPLEX_MOST], m = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->is_free[i]) {
            place[m++] = i;
        }
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            a[i * m + j] = s->q[place[i] * s->n + place[j]];
        }
        right[i] = s->c[place[i]];
        right[m + i] = 1.0;
    }
    TRY(regret_sym_cholesky(a, m));
    regret_sym_cholesky_solve(right, 2, a, m);
    double sum = 0.0, ones = 0.0;
    for (size_t i = 0; i < m; i++) {
        sum += right[i];
        ones += right[m + i];
    }
    *nu = (sum - 1.0) / ones;
    memset(x, 0, s->n * sizeof *x);
    for (size_t i = 0; i < m; i++) {
        x[place[i]] = right[i] - *nu * right[m + i];
    }
    return REGRET_OK;
}

/* w moves towards x until the first free one reaches 0, which is bound then; 1 where it gets there. */
static int move(double *w, const double *x, struct active_set *s)
{
    double share = 1.0;
    size_t first = s->n;
    for (size_t i = 0; i < s->n; i++) {
        if (s->is_free[i] && x[i] < 0.0 && w[i] / (w[i] - x[i]) < share) {
            share = w[i] / (w[i] - x[i]);
            first = i;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        w[i] += share * (x[i] - w[i]);
    }
    if (first < s->n) {
        w[first] = 0.0;
        s->is_free[first] = 0;
    }
    return first == s->n;
}

/* Frees the bound one that gains most: of the largest c − Q w − ν above rounding. 0: there is none. */
static int free_best(struct active_set *s, const double *w, double nu)
{
    double most = 0.0;
    size_t best = s->n;
    for (size_t i = 0; i < s->n; i++) {
        double slope = s->c[i] - nu, size = fabs(s->c[i]) + fabs(nu);
        for (size_t j = 0; j < s->n; j++) {
            slope -= s->q[i * s->n + j] * w[j];
            size += fabs(s->q[i * s->n + j] * w[j]);
        }
        if (!s->is_free[i] && slope > most && slope > 1e-12 * size) {
            most = slope;
            best = i;
        }
    }
    if (best < s->n) {
        s->is_free[best] = 1;
    }
    return best < s->n;
}

int simplex_least_squares(double *w, const double *q, const double *c, size_t n)
{
    enum { MOST_ROUNDS = 20 * SIMPLEX_MOST };
    struct active_set s = {.q = q, .c = c, .n = n};
    double x[SIMPLEX_MOST], nu = 0.0;
    int is_done = 0;
    for (size_t i = 0; i < n; i++) {
        w[i] = 1.0 / (double)n;
        s.is_free[i] = 1;
    }
    for (int round = 0; round < MOST_ROUNDS && !is_done; round++) {
        TRY(solve_free(x, &nu, &s));
        is_done = move(w, x, &s) && !free_best(&s, w, nu);
    }
    return is_done ? REGRET_OK
                   : regret_fail(REGRET_E_NUMERIC,
                                 "weights of %zu surfaces are not found: check "
                                 "for predictions that are not finite",
                                 n);
}

int weights_check(const double *row_weight, size_t rows)
{
    double sum = row_weight == NULL ? (double)rows : 0.0;
    for (size_t i = 0; row_weight != NULL && i < rows; i++) {
        if (!isfinite(row_weight[i]) || row_weight[i] < 0.0) {
            return regret_fail(REGRET_E_INPUT,
                               "the weight of row %zu is %g: weights must be finite and >= 0", i,
                               row_weight[i]);
        }
        sum += row_weight[i];
    }
    if (!(sum > 0.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "no row of %zu has a positive weight: there is nothing "
                           "to fit on; give a sample with at least one row",
                           rows);
    }
    return REGRET_OK;
}

int sides_check(size_t rows, size_t cols)
{
    if (rows > INT_MAX || cols > INT_MAX) {
        return regret_fail(REGRET_E_INPUT,
                           "a matrix of %zu x %zu is too large for BLAS: at most %d rows and "
                           "columns; use fewer documents or terms",
                           rows, cols, INT_MAX);
    }
    return REGRET_OK;
}
