/* Intervals of values by theory and property; t-half-widths.c holds them against the closed form, which NumPy recomputes. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"

enum { AGENTS = 3, CONTEXTS = 12, PAIRS = AGENTS * CONTEXTS * 2, EXP = 30, B = 200 };
enum { WIDTH = REGRET_N_VALUES * AGENTS };

struct setting {
    uint32_t agent[PAIRS], context[PAIRS], pair[EXP];
    unsigned char eval[PAIRS];
    double prediction[PAIRS], plug_in[PAIRS], y[EXP], cross_fit[EXP];
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
        s->plug_in[p] = regret_rng_uniform(&r);
    }
    for (size_t i = 0; i < EXP; i++) {
        s->pair[i] = regret_rng_below(&r, PAIRS);
        s->y[i] = regret_rng_uniform(&r);
        s->cross_fit[i] = regret_rng_uniform(&r);
    }
    s->exp = (struct regret_rows){.n = EXP, .pair = s->pair, .y = s->y};
}

static struct regret_value_problem problem_of(const struct setting *s)
{
    return (struct regret_value_problem){.prediction = s->prediction,
                                         .plug_in = s->plug_in,
                                         .cross_fit = s->cross_fit,
                                         .exp = &s->exp,
                                         .agent = s->agent,
                                         .context = s->context,
                                         .eval = s->eval,
                                         .pairs = PAIRS,
                                         .n_agents = AGENTS,
                                         .n_contexts = CONTEXTS};
}

static int find(struct setting *s, size_t replicates, double level)
{
    const struct regret_value_bootstrap how = {replicates, level, 17};
    const struct regret_value_problem problem = problem_of(s);
    return regret_value_intervals(s->value, s->difference, &problem, &how);
}

/* Without residuals, which would say what the surface misses: DM is of the surface's own mean. */
static int find_blind(struct setting *s, size_t replicates, double level)
{
    const struct regret_value_bootstrap how = {replicates, level, 17};
    struct regret_value_problem problem = problem_of(s);
    problem.cross_fit = NULL;
    return regret_value_intervals(s->value, s->difference, &problem, &how);
}

/* EXP rows that have a context each: contexts are rows. */
Test(intervals, rows_of_one_context_count_once)
{
    struct setting s, doubled;
    draw(&s, 7);
    for (size_t i = 0; i < EXP; i++) { /* row i on context i mod CONTEXTS, by agent 0 */
        s.pair[i] = (uint32_t)(i % CONTEXTS) * AGENTS * 2;
        s.y[i] = 0.02 * (double)(i % CONTEXTS);
        s.cross_fit[i] = 0.0;
    }
    doubled = s;
    s.exp = (struct regret_rows){.n = CONTEXTS, .pair = s.pair, .y = s.y};
    doubled.exp = (struct regret_rows){.n = 2 * CONTEXTS, .pair = doubled.pair, .y = doubled.y};
    cr_assert_eq(find(&s, B, 0.95), 0);
    cr_assert_eq(find(&doubled, B, 0.95), 0);
    for (size_t v = AGENTS; v < WIDTH; v += AGENTS) { /* the same rows twice tell nothing new */
        cr_assert_float_eq(s.value[v].low, doubled.value[v].low, 1e-12);
        cr_assert_float_eq(s.value[v].high, doubled.value[v].high, 1e-12);
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
        s.prediction[p] = s.plug_in[p] = 0.25;
    }
    memcpy(s.cross_fit, s.y, sizeof s.y);
    cr_assert_eq(find(&s, B, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert(fabs(s.value[v].low - 0.25) < 1e-15 && fabs(s.value[v].high - 0.25) < 1e-15);
    }
}

/* The interval of DM is that of a mean over contexts: ± t standard errors, up to the noise of 4,000
 * resamples (1.1 % of a standard error; four times that here). */
Test(intervals, agree_with_theory)
{
    struct setting s;
    draw(&s, 3);
    cr_assert_eq(find_blind(&s, 4000, 0.95), 0);
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
        double se = sqrt((square / n - mean * mean) / (n - 1.0));
        double half = 2.364624251592785 * se; /* t of 7 degrees of freedom at .975 */
        cr_assert_eq(n, 8.0);
        cr_assert_float_eq(s.value[a].low, mean - half, 0.05 * half);
        cr_assert_float_eq(s.value[a].high, mean + half, 0.05 * half);
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
        cr_assert(isnan(s.value[v].low) && isnan(s.value[v].high),
                  "nor is known what the surface misses");
    }
    const struct regret_value_bootstrap how = {B, 0.95, 17};
    struct regret_value_problem problem = problem_of(&s);
    problem.cross_fit = NULL;
    cr_assert_eq(regret_value_intervals(s.value, NULL, &problem, &how), 0,
                 "no out-of-fold predictions at all");
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert_eq(isnan(s.value[v].low), v == 0 || v >= AGENTS);
    }
    /* Agent 0 is evaluated in one context only: resamples without it are skipped. */
    draw(&s, 4);
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && (s.agent[p] != 0 || s.context[p] == 3);
    }
    cr_assert_eq(find_blind(&s, B, 0.95), 0);
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
        const struct regret_value_problem problem = problem_of(&t);
        rc = regret_value_intervals(t.value, NULL, &problem, &how);
        regret_alloc_fail_after(-1);
        cr_assert(rc == REGRET_OK || (rc == REGRET_E_NOMEM && t.value[0].low == 7.0));
    }
    cr_assert_gt(k, 10);
    cr_assert_eq(memcmp(s.value, t.value, sizeof s.value), 0);
}
