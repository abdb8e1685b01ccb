/* Cholesky, pivoted Cholesky and the eigen-decomposition, rebuilt by loops. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/random_matrix.h"
#include "linalg/symmetric.h"

/* X Xᵀ + shift·I with X of n × rank; the whole square. */
static double *gram(size_t n, size_t rank, double shift, uint64_t seed)
{
    double *x = random_dense(n, rank, seed), *a = calloc(n * n + 1, sizeof *a);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            a[j * n + i] = i == j ? shift : 0.0;
            for (size_t k = 0; k < rank; k++) {
                a[j * n + i] += x[k * n + i] * x[k * n + j];
            }
        }
    }
    free(x);
    return a;
}

static double *copy(const double *a, size_t n)
{
    double *b = malloc((n * n + 1) * sizeof *b);
    memcpy(b, a, n * n * sizeof *b);
    return b;
}

/* Element (i, j) of L Lᵀ, with the first `rank` columns of the lower triangle. */
static double rebuilt(const double *l, size_t n, size_t rank, size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t k = 0; k <= (i < j ? i : j) && k < rank; k++) {
        sum += l[k * n + i] * l[k * n + j];
    }
    return sum;
}

Test(symmetric, cholesky)
{
    for (size_t n = 1; n < 40; n += 6) {
        double *a = gram(n, n, 0.5, n), *l = copy(a, n);
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < j; i++) {
                l[j * n + i] = NAN; /* the upper triangle is neither read nor written */
            }
        }
        cr_assert_eq(regret_sym_cholesky(l, n), 0);
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) {
                cr_assert(i < j ? isnan(l[j * n + i]) : 1);
                if (i >= j) {
                    cr_assert_float_eq(rebuilt(l, n, n, i, j), a[j * n + i], 1e-12 * (double)n);
                }
            }
        }
        free(a);
        free(l);
    }
}

Test(symmetric, cholesky_refuses)
{
    double indefinite[] = {1.0, 2.0, 2.0, 1.0}, nothing[] = {7.0}, minus[] = {-1.0};
    cr_assert_eq(regret_sym_cholesky(indefinite, 2), REGRET_E_NUMERIC);
    cr_assert_not_null(strstr(regret_error_message(), "larger penalty rho"));
    cr_assert_eq(regret_sym_cholesky(minus, 1), REGRET_E_NUMERIC);
    cr_assert_eq(regret_sym_cholesky(nothing, 0), 0);
    cr_assert_eq(nothing[0], 7.0);
    cr_assert_eq(regret_sym_cholesky(nothing, 40001), REGRET_E_INPUT);
}

Test(symmetric, pivoted_cholesky_finds_the_rank)
{
    static const size_t ranks[] = {1, 4, 9, 15};
    const size_t n = 15;
    for (size_t r = 0; r < 4; r++) {
        double *a = gram(n, ranks[r], 0.0, 90 + r), *l = copy(a, n);
        size_t pivot[15], rank = 0;
        int seen[15] = {0};
        cr_assert_eq(regret_sym_pivoted_cholesky(l, pivot, &rank, n, 1e-10), 0);
        cr_assert_eq(rank, ranks[r]);
        for (size_t i = 0; i < n; i++) {
            cr_assert(pivot[i] < n && !seen[pivot[i]]);
            seen[pivot[i]] = 1;
            cr_assert(i == 0 || i >= rank || l[i * n + i] <= l[(i - 1) * n + i - 1] * (1 + 1e-12),
                      "pivots descend");
            for (size_t j = 0; j < n; j++) {
                cr_assert_float_eq(rebuilt(l, n, rank, i, j), a[pivot[j] * n + pivot[i]], 1e-7);
            }
        }
        free(a);
        free(l);
    }
}

Test(symmetric, pivoted_cholesky_of_next_to_nothing)
{
    double zero[9] = {0}, one[] = {4.0};
    size_t pivot[3] = {9, 9, 9}, rank = 9;
    cr_assert_eq(regret_sym_pivoted_cholesky(zero, pivot, &rank, 3, 1e-10), 0);
    cr_assert(rank == 0 && pivot[0] == 0 && pivot[1] == 1 && pivot[2] == 2);
    cr_assert_eq(regret_sym_pivoted_cholesky(one, pivot, &rank, 1, 1e-10), 0);
    cr_assert(rank == 1 && one[0] == 2.0 && pivot[0] == 0);
    cr_assert_eq(regret_sym_pivoted_cholesky(one, pivot, &rank, 0, 1e-10), 0);
    cr_assert_eq(rank, 0);
    rank = 77;
    cr_assert_eq(regret_sym_pivoted_cholesky(one, pivot, &rank, 40001, 1e-10), REGRET_E_INPUT);
    cr_assert_eq(rank, 77, "touched on failure");
}

/* A low tolerance stops early: what is left on the diagonal is below it. */
Test(symmetric, pivoted_cholesky_stops_at_the_tolerance)
{
    double d[] = {1.0, 0, 0, 0, 100.0, 0, 0, 0, 1e-3};
    size_t pivot[3], rank = 0;
    cr_assert_eq(regret_sym_pivoted_cholesky(d, pivot, &rank, 3, 1e-4), 0);
    cr_assert(rank == 2 && pivot[0] == 1 && pivot[1] == 0 && pivot[2] == 2);
}

Test(symmetric, eigen)
{
    for (size_t n = 1; n < 40; n += 6) {
        double *a = gram(n, (n + 1) / 2, 0.0, n), *v = copy(a, n);
        double w[40];
        for (size_t i = 0; i < n; i++) {
            a[i * n + i] -= 1.0, v[i * n + i] -= 1.0; /* half of the values are -1 */
            for (size_t j = 0; j < i; j++) {
                v[i * n + j] = NAN; /* the upper triangle is not read */
            }
        }
        cr_assert_eq(regret_sym_eigen(v, w, n), 0);
        cr_assert(n == 1 || fabs(w[0] + 1.0) < 1e-10);
        for (size_t k = 0; k < n; k++) {
            cr_assert(k == 0 || w[k - 1] <= w[k]);
            for (size_t i = 0; i < n; i++) {
                double av = 0.0, dot = 0.0;
                for (size_t j = 0; j < n; j++) {
                    av += a[j * n + i] * v[k * n + j];
                    dot += v[i * n + j] * v[k * n + j];
                }
                cr_assert_float_eq(av, w[k] * v[k * n + i], 1e-10);
                cr_assert_float_eq(dot, i == k ? 1.0 : 0.0, 1e-12);
            }
        }
        free(a);
        free(v);
    }
    double w = 7.0;
    cr_assert_eq(regret_sym_eigen(&w, &w, 0), 0);
    cr_assert_eq(w, 7.0);
    cr_assert_eq(regret_sym_eigen(&w, &w, 40001), REGRET_E_INPUT);
}

Test(symmetric, survives_want_of_memory)
{
    for (long k = 0; k < 2; k++) {
        double *a = gram(5, 5, 1.0, 1), w[5];
        size_t pivot[5], rank = 77;
        regret_alloc_fail_after(k);
        cr_assert_eq(regret_sym_pivoted_cholesky(a, pivot, &rank, 5, 1e-10), REGRET_E_NOMEM);
        cr_assert_eq(rank, 77);
        regret_alloc_fail_after(k);
        cr_assert_eq(regret_sym_eigen(a, w, 5), REGRET_E_NOMEM);
        regret_alloc_fail_after(-1);
        free(a);
    }
}
