/* Intervals of values against loops that resample with the same streams. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/rng.h"
#include "regret/value.h"

enum { AGENTS = 3, CONTEXTS = 12, PAIRS = AGENTS * CONTEXTS * 2, EXP = 30, B = 200 };
enum { WIDTH = REGRET_N_VALUES * AGENTS };

struct setting {
    uint32_t agent[PAIRS], context[PAIRS], pair[EXP];
    unsigned char eval[PAIRS];
    double prediction[PAIRS], y[EXP], cross_fit[EXP];
    struct regret_rows exp;
    struct regret_interval value[WIDTH], difference[WIDTH * AGENTS];
};

static void draw(struct setting *s, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 82);
    for (uint32_t p = 0; p < PAIRS; p++) {
        s->agent[p] = p / 2 % AGENTS;
        s->context[p] = p / (2 * AGENTS);
        s->eval[p] = s->context[p] % 3 != 1;
        s->prediction[p] = regret_rng_uniform(&r);
    }
    for (size_t i = 0; i < EXP; i++) {
        s->pair[i] = regret_rng_below(&r, PAIRS);
        s->y[i] = regret_rng_uniform(&r);
        s->cross_fit[i] = regret_rng_uniform(&r);
    }
    s->exp = (struct regret_rows){.n = EXP, .pair = s->pair, .y = s->y};
}

static int find(struct setting *s, size_t replicates, double level)
{
    const struct regret_value_bootstrap how = {replicates, level, 17};
    return regret_value_intervals(s->value, s->difference, &how, s->prediction, s->cross_fit,
                                  &s->exp, s->agent, s->context, s->eval, PAIRS, AGENTS, CONTEXTS);
}

/* ---- The same by hand ----------------------------------------------------------------------- */

static void values_of_resample(double out[WIDTH], const struct setting *s, size_t b)
{
    uint32_t evaluated[CONTEXTS], n = 0;
    double sum[AGENTS] = {0}, count[AGENTS] = {0}, residual[AGENTS] = {0}, rows[AGENTS] = {0};
    for (uint32_t x = 0; x < CONTEXTS; x++) {
        if (x % 3 != 1) {
            evaluated[n++] = x;
        }
    }
    struct regret_rng r = regret_rng_at(17, REGRET_RNG_BOOTSTRAP, b);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = evaluated[regret_rng_below(&r, n)];
        for (size_t p = 0; p < PAIRS; p++) {
            sum[s->agent[p]] += s->context[p] == x && s->eval[p] ? s->prediction[p] : 0.0;
            count[s->agent[p]] += s->context[p] == x && s->eval[p];
        }
    }
    r = regret_rng_at(17, REGRET_RNG_BOOTSTRAP, ((uint64_t)1 << 32) + b);
    for (size_t j = 0; j < s->exp.n; j++) {
        size_t i = regret_rng_below(&r, (uint32_t)s->exp.n);
        residual[s->agent[s->pair[i]]] += s->y[i] - s->cross_fit[i];
        rows[s->agent[s->pair[i]]] += 1.0;
    }
    for (size_t a = 0; a < AGENTS; a++) {
        out[a] = sum[a] / count[a];
        out[AGENTS + a] = out[a] + AGENTS * residual[a] / (double)s->exp.n;
        out[2 * AGENTS + a] = out[a] + (rows[a] > 0.0 ? residual[a] / rows[a] : 0.0);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile p: linear between the order statistics below and above (B − 1) p. */
static double quantile(double *x, double p)
{
    double h = (B - 1) * p, below = floor(h);
    qsort(x, B, sizeof *x, ascending);
    size_t k = (size_t)below;
    return x[k] * (1.0 - (h - below)) + x[k + (k + 1 < B)] * (h - below);
}

static void expect_interval(struct regret_interval found, double *x, double level)
{
    double low = quantile(x, 0.5 - level / 2.0), high = quantile(x, 0.5 + level / 2.0);
    cr_assert(fabs(found.low - low) < 1e-12 && fabs(found.high - high) < 1e-12,
              "[%g, %g], expected [%g, %g]", found.low, found.high, low, high);
}

Test(intervals, agree_with_loops)
{
    static double values[B][WIDTH], column[B];
    for (int few = 0; few < 2; few++) {
        struct setting s;
        draw(&s, 1);
        s.exp.n = few ? 3 : EXP; /* of three rows some agent often has none */
        cr_assert_eq(find(&s, B, 0.9), 0, "%s", regret_error_message());
        for (size_t b = 0; b < B; b++) {
            values_of_resample(values[b], &s, b);
        }
        for (size_t v = 0; v < WIDTH; v++) {
            for (size_t b = 0; b < B; b++) {
                column[b] = values[b][v];
            }
            expect_interval(s.value[v], column, 0.9);
            for (size_t a = 0; a < AGENTS; a++) {
                for (size_t b = 0; b < B; b++) {
                    column[b] = values[b][v] - values[b][v / AGENTS * AGENTS + a];
                }
                expect_interval(s.difference[v * AGENTS + a], column, 0.9);
            }
        }
    }
}

Test(intervals, properties)
{
    struct setting s, wide;
    draw(&s, 2);
    draw(&wide, 2);
    cr_assert_eq(find(&s, B, 0.5), 0);
    cr_assert_eq(find(&wide, B, 0.99), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        size_t kind = v / AGENTS, a = v % AGENTS;
        cr_assert(s.value[v].low < s.value[v].high);
        cr_assert(wide.value[v].low < s.value[v].low && wide.value[v].high > s.value[v].high);
        for (size_t b = 0; b < AGENTS; b++) {
            struct regret_interval x = s.difference[v * AGENTS + b];
            struct regret_interval y = s.difference[(kind * AGENTS + b) * AGENTS + a];
            cr_assert(fabs(x.low + y.high) < 1e-12 && fabs(x.high + y.low) < 1e-12);
            cr_assert(a != b || (x.low == 0.0 && x.high == 0.0));
        }
    }
    /* Nothing varies: no width. */
    for (size_t p = 0; p < PAIRS; p++) {
        s.prediction[p] = 0.25;
    }
    memcpy(s.cross_fit, s.y, sizeof s.y);
    cr_assert_eq(find(&s, B, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert(fabs(s.value[v].low - 0.25) < 1e-15 && fabs(s.value[v].high - 0.25) < 1e-15);
    }
}

/* The interval of DM is that of a mean over contexts: about ± 1.96 standard errors. */
Test(intervals, agree_with_theory)
{
    struct setting s;
    draw(&s, 3);
    cr_assert_eq(find(&s, 4000, 0.95), 0);
    for (size_t a = 0; a < AGENTS; a++) {
        double x[CONTEXTS], mean = 0.0, square = 0.0, n = 0.0;
        for (size_t c = 0; c < CONTEXTS; c++) {
            if (c % 3 != 1) {
                x[c] = 0.5 * (s.prediction[(c * AGENTS + a) * 2] +
                              s.prediction[(c * AGENTS + a) * 2 + 1]);
                mean += x[c], square += x[c] * x[c], n += 1.0;
            }
        }
        mean /= n;
        double se = sqrt((square / n - mean * mean) / n);
        cr_assert_float_eq(s.value[a].low, mean - 1.96 * se, 0.25 * se);
        cr_assert_float_eq(s.value[a].high, mean + 1.96 * se, 0.25 * se);
    }
}

Test(intervals, undefined_values)
{
    struct setting s;
    draw(&s, 4);
    s.cross_fit[5] = NAN;
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && s.agent[p] != 0; /* agent 0 is nowhere evaluated */
    }
    cr_assert_eq(find(&s, B, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        int defined = v < AGENTS && v % AGENTS != 0;
        cr_assert(isnan(s.value[v].low) == !defined && isnan(s.value[v].high) == !defined);
    }
    const struct regret_value_bootstrap how = {B, 0.95, 17};
    cr_assert_eq(regret_value_intervals(s.value, NULL, &how, s.prediction, NULL, &s.exp, s.agent,
                                        s.context, s.eval, PAIRS, AGENTS, CONTEXTS),
                 0, "no out-of-fold predictions at all");
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert_eq(isnan(s.value[v].low), v == 0 || v >= AGENTS);
    }
    /* Agent 0 is evaluated in one context only: resamples without it are passed over. */
    draw(&s, 4);
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && (s.agent[p] != 0 || s.context[p] == 3);
    }
    cr_assert_eq(find(&s, B, 0.95), 0);
    double only = 0.5 * (s.prediction[3 * AGENTS * 2] + s.prediction[3 * AGENTS * 2 + 1]);
    cr_assert_float_eq(s.value[0].low, only, 1e-12);
    cr_assert_float_eq(s.value[0].high, only, 1e-12);
}

Test(intervals, bad_arguments)
{
    static const double levels[] = {0.0, 1.0, -0.1, NAN};
    struct setting s;
    draw(&s, 5);
    s.value[0].low = 7.0;
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(find(&s, B, levels[i]), REGRET_E_INPUT);
    }
    cr_assert_eq(find(&s, 1, 0.95), REGRET_E_INPUT);
    s.exp.n = 0;
    cr_assert_eq(find(&s, B, 0.95), REGRET_E_INPUT);
    s.exp.n = EXP;
    memset(s.eval, 0, sizeof s.eval);
    cr_assert_eq(find(&s, B, 0.95), REGRET_E_INPUT);
    cr_assert_eq(s.value[0].low, 7.0, "touched on failure");
}

Test(intervals, differences_are_optional_and_memory_may_run_out)
{
    struct setting s, t;
    draw(&s, 6);
    draw(&t, 6);
    cr_assert_eq(find(&s, 20, 0.95), 0);
    const struct regret_value_bootstrap how = {20, 0.95, 17};
    long k = 0;
    t.value[0].low = 7.0;
    for (int rc = REGRET_E_NOMEM; rc != REGRET_OK; k++) {
        regret_alloc_fail_after(k);
        rc = regret_value_intervals(t.value, NULL, &how, t.prediction, t.cross_fit, &t.exp, t.agent,
                                    t.context, t.eval, PAIRS, AGENTS, CONTEXTS);
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_OK || (rc == REGRET_E_NOMEM && t.value[0].low == 7.0));
    }
    cr_assert_gt(k, 10);
    cr_assert_eq(memcmp(s.value, t.value, sizeof s.value), 0);
}
