/* Mixed models against the covariance of all entries, which their definition gives; entries that are alike among them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/mixed/room.h"
#include "regret/rng.h"

enum { Q = 7, BLOCKS = 2, MOST = 120, VARIANCES = BLOCKS + MIXED_OTHERS };

struct made {
    double line[MOST * Q], y[MOST], rows[MOST], precision[2];
    uint32_t group[MOST];
    struct mixed_model model;
};

/* `singles` entries of a group of their own, every third of two rows; then threes and a pair. */
static void make(struct made *s, size_t singles, size_t n, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 90);
    memset(s, 0, sizeof *s);
    s->precision[1] = 1.0;
    for (size_t e = 0; e < n; e++) {
        double *line = s->line + e * Q, effect = 0.0;
        s->group[e] = (uint32_t)(e < singles ? e : singles + (e - singles) / 3);
        s->rows[e] = e % 3 == 1 ? 2.0 : 1.0;
        line[0] = 1.0;
        line[1] = e % 2;
        line[2 + e % 2] = 1.0;
        for (size_t j = 4; j < Q; j++) {
            line[j] = regret_rng_normal(&r);
            effect += 0.5 * line[j];
        }
        s->y[e] = 0.3 + effect + 0.4 * (double)(e % 2) + 0.5 * regret_rng_normal(&r);
    }
    s->model = (struct mixed_model){.n = n,
                                    .q = Q,
                                    .line = s->line,
                                    .y = s->y,
                                    .rows = s->rows,
                                    .group = s->group,
                                    .fixed = 2,
                                    .precision = s->precision,
                                    .n_blocks = BLOCKS,
                                    .end = {4, Q},
                                    .within = 3.5};
}

/* x ← A⁻¹ x of a symmetric positive A (n × n), for m vectors; returns log|A|. By Gauss and Jordan. */
static double naive_solve(double *a, double *x, size_t n, size_t m)
{
    double log_det = 0.0;
    for (size_t k = 0; k < n; k++) {
        double pivot = a[k * n + k];
        log_det += log(pivot);
        for (size_t i = 0; i < n; i++) {
            double f = i == k ? 0.0 : a[i * n + k] / pivot;
            for (size_t j = k; f != 0.0 && j < n; j++) {
                a[i * n + j] -= f * a[k * n + j];
            }
            for (size_t j = 0; f != 0.0 && j < m; j++) {
                x[i * m + j] -= f * x[k * m + j];
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < m; j++) {
            x[k * m + j] /= a[k * n + k];
        }
    }
    return log_det;
}

/* V of all but the intercept, entry by entry. */
static double covariance(const struct made *s, const double *v, size_t e, size_t f)
{
    const double *x = s->line + e * Q, *z = s->line + f * Q, *other = v + BLOCKS;
    double sum = x[1] * z[1];
    for (size_t j = 2; j < Q; j++) {
        sum += v[j < 4 ? 0 : 1] * x[j] * z[j];
    }
    sum += s->group[e] == s->group[f] ? other[MIXED_GROUP] : 0.0;
    return sum + (e == f ? other[MIXED_ENTRY] + other[MIXED_NOISE] / s->rows[e] : 0.0);
}

/* ℓ(v), and β: the intercept by least squares, the others from what it leaves. */
static double naive(double *beta, const struct made *s, const double *v)
{
    size_t n = s->model.n;
    double *a = calloc(n * n, sizeof *a), *x = calloc(n * 2, sizeof *x);
    double ones = 0.0, one_y = 0.0, y_y = 0.0, more = 0.0;
    for (size_t e = 0; e < n; e++) {
        for (size_t f = 0; f < n; f++) {
            a[e * n + f] = covariance(s, v, e, f);
        }
        x[2 * e] = 1.0;
        x[2 * e + 1] = s->y[e];
        more += s->rows[e] - 1.0;
    }
    double log_det = naive_solve(a, x, n, 2);
    for (size_t e = 0; e < n; e++) {
        ones += x[2 * e];
        one_y += x[2 * e + 1];
        y_y += s->y[e] * x[2 * e + 1];
    }
    memset(beta, 0, Q * sizeof *beta);
    beta[0] = one_y / ones;
    for (size_t e = 0; e < n; e++) {
        double py = x[2 * e + 1] - beta[0] * x[2 * e];
        for (size_t j = 1; j < Q; j++) {
            beta[j] += (j == 1 ? 1.0 : v[j < 4 ? 0 : 1]) * s->line[e * Q + j] * py;
        }
    }
    free(a);
    free(x);
    double noise = v[BLOCKS + MIXED_NOISE];
    return -0.5 * (log_det + log(ones) + y_y - one_y * one_y / ones + more * log(noise) +
                   s->model.within / noise);
}

/* The summit is what the definition says there, and no neighbour in any variance is higher. */
static void check(const struct made *s)
{
    static const double low[VARIANCES] = {1e-8, 1e-8, 1e-8, 1e-8, 1e-6};
    double v[VARIANCES] = {0.2, 0.2, 0.2, 0.2, 0.2}, beta[Q], expected[Q], likelihood;
    cr_assert_eq(mixed_choose(v, &likelihood, &s->model, low), 0);
    cr_assert_eq(mixed_solve(beta, &s->model, v), 0);
    cr_assert_float_eq(likelihood, naive(expected, s, v), 1e-9 * fabs(likelihood));
    for (size_t j = 0; j < Q; j++) {
        cr_expect_float_eq(beta[j], expected[j], 1e-9, "beta %zu: %.15g, %.15g", j, beta[j],
                           expected[j]);
    }
    for (size_t j = 0; j < 2 * VARIANCES; j++) {
        double near[VARIANCES];
        memcpy(near, v, sizeof near);
        near[j / 2] = fmax(low[j / 2], near[j / 2] * (j % 2 ? 1.05 : 0.95));
        cr_expect_leq(naive(expected, s, near), likelihood + 1e-7, "variance %zu", j / 2);
    }
}

Test(mixed, as_the_covariance_of_entries_says)
{
    struct made s;
    make(&s, 9, 60, 1);
    check(&s);
}

/* Two classes of 60 and 30, more than twice the columns, and groups beside them. */
Test(mixed, alike_entries_are_rotated_and_nothing_changes)
{
    struct made s;
    make(&s, 90, MOST, 2);
    check(&s);
    make(&s, MOST, MOST, 3);
    check(&s);
}

/* Entries of one line each, so that R is singular. */
Test(mixed, alike_entries_of_few_lines)
{
    struct made s;
    make(&s, MOST, MOST, 4);
    for (size_t e = 0; e < MOST; e++) {
        memcpy(s.line + e * Q + 4, s.line + (e % 4) * Q + 4, 3 * sizeof *s.line);
    }
    check(&s);
}
