/* DM, DR and SNDR: by the reference's loops, by exact enumeration, by identities. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "estimate/reference.h"
#include "regret/rng.h"
#include "regret/value.h"

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
    regret_value_dm(dm, s->prediction, s->agent, s->eval, PAIRS, AGENTS);
    regret_value_dr(dr, sndr, dm, &s->exp, s->cross_fit, s->agent, AGENTS);
}

Test(value, agrees_with_the_reference)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct setting s;
        double dm[AGENTS], dr[AGENTS], sndr[AGENTS], x[AGENTS], y[AGENTS], z[AGENTS];
        draw(&s, seed);
        for (size_t i = 0; i < EXP && seed == 3; i++) {
            s.pair[i] = s.pair[i] / 4 * 4; /* even agents only, in some contexts */
        }
        const struct reference_problem problem = {.pairs = PAIRS,
                                                  .n_agents = AGENTS,
                                                  .agent = s.agent,
                                                  .n_exp = EXP,
                                                  .exp_pair = s.pair,
                                                  .exp_y = s.y};
        const struct reference_estimate e = {.prediction = s.prediction, .cross_fit = s.cross_fit};
        value(dm, dr, sndr, &s);
        reference_values(x, y, z, &e, &problem, s.eval);
        for (size_t a = 0; a < AGENTS; a++) {
            cr_assert_float_eq(dm[a], x[a], 1e-14);
            cr_assert_float_eq(dr[a], y[a], 1e-13);
            cr_assert_float_eq(sndr[a], z[a], 1e-13);
        }
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
        regret_value_dm(dm, prediction, AGENT, ALL, 4, 2);
        regret_value_dr(dr, sndr, dm, &rows, cross_fit, AGENT, 2);
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
