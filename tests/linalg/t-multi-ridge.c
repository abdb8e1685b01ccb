#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/multi_ridge.h"
#include "regret/status.h"
#include "regret/task.h"

enum { ROWS = 14, OUTPUTS = 2 };

struct problem {
    double x[ROWS * 20], t[ROWS * OUTPUTS], count[ROWS];
    size_t cols;
};

static struct problem make_problem(size_t cols)
{
    struct problem p = {.cols = cols};
    struct regret_rng r = regret_rng_at(cols, REGRET_RNG_TEST, 0);
    for (size_t i = 0; i < ROWS * cols; i++) {
        p.x[i] = regret_rng_normal(&r) + 0.5;
    }
    for (size_t i = 0; i < ROWS * OUTPUTS; i++) {
        p.t[i] = regret_rng_normal(&r) + 3.0;
    }
    for (size_t i = 0; i < ROWS; i++) {
        p.count[i] = (double)(i % 4);
    }
    return p;
}

/* Reference: the normal equations of (b, θ) jointly, by Gaussian elimination with pivoting. */
static void naive(double *beta, const struct problem *p, size_t output, double ridge)
{
    size_t n = p->cols + 1;
    double a[21][22] = {{0}};
    for (size_t i = 0; i < ROWS; i++) {
        double row[22];
        row[0] = 1.0;
        for (size_t j = 0; j < p->cols; j++) {
            row[j + 1] = p->x[i + j * ROWS];
        }
        row[n] = p->t[i + output * ROWS];
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k <= n; k++) {
                a[j][k] += p->count[i] * row[j] * row[k];
            }
        }
    }
    for (size_t j = 1; j < n; j++) {
        a[j][j] += ridge;
    }
    for (size_t c = 0; c < n; c++) {
        size_t pivot = c;
        for (size_t i = c + 1; i < n; i++) {
            pivot = fabs(a[i][c]) > fabs(a[pivot][c]) ? i : pivot;
        }
        for (size_t k = 0; k <= n; k++) {
            double swap = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        for (size_t i = 0; i < n; i++) {
            double factor = i == c ? 0.0 : a[i][c] / a[c][c];
            for (size_t k = 0; k <= n; k++) {
                a[i][k] -= factor * a[c][k];
            }
        }
    }
    for (size_t j = 0; j < n; j++) {
        beta[j] = a[j][n] / a[j][j];
    }
}

static void check(size_t cols, double ridge)
{
    struct problem p = make_problem(cols);
    const struct regret_design x = regret_design_dense(ROWS, cols, p.x);
    double prediction[ROWS * OUTPUTS], beta[21];
    cr_assert_eq(multi_ridge_predict(prediction, &x, p.t, OUTPUTS, p.count, ridge), 0);
    for (size_t k = 0; k < OUTPUTS; k++) {
        naive(beta, &p, k, ridge);
        for (size_t i = 0; i < ROWS; i++) {
            double expected = beta[0];
            for (size_t j = 0; j < cols; j++) {
                expected += beta[j + 1] * p.x[i + j * ROWS];
            }
            cr_assert_float_eq(prediction[i + k * ROWS], expected, 1e-10);
        }
    }
}

Test(multi_ridge, agrees_with_the_normal_equations_on_both_sides)
{
    check(3, 1.0);  /* primal */
    check(3, 0.01); /* little penalty */
    check(20, 1.0); /* dual: ten rows have a positive count */
}

Test(multi_ridge, a_large_penalty_predicts_the_mean)
{
    struct problem p = make_problem(5);
    const struct regret_design x = regret_design_dense(ROWS, 5, p.x);
    double prediction[ROWS * OUTPUTS], mean = 0.0, n = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        mean += p.count[i] * p.t[i];
        n += p.count[i];
    }
    cr_assert_eq(multi_ridge_predict(prediction, &x, p.t, OUTPUTS, p.count, 1e12), 0);
    cr_assert_float_eq(prediction[0], mean / n, 1e-9);
    cr_assert_eq(multi_ridge_predict(prediction, &x, p.t, OUTPUTS, p.count, 0.0), REGRET_E_INPUT);
    p.x[1] = NAN;
    cr_assert_eq(multi_ridge_predict(prediction, &x, p.t, OUTPUTS, p.count, 1.0), REGRET_E_NUMERIC);
}
