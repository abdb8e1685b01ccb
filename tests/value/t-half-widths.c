/* Half-widths in closed form against the theory of a mean and the bootstrap; NumPy's are in tests/outside/half_widths.py. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/evaluate.h"
#include "regret/task.h"

enum { AGENTS = 3, CONTEXTS = 40, DRAWS = 2, PAIRS = AGENTS * CONTEXTS * DRAWS, EXP = 300 };
enum { WIDTH = REGRET_N_VALUES * AGENTS };

struct setting {
    uint32_t agent[PAIRS], context[PAIRS], pair[EXP];
    unsigned char eval[PAIRS];
    double prediction[PAIRS], plug_in[PAIRS], y[EXP], cross_fit[EXP];
    struct regret_rows exp;
    struct regret_value_problem problem;
};

/* Evaluated are the contexts up to 25, some pairs of them missing; tried, all. */
static void draw(struct setting *s, uint64_t seed, size_t n_exp)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 97);
    for (uint32_t p = 0; p < PAIRS; p++) {
        s->agent[p] = p / DRAWS % AGENTS;
        s->context[p] = p / (DRAWS * AGENTS);
        s->eval[p] = s->context[p] < 25 && p % 11 != 3;
        s->prediction[p] = regret_rng_uniform(&r);
        s->plug_in[p] = regret_rng_uniform(&r);
    }
    for (size_t i = 0; i < n_exp; i++) {
        s->pair[i] = regret_rng_below(&r, PAIRS);
        s->y[i] = regret_rng_uniform(&r);
        s->cross_fit[i] = regret_rng_uniform(&r);
    }
    s->exp = (struct regret_rows){.n = n_exp, .pair = s->pair, .y = s->y};
    s->problem = (struct regret_value_problem){
        s->prediction, s->plug_in,   s->cross_fit, &s->exp,  s->agent, s->context,
        s->eval,       PAIRS,        AGENTS,       CONTEXTS, NULL,     0.0,
        0.0,           {NULL, NULL}, NULL,         NULL,     0};
}

/* On a complete grid that of DM is t times the standard error of a mean over contexts. */
Test(half_widths, of_dm_are_those_of_a_mean)
{
    struct setting s;
    double half[WIDTH];
    draw(&s, 3, EXP);
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.context[p] < 8;
    }
    s.problem.cross_fit = NULL; /* nothing is known of what the surface misses */
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t a = 0; a < AGENTS; a++) {
        double x[8], mean = 0.0, squares = 0.0;
        for (size_t c = 0; c < 8; c++) {
            const double *f = s.prediction + (c * AGENTS + a) * DRAWS;
            x[c] = 0.5 * (f[0] + f[1]);
            mean += x[c] / 8.0;
        }
        for (size_t c = 0; c < 8; c++) {
            squares += (x[c] - mean) * (x[c] - mean);
        }
        double wanted = 2.364624251592785 * sqrt(squares / 7.0 / 8.0);
        cr_assert_float_eq(half[a], wanted, 1e-12);
    }
}

/* 4,000 resamples have a noise of 1.1 % of a standard error. What is left is what a ratio of sums has
 * beyond the first order: small where contexts have many rows. */
Test(half_widths, are_those_of_the_bootstrap)
{
    const struct regret_value_bootstrap how = {4000, 0.95, 5};
    struct regret_interval interval[WIDTH];
    struct setting s;
    double half[WIDTH];
    draw(&s, 4, EXP);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    cr_assert_eq(regret_value_intervals(interval, NULL, &s.problem, &how), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        double wanted = 0.5 * (interval[v].high - interval[v].low);
        cr_assert_float_eq(half[v], wanted, 0.06 * wanted, "value %zu: %g, not %g", v, half[v],
                           wanted);
    }
}

/* Adding a number to every prediction or outcome changes nothing; scaling all scales. */
Test(half_widths, invariances)
{
    struct setting s;
    double half[WIDTH], moved[WIDTH], scaled[WIDTH];
    draw(&s, 6, EXP);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t p = 0; p < PAIRS; p++) {
        s.prediction[p] += 2.0;
        s.plug_in[p] += 2.0;
    }
    cr_assert_eq(regret_value_half_widths(moved, &s.problem, 0.95), 0);
    for (size_t p = 0; p < PAIRS; p++) {
        s.prediction[p] *= 0.5;
        s.plug_in[p] *= 0.5;
    }
    for (size_t i = 0; i < EXP; i++) {
        s.y[i] *= 0.5;
        s.cross_fit[i] *= 0.5;
    }
    cr_assert_eq(regret_value_half_widths(scaled, &s.problem, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert_float_eq(moved[v], half[v], 1e-12);
        cr_assert_float_eq(scaled[v], 0.5 * half[v], 1e-12);
    }
}

Test(half_widths, undefined_and_refused)
{
    struct setting s;
    double half[WIDTH];
    draw(&s, 7, EXP);
    s.problem.cross_fit = NULL;
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert_eq(isnan(half[v]) != 0, v >= AGENTS, "%zu", v);
    }
    draw(&s, 7, EXP);
    s.cross_fit[9] = NAN;
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && s.agent[p] != 1;
    }
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), 0);
    for (size_t v = 0; v < WIDTH; v++) {
        cr_assert(isnan(half[v]), "%zu: what the surface misses is not known", v);
    }
    half[0] = 7.0;
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 1.0), REGRET_E_INPUT);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, NAN), REGRET_E_INPUT);
    s.exp.n = 0;
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), REGRET_E_INPUT);
    s.exp.n = EXP;
    memset(s.eval, 0, sizeof s.eval);
    cr_assert_eq(regret_value_half_widths(half, &s.problem, 0.95), REGRET_E_INPUT);
    cr_assert_eq(half[0], 7.0, "touched on failure");
}
