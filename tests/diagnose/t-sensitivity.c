/* Robustness values and odds against least squares and sorted thresholds of their own. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "diagnose/log_world.h"
#include "evaluate/diagnose.h"

enum { MOST_COLUMNS = 64 };

/* Residual sum of squares of column `target` on others by Gram and Schmidt on the rows, independent of sums of products. */
static double residual(double **column, size_t n, const size_t *use, size_t n_use, size_t target,
                       size_t *rank)
{
    double *q[MOST_COLUMNS], *y = malloc(n * sizeof *y), rss = 0.0;
    size_t m = 0;
    for (size_t k = 0; k <= n_use; k++) {
        double *v = k < n_use ? malloc(n * sizeof *v) : y, before = 0.0, after = 0.0;
        for (size_t i = 0; i < n; i++) {
            v[i] = column[k < n_use ? use[k] : target][i];
            before += v[i] * v[i];
        }
        for (int pass = 0; pass < 2; pass++) {
            for (size_t j = 0; j < m; j++) {
                double dot = 0.0;
                for (size_t i = 0; i < n; i++) {
                    dot += q[j][i] * v[i];
                }
                for (size_t i = 0; i < n; i++) {
                    v[i] -= dot * q[j][i];
                }
            }
        }
        for (size_t i = 0; i < n; i++) {
            after += v[i] * v[i];
        }
        if (k == n_use) {
            rss = after;
        } else if (after > 1e-10 * before) {
            for (size_t i = 0; i < n; i++) {
                v[i] /= sqrt(after);
            }
            q[m++] = v;
        } else {
            free(v);
        }
    }
    for (size_t j = 0; j < m; j++) {
        free(q[j]);
    }
    free(y);
    *rank = m;
    return rss;
}

/* Columns of OBS rows of agents 0 and 1: intercept, D, dummies of tags, the covariate, the length of texts, Y. */
struct columns {
    double *at[MOST_COLUMNS];
    size_t n, m;
};

static struct columns columns_of(const struct regret_log *log)
{
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    struct columns c = {.m = 2 + log->n_tags + 3};
    for (size_t k = 0; k < c.m; k++) {
        c.at[k] = calloc(obs->n, sizeof(double));
    }
    for (size_t i = 0; i < obs->n; i++) {
        if (obs->agent[i] < 2) {
            uint32_t x = obs->context[i];
            size_t length = 0;
            while (log->text[x][length]) {
                length++;
            }
            c.at[0][c.n] = 1.0;
            c.at[1][c.n] = obs->agent[i] == 0;
            c.at[2 + log->tag[x]][c.n] = 1.0;
            c.at[2 + log->n_tags][c.n] = log->column[0].value[x];
            c.at[3 + log->n_tags][c.n] = log1p((double)length);
            c.at[4 + log->n_tags][c.n++] = obs->outcome[i];
        }
    }
    return c;
}

static struct regret_log *make(uint64_t seed, double recorded)
{
    struct log_world w = {
        .seed = seed, .n_obs = 700, .n_agents = 3, .n_tags = 4, .recorded = recorded};
    return log_world_make(&w);
}

/* Everything but the columns from..to. */
static size_t all_but(size_t *use, const struct columns *c, size_t from, size_t to, int with_choice)
{
    size_t n = 0;
    for (size_t k = 0; k + 1 < c->m; k++) {
        if ((k < from || k >= to) && (k != 1 || with_choice)) {
            use[n++] = k;
        }
    }
    return n;
}

Test(sensitivity, robustness_is_that_of_least_squares_on_rows)
{
    size_t told = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct regret_log *log = make(seed, 0.4);
        struct columns c = columns_of(log);
        struct regression r;
        struct robustness s;
        size_t use[MOST_COLUMNS], rank, y = c.m - 1, n;
        cr_assert_eq(regression_build(&r, log, 0, 1), REGRET_OK);
        cr_assert_eq(robustness_of(&s, &r, 0.95), REGRET_OK);
        cr_assert_eq(r.n_rows, c.n);
        n = all_but(use, &c, 0, 0, 1);
        double full = residual(c.at, c.n, use, n, y, &rank);
        double df = (double)c.n - (double)rank;
        n = all_but(use, &c, 0, 0, 0);
        double without = residual(c.at, c.n, use, n, y, &rank);
        double choice = residual(c.at, c.n, use, n, 1, &rank);
        double t2 = (without - full) / (full / df);
        cr_assert_float_eq(s.df, df, 0.0);
        cr_assert_float_eq(s.t * s.t, t2, 1e-7 * (1.0 + t2));
        cr_assert_float_eq(s.error, sqrt(full / df / choice), 1e-9);
        cr_assert_float_eq(s.partial_r2, (without - full) / without, 1e-9);
        /* A cause with partial R² of RV to both takes exactly all of it. */
        double bias = sqrt(s.to_zero * s.to_zero / (1.0 - s.to_zero)) * s.error * sqrt(df);
        cr_assert_float_eq(bias, fabs(s.value), 1e-9);
        cr_assert(s.to_chance >= 0.0 && s.to_chance <= s.to_zero);
        const size_t groups[][2] = {{2, 2 + log->n_tags},
                                    {2 + log->n_tags, 3 + log->n_tags},
                                    {3 + log->n_tags, 4 + log->n_tags}};
        cr_assert_eq(r.n_groups, 3);
        for (size_t g = 0; g < 3; g++) {
            struct benchmark b;
            cr_assert_eq(benchmark_of(&b, &r, &s, g), REGRET_OK);
            n = all_but(use, &c, groups[g][0], groups[g][1], 0);
            double d_without = residual(c.at, c.n, use, n, 1, &rank);
            double d = (d_without - choice) / d_without;
            n = all_but(use, &c, groups[g][0], groups[g][1], 1);
            double y_without = residual(c.at, c.n, use, n, y, &rank);
            double yr = (y_without - full) / y_without;
            double z = d / (1 - d), share = d * d / ((1 - d) * (1 - d));
            double out = fmin(1.0, pow((1 + sqrt(share)) / sqrt(1 - share), 2) * yr / (1 - yr));
            if (z >= 1.0) { /* no cause can be so strong beside the group */
                cr_assert(isnan(b.left));
                continue;
            }
            told++;
            cr_assert_float_eq(b.with_choice, z, 1e-8, "group %zu: %g and %g", g, b.with_choice, z);
            cr_assert_float_eq(b.with_outcome, out, 1e-8);
            double left = fabs(s.value) - sqrt(out * z / (1 - z)) * s.error * sqrt(df);
            cr_assert_float_eq(b.left, s.value < 0 ? -left : left, 1e-8);
        }
        for (size_t k = 0; k < c.m; k++) {
            free(c.at[k]);
        }
        regression_free(&r);
        regret_log_free(log);
    }
    cr_assert_gt(told, 8);
}

/* Where choice is a function of the tag, nothing is left of it. */
Test(sensitivity, says_nothing_where_nothing_is_left)
{
    struct regret_log *log = make(1, 0.0);
    struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    struct regression r;
    struct robustness s;
    for (size_t i = 0; i < obs->n; i++) {
        obs->agent[i] = log->tag[obs->context[i]] % 2;
    }
    cr_assert_eq(regression_build(&r, log, 0, 1), REGRET_OK);
    cr_assert_eq(robustness_of(&s, &r, 0.95), REGRET_OK);
    cr_assert(isnan(s.to_zero) && isnan(s.value));
    regression_free(&r);
    regret_log_free(log);
}

struct weighted {
    double y, more;
};

static int by_outcome(const void *a, const void *b)
{
    double x = ((const struct weighted *)a)->y, y = ((const struct weighted *)b)->y;
    return (x > y) - (x < y);
}

/* The least of all thresholds, on sorted rows. */
static double naive_bound(const struct regret_log *log, size_t agent, double lambda, int is_low)
{
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    struct weighted *row = calloc(obs->n, sizeof *row);
    size_t n = 0;
    for (size_t i = 0; i < obs->n; i++) {
        if (obs->agent[i] == agent) {
            double of_tag = 0.0, own = 0.0;
            for (size_t k = 0; k < obs->n; k++) {
                int same = log->tag[obs->context[k]] == log->tag[obs->context[i]];
                of_tag += same;
                own += same && obs->agent[k] == agent;
            }
            double e = obs->propensity ? obs->propensity[i] : own / of_tag;
            row[n++] = (struct weighted){obs->outcome[i], 1.0 / e - 1.0};
        }
    }
    qsort(row, n, sizeof *row, by_outcome);
    double best = is_low ? 2.0 : -1.0;
    for (size_t threshold = 0; threshold <= n; threshold++) {
        double sum = 0.0, weight = 0.0;
        for (size_t i = 0; i < n; i++) {
            double up = (i < threshold) == is_low ? lambda : 1.0 / lambda;
            sum += row[i].y * (1.0 + up * row[i].more);
            weight += 1.0 + up * row[i].more;
        }
        best = is_low ? fmin(best, sum / weight) : fmax(best, sum / weight);
    }
    free(row);
    return best;
}

Test(sensitivity, bounds_are_those_of_all_thresholds)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct log_world w = {.seed = seed,
                              .n_obs = 250,
                              .n_agents = 3,
                              .n_tags = 3,
                              .binary = seed == 1,
                              .obs_probabilities = seed == 3 ? 1.0 : 0.0};
        struct regret_log *log = log_world_make(&w);
        struct odds o;
        cr_assert_eq(odds_build(&o, log), REGRET_OK);
        for (size_t a = 0; a < 3; a++) {
            double before_low = o.value[a], before_high = o.value[a];
            for (double lambda = 1.0; lambda < 5.0; lambda *= 1.5) {
                double low, high, within = seed == 1 ? 1e-10 : 1.0 / 2048;
                odds_bounds(&low, &high, &o, a, lambda);
                cr_assert_float_eq(low, naive_bound(log, a, lambda, 1), within);
                cr_assert_float_eq(high, naive_bound(log, a, lambda, 0), within);
                cr_assert(low <= before_low + 1e-12 && high >= before_high - 1e-12, "wider with Λ");
                before_low = low;
                before_high = high;
            }
        }
        size_t best = 0, other = 9;
        for (size_t a = 1; a < 3; a++) {
            best = o.value[a] > o.value[best] ? a : best;
        }
        double lambda = odds_of_change(&other, &o, best), low, high, top;
        cr_assert(lambda > 1.0 && other != best && other < 3);
        odds_bounds(&low, &high, &o, best, lambda);
        odds_bounds(&high, &top, &o, other, lambda);
        cr_assert_float_eq(low, top, 1e-4);
        cr_assert_eq(odds_of_change(&other, &o, (best + 1) % 3), 1.0);
        odds_free(&o);
        regret_log_free(log);
    }
}
