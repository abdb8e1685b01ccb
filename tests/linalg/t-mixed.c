/* Mixed models against the covariance of all entries, which their definition gives: few and many parts and groups, so that
 * either side is eliminated first. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/crossed.h"
#include "linalg/mixed_model.h"
#include "regret/task.h"

enum { COMMON = 4, OWN = 3, LINE = COMMON + OWN, BLOCKS = 3, MOST = 120, PARTS = 40 };
enum { VARIANCES = BLOCKS + MIXED_OTHERS, COLUMNS = COMMON + OWN * PARTS };

/* Entries: `singles` in a group of their own, then groups of `together`; every third of two rows. */
struct shape {
    const char *name;
    size_t n, parts, singles, together;
    int is_part_inside;
};
static const struct shape shapes[] = {
    {"parts inside, some groups of one", 60, 20, 9, 4, 1},
    {"groups inside, some of one", 60, 3, 9, 3, 0},
    {"every entry a group", MOST, 5, MOST, 1, 1},
    {"one group", MOST, 5, 0, MOST, 1},
    {"one part", MOST, 1, 20, 2, 0},
    {"parts without entries", 30, PARTS, 3, 5, 1},
};

struct made {
    double line[MOST * LINE], y[MOST], rows[MOST], precision[2];
    uint32_t group[MOST], part[MOST];
    struct mixed_model model;
};

static void make(struct made *s, const struct shape *of, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 90);
    memset(s, 0, sizeof *s);
    s->precision[1] = 1.0;
    for (size_t e = 0; e < of->n; e++) {
        double *line = s->line + e * LINE, effect = 0.0;
        s->group[e] =
            (uint32_t)(e < of->singles ? e : of->singles + (e - of->singles) / of->together);
        s->part[e] = (uint32_t)((e * 7 + e / 11) % of->parts);
        s->rows[e] = e % 3 == 1 ? 2.0 : 1.0;
        line[0] = line[COMMON] = 1.0;
        line[1] = (double)(e % 2);
        for (size_t j = 2; j < LINE; j++) {
            line[j] = j == COMMON ? 1.0 : regret_rng_normal(&r);
            effect += 0.3 * line[j];
        }
        s->y[e] = 0.3 + effect + 0.4 * (double)(s->part[e] % 3) + 0.2 * (double)(s->group[e] % 5) +
                  0.5 * regret_rng_normal(&r);
    }
    s->model = (struct mixed_model){.n = of->n,
                                    .common = COMMON,
                                    .own = OWN,
                                    .parts = of->parts,
                                    .line = s->line,
                                    .part = s->part,
                                    .y = s->y,
                                    .rows = s->rows,
                                    .group = s->group,
                                    .fixed = 2,
                                    .precision = s->precision,
                                    .n_blocks = BLOCKS,
                                    .block = {{2, 4}, {4, 5}, {5, LINE}},
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

/* The prior variance of a line's column; of the intercept, which is fixed, none. */
static double prior(const double *v, size_t j)
{
    static const size_t block[LINE] = {0, 0, 0, 0, 1, 2, 2};
    return j == 0 ? 0.0 : j == 1 ? 1.0 : v[block[j]];
}

/* V of all but the intercept, entry by entry. */
static double covariance(const struct made *s, const double *v, size_t e, size_t f)
{
    const double *x = s->line + e * LINE, *z = s->line + f * LINE, *other = v + BLOCKS;
    double sum = 0.0;
    for (size_t j = 1; j < (s->part[e] == s->part[f] ? LINE : COMMON); j++) {
        sum += prior(v, j) * x[j] * z[j];
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
    memset(beta, 0, COLUMNS * sizeof *beta);
    beta[0] = one_y / ones;
    for (size_t e = 0; e < n; e++) {
        double py = x[2 * e + 1] - beta[0] * x[2 * e];
        for (size_t j = 1; j < LINE; j++) {
            beta[j + (j < COMMON ? 0 : OWN * s->part[e])] +=
                prior(v, j) * s->line[e * LINE + j] * py;
        }
    }
    free(a);
    free(x);
    double noise = v[BLOCKS + MIXED_NOISE];
    return -0.5 * (log_det + log(ones) + y_y - one_y * one_y / ones + more * log(noise) +
                   s->model.within / noise);
}

/* The summit is what the definition says there, and no neighbour in any variance is higher. */
static void check(const struct made *s, const char *name)
{
    static const double low[VARIANCES] = {1e-8, 1e-8, 1e-8, 1e-8, 1e-8, 1e-6};
    double v[VARIANCES], beta[COLUMNS], expected[COLUMNS], likelihood;
    for (size_t j = 0; j < VARIANCES; j++) {
        v[j] = 0.2;
    }
    cr_assert_eq(mixed_choose(v, &likelihood, &s->model, low), 0);
    cr_assert_eq(mixed_solve(beta, &s->model, v), 0);
    cr_assert_float_eq(likelihood, naive(expected, s, v), 1e-9 * fabs(likelihood), "%s", name);
    for (size_t j = 0; j < mixed_columns(&s->model); j++) {
        cr_expect_float_eq(beta[j], expected[j], 1e-9, "%s: beta %zu: %.15g, %.15g", name, j,
                           beta[j], expected[j]);
    }
    for (size_t j = 0; j < 2 * VARIANCES; j++) {
        double near[VARIANCES];
        memcpy(near, v, sizeof near);
        near[j / 2] = fmax(low[j / 2], near[j / 2] * (j % 2 ? 1.05 : 0.95));
        cr_expect_leq(naive(expected, s, near), likelihood + 1e-7, "%s: variance %zu", name, j / 2);
    }
}

Test(mixed, as_the_covariance_of_entries_says)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct made s;
        struct crossed c;
        make(&s, &shapes[i], i + 1);
        cr_assert_eq(crossed_make(&c, &s.model), 0);
        cr_expect_eq(c.is_part_inside, shapes[i].is_part_inside, "%s", shapes[i].name);
        crossed_free(&c);
        check(&s, shapes[i].name);
    }
}

/* Entries of four lines, so that X'X is singular. */
Test(mixed, entries_of_few_lines)
{
    struct made s;
    make(&s, &shapes[2], 4);
    for (size_t e = 0; e < MOST; e++) {
        memcpy(s.line + e * LINE + 5, s.line + (e % 4) * LINE + 5, 2 * sizeof *s.line);
        memcpy(s.line + e * LINE + 2, s.line + (e % 4) * LINE + 2, 2 * sizeof *s.line);
    }
    check(&s, "few lines");
}
