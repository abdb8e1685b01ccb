/* DM, DR and SNDR by exact enumeration and identities; tests/outside recomputes them with NumPy. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/evaluate.h"
#include "regret/task.h"

enum { AGENTS = 5, CONTEXTS = 7, DRAWS = 2, PAIRS = AGENTS * CONTEXTS * DRAWS, EXP = 40 };

struct setting {
    uint32_t agent[PAIRS], pair[EXP];
    unsigned char eval[PAIRS];
    double prediction[PAIRS], y[EXP], cross_fit[EXP];
    struct regret_rows exp;
};

static void draw(struct setting *s, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 81);
    for (uint32_t p = 0; p < PAIRS; p++) {
        s->agent[p] = p / DRAWS % AGENTS;
        s->eval[p] = p / (AGENTS * DRAWS) >= 4;
        s->prediction[p] = regret_rng_uniform(&r);
    }
    for (size_t i = 0; i < EXP; i++) {
        s->pair[i] = regret_rng_below(&r, 4 * AGENTS * DRAWS);
        s->y[i] = regret_rng_uniform(&r);
        s->cross_fit[i] = regret_rng_uniform(&r);
    }
    s->exp = (struct regret_rows){.n = EXP, .pair = s->pair, .y = s->y};
}

static void value(double dm[], double dr[], double sndr[], const struct setting *s)
{
    regret_value_dm(dm, s->prediction, s->agent, s->eval, PAIRS, AGENTS, NULL);
    regret_value_dr(dr, sndr, dm, &s->exp, s->cross_fit, s->agent, AGENTS, NULL, NULL);
}

/* Agents are summed in blocks: each is the mean of its own pairs, in their order, to the bit. */
Test(value, dm_of_many_agents)
{
    enum { MANY = 600, N = 4000 };
    static uint32_t agent[N];
    static unsigned char eval[N];
    static double prediction[N], dm[MANY];
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 82);
    for (size_t p = 0; p < N; p++) {
        agent[p] = (uint32_t)regret_rng_below(&r, MANY - 1); /* the last has no pair */
        eval[p] = regret_rng_below(&r, 3) > 0;
        prediction[p] = regret_rng_uniform(&r);
    }
    regret_value_dm(dm, prediction, agent, eval, N, MANY, NULL);
    for (size_t a = 0; a < MANY; a++) {
        double sum = 0.0, n = 0.0;
        for (size_t p = 0; p < N; p++) {
            sum += eval[p] && agent[p] == a ? prediction[p] : 0.0;
            n += eval[p] && agent[p] == a;
        }
        cr_assert(n > 0.0 ? dm[a] == sum / n : isnan(dm[a]), "agent %zu", a);
    }
}

Test(value, without_residuals_all_three_agree)
{
    struct setting s;
    double dm[AGENTS], dr[AGENTS], sndr[AGENTS];
    draw(&s, 6);
    memcpy(s.y, s.cross_fit, sizeof s.y);
    value(dm, dr, sndr, &s);
    for (size_t a = 0; a < AGENTS; a++) {
        cr_assert(dr[a] == dm[a] && sndr[a] == dm[a]);
    }
}

/* A constant added to every residual: SNDR moves by it, DR by it times n_a |A| / n. */
Test(value, sndr_is_equivariant)
{
    struct setting s;
    double dm[AGENTS], dr[AGENTS], sndr[AGENTS], dr2[AGENTS], sndr2[AGENTS];
    draw(&s, 7);
    value(dm, dr, sndr, &s);
    for (size_t i = 0; i < EXP; i++) {
        s.cross_fit[i] -= 0.125;
    }
    value(dm, dr2, sndr2, &s);
    for (uint32_t a = 0; a < AGENTS; a++) {
        double n_a = 0.0;
        for (size_t i = 0; i < EXP; i++) {
            n_a += s.agent[s.pair[i]] == a;
        }
        cr_assert_float_eq(sndr2[a] - sndr[a], n_a > 0.0 ? 0.125 : 0.0, 1e-13);
        cr_assert_float_eq(dr2[a] - dr[a], 0.125 * n_a * AGENTS / EXP, 1e-13);
    }
}

Test(value, agents_without_rows_or_pairs)
{
    struct setting s;
    double dm[AGENTS], dr[AGENTS], sndr[AGENTS];
    draw(&s, 8);
    for (size_t i = 0; i < EXP; i++) {
        s.pair[i] = 2 * DRAWS; /* agent 2 only */
    }
    for (size_t p = 0; p < PAIRS; p++) {
        s.eval[p] = s.eval[p] && s.agent[p] != 4;
    }
    value(dm, dr, sndr, &s);
    cr_assert(dr[0] == dm[0] && sndr[0] == dm[0] && dr[2] != dm[2]);
    cr_assert(isnan(dm[4]) && isnan(dr[4]) && isnan(sndr[4]));
    s.cross_fit[EXP - 1] = NAN; /* one row without an out-of-fold prediction */
    value(dm, dr, sndr, &s);
    for (size_t a = 0; a < AGENTS; a++) {
        cr_assert(isnan(dr[a]) && isnan(sndr[a]));
        cr_assert(a == 4 || !isnan(dm[a]));
    }
}

/* ---- Another population of contexts ----------------------------------------------------------
 *
 * Contexts of the pairs here: p / (AGENTS · DRAWS). */

struct weighed {
    uint32_t context[PAIRS];
    double weight[CONTEXTS];
    struct regret_context_weights weights;
};

static void weigh(struct weighed *w, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 83);
    for (uint32_t p = 0; p < PAIRS; p++) {
        w->context[p] = p / (AGENTS * DRAWS);
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        w->weight[x] = exp(2.0 * regret_rng_normal(&r));
    }
    w->weights = (struct regret_context_weights){w->context, w->weight, NULL};
}

static void value_weighed(double v[3][AGENTS], const struct setting *s, const struct weighed *w)
{
    regret_value_dm(v[0], s->prediction, s->agent, s->eval, PAIRS, AGENTS, &w->weights);
    regret_value_dr(v[1], v[2], v[0], &s->exp, s->cross_fit, s->agent, AGENTS, &w->weights, NULL);
}

/* Weights of one change no bit, and no common factor more than rounding. */
Test(value, weights_are_known_up_to_a_factor)
{
    struct setting s;
    struct weighed w;
    double v[3][AGENTS], again[3][AGENTS], dm[AGENTS], dr[AGENTS], sndr[AGENTS];
    draw(&s, 11);
    weigh(&w, 11);
    value_weighed(v, &s, &w);
    for (size_t x = 0; x < CONTEXTS; x++) {
        w.weight[x] *= 1e-200;
    }
    value_weighed(again, &s, &w);
    for (size_t i = 0; i < (size_t)3 * AGENTS; i++) {
        cr_assert_float_eq(v[i / AGENTS][i % AGENTS], again[i / AGENTS][i % AGENTS], 1e-13);
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        w.weight[x] = 1.0;
    }
    value(dm, dr, sndr, &s);
    value_weighed(again, &s, &w);
    for (size_t a = 0; a < AGENTS; a++) {
        cr_assert(dm[a] == again[0][a] && dr[a] == again[1][a] && sndr[a] == again[2][a]);
    }
}

/* A whole weight is as many copies of the context: of its evaluation pairs and of its rows. */
Test(value, a_weight_of_two_is_the_context_twice)
{
    enum { LAST = CONTEXTS - 1, BLOCK = AGENTS * DRAWS };
    struct setting s, twice;
    struct weighed w;
    double v[3][AGENTS], wanted[3][AGENTS];
    draw(&s, 12);
    weigh(&w, 12);
    for (size_t i = 0; i < EXP; i++) {
        s.pair[i] = s.pair[i] % (2 * BLOCK); /* on contexts 0 and 1 */
        s.exp.n = EXP / 2;
    }
    for (size_t x = 0; x < CONTEXTS; x++) {
        w.weight[x] = x == 1 || x == LAST ? 2.0 : 1.0;
    }
    value_weighed(v, &s, &w);
    twice = s;
    twice.exp = (struct regret_rows){.n = s.exp.n, .pair = twice.pair, .y = twice.y};
    for (size_t i = 0; i < s.exp.n; i++) { /* rows of context 1 again, at the end */
        if (s.pair[i] >= BLOCK) {
            twice.pair[twice.exp.n] = s.pair[i];
            twice.y[twice.exp.n] = s.y[i];
            twice.cross_fit[twice.exp.n++] = s.cross_fit[i];
        }
    }
    for (size_t i = 0; i < BLOCK; i++) { /* context 0, which is not evaluated, becomes the last */
        twice.prediction[i] = s.prediction[(size_t)LAST * BLOCK + i];
        twice.eval[i] = 1;
    }
    value(wanted[0], wanted[1], wanted[2], &twice);
    for (size_t i = 0; i < (size_t)3 * AGENTS; i++) {
        cr_assert_float_eq(v[i / AGENTS][i % AGENTS], wanted[i / AGENTS][i % AGENTS], 1e-13);
    }
}

Test(value, weights_of_nothing)
{
    struct setting s;
    struct weighed w;
    double v[3][AGENTS];
    draw(&s, 13);
    weigh(&w, 13);
    memset(w.weight, 0, 4 * sizeof *w.weight); /* no overlap: EXP is on contexts 0 to 3 */
    value_weighed(v, &s, &w);
    for (size_t a = 0; a < AGENTS; a++) {
        cr_assert(isfinite(v[0][a]) && isnan(v[1][a]) && isnan(v[2][a]));
    }
    w.weight[2] = 1.0;
    for (size_t i = 0; i < EXP; i++) {
        s.pair[i] = i % 2 == 0 ? 0 : 2 * AGENTS * DRAWS + DRAWS; /* of agent 0, and of agent 1 */
    }
    value_weighed(v, &s, &w);
    cr_assert(v[1][0] == v[0][0] && v[2][0] == v[0][0], "its rows weigh nothing");
    cr_assert(isfinite(v[2][1]) && v[2][1] != v[0][1]);
    memset(w.weight, 0, sizeof w.weight);
    value_weighed(v, &s, &w);
    cr_assert(isnan(v[0][0]) && isnan(v[1][0]) && isnan(v[2][0]));
}

Test(value, effective_numbers)
{
    const double alike[5] = {0.3, 0.3, 0.3, 0.3, 0.3}, one[3] = {0.0, 4.0, 0.0};
    const double two[2] = {1.0, 3.0}, none[2] = {0.0, 0.0}, tiny[2] = {1e-300, 1e-300};
    cr_assert_eq(regret_effective_number(alike, 5), 5.0);
    cr_assert_eq(regret_effective_number(one, 3), 1.0);
    cr_assert_float_eq(regret_effective_number(two, 2), 1.6, 1e-15);
    cr_assert_eq(regret_effective_number(tiny, 2), 2.0);
    cr_assert(isnan(regret_effective_number(none, 2)));
}

/* ---- Unbiasedness, by every possible EXP sample ----------------------------------------------
 *
 * Two contexts, two agents, Y in {0,1} with P(Y = 1) = mu, three EXP rows: 8³ samples with their
 * probabilities. All contexts are evaluated. */

static const double MU[4] = {0.2, 0.9, 0.7, 0.4}; /* pair = context · 2 + agent */
static const uint32_t AGENT[4] = {0, 1, 0, 1};
static const unsigned char ALL[4] = {1, 1, 1, 1};

/* The agent's mean outcome over the rows but `left_out`, drawn towards 1/2. */
static double surface(const struct regret_rows *rows, uint32_t pair, size_t left_out)
{
    double sum = 0.5, n = 1.0;
    for (size_t i = 0; i < rows->n; i++) {
        if (i != left_out && AGENT[rows->pair[i]] == AGENT[pair]) {
            sum += rows->y[i];
            n += 1.0;
        }
    }
    return sum / n + 0.1 * (pair >= 2);
}

/* E V_DR of both agents. The surface is fitted on EXP with row i left out for row i, and DM
 * averages over the left-out fits; or (fixed) it is any function at all. */
static void expectation(double mean[2], int fixed)
{
    static const double any[4] = {0.9, 0.1, 0.3, 0.3};
    mean[0] = mean[1] = 0.0;
    for (uint32_t sample = 0; sample < 512; sample++) {
        uint32_t pair[3];
        double y[3], cross_fit[3], prediction[4] = {0}, dm[2], dr[2], sndr[2], probability = 1.0;
        struct regret_rows rows = {.n = 3, .pair = pair, .y = y};
        for (size_t i = 0; i < 3; i++) {
            uint32_t digit = sample >> (3 * i) & 7;
            pair[i] = digit / 2;
            y[i] = digit % 2;
            probability *= 0.25 * (digit % 2 ? MU[pair[i]] : 1.0 - MU[pair[i]]);
        }
        for (size_t i = 0; i < 3; i++) {
            cross_fit[i] = fixed ? any[pair[i]] : surface(&rows, pair[i], i);
            for (uint32_t p = 0; p < 4; p++) {
                prediction[p] += (fixed ? any[p] : surface(&rows, p, i)) / 3.0;
            }
        }
        regret_value_dm(dm, prediction, AGENT, ALL, 4, 2, NULL);
        regret_value_dr(dr, sndr, dm, &rows, cross_fit, AGENT, 2, NULL, NULL);
        mean[0] += probability * dr[0];
        mean[1] += probability * dr[1];
    }
}

Test(value, dr_is_unbiased_whatever_the_surface)
{
    for (int fixed = 0; fixed < 2; fixed++) {
        double mean[2];
        expectation(mean, fixed);
        cr_assert_float_eq(mean[0], (MU[0] + MU[2]) / 2.0, 1e-14, "%.17g", mean[0]);
        cr_assert_float_eq(mean[1], (MU[1] + MU[3]) / 2.0, 1e-14, "%.17g", mean[1]);
    }
}
