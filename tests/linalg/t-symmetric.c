/* Cholesky, pivoted Cholesky and the tridiagonal form, rebuilt by loops. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"
#include "linalg/random_matrix.h"

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

/* Q of n × n, made by rotating the identity. */
static double *rotation(const double *a, const double *tau, size_t n, enum sym_side side,
                        enum sym_transpose transpose)
{
    double *q = calloc(n * n + 1, sizeof *q);
    for (size_t i = 0; i < n; i++) {
        q[i * n + i] = 1.0;
    }
    cr_assert_eq(regret_sym_rotate(q, n, n, side, transpose, a, tau), 0);
    return q;
}

static double entry_of_tridiagonal(const double *diagonal, const double *off, size_t i, size_t j)
{
    return i == j ? diagonal[i] : i + 1 == j ? off[i] : j + 1 == i ? off[j] : 0.0;
}

/* (Q T Qᵀ)(i, j). */
static double turned_back(const double *q, const double *diagonal, const double *off, size_t n,
                          size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        for (size_t l = k > 0 ? k - 1 : 0; l < n && l <= k + 1; l++) {
            sum += q[k * n + i] * entry_of_tridiagonal(diagonal, off, k, l) * q[l * n + j];
        }
    }
    return sum;
}

/* Orders on both sides of LAPACK's block size; a rank-deficient matrix, shifted. */
Test(symmetric, tridiagonal)
{
    for (size_t n = 1; n < 90; n += 11) {
        double *a = gram(n, (n + 1) / 2, -1.0, n), *r = copy(a, n);
        double tau[90] = {0}, diagonal[90], off[90];
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < i; j++) {
                r[i * n + j] = NAN; /* the upper triangle is not read */
            }
        }
        cr_assert_eq(regret_sym_tridiagonal(r, tau, diagonal, off, n), 0);
        double *q = rotation(r, tau, n, SYM_LEFT, SYM_PLAIN);
        double *right = rotation(r, tau, n, SYM_RIGHT, SYM_PLAIN);
        double *transposed = rotation(r, tau, n, SYM_LEFT, SYM_TRANSPOSED);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                double dot = 0.0;
                for (size_t k = 0; k < n; k++) {
                    dot += q[i * n + k] * q[j * n + k];
                }
                cr_assert_float_eq(dot, i == j ? 1.0 : 0.0, 1e-12);
                cr_assert_float_eq(q[j * n + i], right[j * n + i], 1e-14);
                cr_assert_float_eq(q[j * n + i], transposed[i * n + j], 1e-14);
                cr_assert_float_eq(turned_back(q, diagonal, off, n, i, j), a[j * n + i], 1e-10);
            }
        }
        free(a);
        free(r);
        free(q);
        free(right);
        free(transposed);
    }
    double one = 7.0;
    cr_assert_eq(regret_sym_tridiagonal(&one, &one, &one, &one, 0), 0);
    cr_assert_eq(regret_sym_rotate(&one, 0, 3, SYM_RIGHT, SYM_PLAIN, &one, &one), 0);
    cr_assert_eq(one, 7.0);
    cr_assert_eq(regret_sym_tridiagonal(&one, &one, &one, &one, 40001), REGRET_E_INPUT);
}

Test(symmetric, tridiagonal_systems)
{
    double diagonal[] = {2.0, 3.0, 4.0, 5.0}, off[] = {-1.0, 0.5, 0.0}, x[4];
    const double d[] = {2.0, 3.0, 4.0, 5.0}, e[] = {-1.0, 0.5, 0.0}, wanted[] = {1, -2, 3, 0.25};
    for (size_t i = 0; i < 4; i++) {
        x[i] = 0.0;
        for (size_t j = 0; j < 4; j++) {
            x[i] += entry_of_tridiagonal(d, e, i, j) * wanted[j];
        }
    }
    cr_assert_eq(regret_sym_tridiagonal_factor(diagonal, off, 4), 0);
    regret_sym_tridiagonal_solve(x, diagonal, off, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_assert_float_eq(x[i], wanted[i], 1e-15);
    }
    double bad[] = {1.0, 1.0}, coupling[] = {2.0};
    cr_assert_eq(regret_sym_tridiagonal_factor(bad, coupling, 2), REGRET_E_NUMERIC);
}
